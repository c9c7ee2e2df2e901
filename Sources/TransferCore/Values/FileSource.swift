public import TransferPrimitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The bytes of an open file, read by position through one descriptor however many parts are under way.
///
/// Length and modification time are those of the moment of opening; a file that no longer matches them makes reads and
/// `recheck` throw `.sourceChanged`. Reads go on in the file that was opened, also when it is renamed, replaced or deleted
/// meanwhile; `recheck` then throws.
public final class FileSource: ByteSource {
    /// The path that was opened.
    public let path: String
    /// Bytes, as of the opening.
    public let length: UInt64
    private let file: OpenFile
    private let status: FileStatus
    private let fileSystem: any FileSystem

    /// - Throws: `TransferError` with `.fileUnreadable` and the field `path`.
    public convenience init(path: String) throws { try self.init(path: path, fileSystem: LocalFileSystem()) }

    package init(path: String, fileSystem: any FileSystem) throws {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw TransferError(.fileUnreadable, "the path is empty or holds a NUL", field: "path")
        }
        do {
            let file = try fileSystem.open(path, .read)
            let status = try fileSystem.status(of: file)
            guard status.kind == .file else {
                let what = status.kind == .directory ? "a directory" : "a pipe, a socket or a device"
                throw TransferError(.fileUnreadable, "'\(path)' is \(what), not a file", field: "path")
            }
            // Files of the kernel, as in /proc, have no length and content nevertheless.
            guard try status.size > 0 || Self.isEmpty(file, fileSystem) else {
                throw TransferError(
                    .fileUnreadable, "'\(path)' has content and does not tell its length; copy it to a file first",
                    field: "path")
            }
            self.path = path
            self.file = file
            self.status = status
            self.fileSystem = fileSystem
            length = status.size
        } catch let error as SystemCallError {
            let hint = path.lowercased().hasPrefix("file://") ? ": this is a URL; give its path" : ""
            throw TransferError(
                .fileUnreadable, "the file cannot be read: \(error)\(hint)", field: "path", underlying: error)
        }
    }

    private static func isEmpty(_ file: OpenFile, _ fileSystem: any FileSystem) throws -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) {
            try fileSystem.read(file, at: 0, into: $0) == 0
        }
    }

    /// The last path component.
    public var name: String {
        // By bytes: a slash and a combining mark behind it are one character.
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    }

    /// The modification time at the moment of opening, to the millisecond.
    public var lastModified: Date {
        Date(timeIntervalSince1970: Double(status.modified / 1_000_000) / 1000)
    }

    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset < length else { return 0 }
        let wanted = Int(min(UInt64(buffer.count), length - offset))
        do {
            let count = try fileSystem.read(
                file, at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
            guard count > 0 || wanted == 0 else {
                throw TransferError(
                    .sourceChanged, "'\(path)' ends at \(offset), and had \(length) bytes when it was opened")
            }
            return count
        } catch let error as SystemCallError {
            throw TransferError(
                .fileUnreadable, "'\(path)' cannot be read at \(offset): \(error)", field: "path", underlying: error)
        }
    }

    /// Throws `.sourceChanged` when the path leads to another file or to none, or when size or modification time are no longer
    /// those of the moment of opening.
    public func recheck() throws {
        let now: FileStatus
        let there: FileStatus?
        do {
            now = try fileSystem.status(of: file)
            there = try fileSystem.status(at: path)
        } catch {
            throw TransferError(.fileUnreadable, "the file cannot be read: \(error)", field: "path", underlying: error)
        }
        guard let there else {
            throw TransferError(.sourceChanged, "'\(path)' was deleted or renamed while it was uploaded")
        }
        guard there.inode == now.inode, there.device == now.device else {
            throw TransferError(.sourceChanged, "'\(path)' was replaced by another file while it was uploaded")
        }
        guard now.size == status.size, now.modified == status.modified else {
            throw TransferError(
                .sourceChanged,
                "'\(path)' changed while it was uploaded: \(status.size) bytes then, \(now.size) now, or another time")
        }
    }
}
