import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A directory of a test's own, gone when the last reference goes.
package final class TemporaryDirectory: Sendable {
    /// Without a slash at its end.
    package let path: String

    package init() throws {
        var template = Array("/tmp/object-transfer-XXXXXX".utf8CString)
        path = try template.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, let name = mkdtemp(base) else {
                throw SystemCallError(call: "mkdtemp", path: "/tmp", number: errno)
            }
            return String(cString: name)
        }
    }

    deinit { Self.removeAll(path) }

    package func path(_ name: String) -> String { path + "/" + name }

    /// Every file beneath, as relative paths, sorted.
    package var files: [String] {
        Self.files(path).map { String(Substring($0.utf8.dropFirst(path.utf8.count + 1))) }.sorted()
    }

    package func write(_ bytes: [UInt8], to name: String) throws {
        let system = LocalFileSystem()
        let file = try system.open(path(name), .replace)
        try bytes.withUnsafeBytes { try system.write($0, to: file) }
    }

    package func read(_ name: String) throws -> [UInt8] { try Self.read(path(name)) }

    package static func read(_ path: String) throws -> [UInt8] {
        let system = LocalFileSystem()
        let file = try system.open(path, .read)
        var bytes = [UInt8](repeating: 0, count: Int(try system.status(of: file).size))
        var count = 0
        while count < bytes.count {
            let read = try bytes.withUnsafeMutableBytes { buffer in
                try system.read(
                    file, at: UInt64(count), into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            }
            if read == 0 { break }
            count += read
        }
        return Array(bytes.prefix(count))
    }

    private static func files(_ path: String) -> [String] {
        let system = LocalFileSystem()
        return ((try? system.list(path)) ?? []).flatMap { name -> [String] in
            let child = path + "/" + name
            let isDirectory =
                (try? system.linkDestination(at: child)) == nil && (try? system.status(at: child))?.kind == .directory
            return isDirectory ? files(child) : [child]
        }
    }

    private static func removeAll(_ path: String) {
        let system = LocalFileSystem()
        for name in (try? system.list(path)) ?? [] {
            let child = path + "/" + name
            let isDirectory =
                (try? system.linkDestination(at: child)) == nil && (try? system.status(at: child))?.kind == .directory
            if isDirectory { removeAll(child) } else { try? system.remove(child) }
        }
        rmdir(path)
    }
}
