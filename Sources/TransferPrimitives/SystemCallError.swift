#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A system call that failed, with the system's own number so that its manual can be searched.
public struct SystemCallError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The call, such as `open`.
    public let call: String
    /// The file it was about.
    public let path: String
    /// The value of `errno`.
    public let number: Int32

    package init(call: String, path: String, number: Int32) {
        self.call = call
        self.path = path
        self.number = number
    }

    /// Whether the disk, or the user's share of it, is full.
    public var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }
    /// Whether the file, or a directory on the way to it, does not exist.
    public var isNotFound: Bool { number == ENOENT }

    /// Whether a file stands where a directory was wanted.
    package var isNotDirectory: Bool { number == ENOTDIR || number == EEXIST }
    /// Whether the file was not touched because somebody else put it into a directory that everybody may write to.
    package var isForeign: Bool { call == Self.foreign }
    static let foreign = "open another user's file"
    /// Whether the user, or the medium, does not allow it.
    package var isDenied: Bool { number == EACCES || number == EPERM || number == EROFS }

    public var description: String { "\(call) '\(path)': \(reason) (errno \(number))" }

    /// The system's own words.
    package var reason: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error" }
        return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "error" }
    }
}
