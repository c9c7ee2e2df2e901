internal import CFileSystem

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The file system of the machine.
package struct LocalFileSystem: FileSystem {
    package init() {}

    package func open(_ path: String, _ access: FileAccess) throws(SystemCallError) -> OpenFile {
        let flags: Int32 =
            switch access {
            case .read: O_RDONLY
            case .append: O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW
            case .update: O_RDWR | O_CREAT | O_NOFOLLOW
            case .replace: O_RDWR | O_APPEND | O_CREAT | O_TRUNC | O_NOFOLLOW
            }
        let mode: mode_t = access == .update ? 0o666 : 0o600
        let descriptor = try retrying("open", path) {
            systemOpen(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode)
        }
        let file = OpenFile(descriptor: descriptor, path: path)
        if access != .read { try checkOwner(of: file) }
        return file
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(SystemCallError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let written = try retrying("write", file.path) { systemWrite(file.descriptor, piece) }
            rest = rest.dropFirst(written)
        }
    }

    package func write(
        _ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: UInt64
    ) throws(SystemCallError) {
        guard let start = off_t(exactly: offset), off_t.max - start >= bytes.count else {
            throw SystemCallError(call: "pwrite", path: file.path, number: EFBIG)
        }
        var done = 0
        while done < bytes.count {
            let piece = UnsafeRawBufferPointer(rebasing: bytes[done...])
            done += try retrying("pwrite", file.path) {
                pwrite(file.descriptor, piece.baseAddress, piece.count, start + off_t(done))
            }
        }
    }

    package func read(
        _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemCallError) -> Int {
        guard let position = off_t(exactly: offset) else { return 0 }
        return try retrying("pread", file.path) { pread(file.descriptor, buffer.baseAddress, buffer.count, position) }
    }

    package func truncate(_ file: OpenFile, to length: UInt64) throws(SystemCallError) {
        let length = off_t(exactly: length) ?? .max
        _ = try retrying("ftruncate", file.path) { ftruncate(file.descriptor, length) }
    }

    package func allocate(_ file: OpenFile, _ length: UInt64) throws(SystemCallError) {
        guard let size = off_t(exactly: length) else {
            throw SystemCallError(call: "fallocate", path: file.path, number: EFBIG)
        }
        #if !canImport(Darwin)
            let isMemory = try isRoomInMemory(file, size)
            // Unlike the others it returns the error, and refuses a length of 0.
            while size > 0, !isMemory {
                let number = posix_fallocate(file.descriptor, 0, size)
                if number == 0 { break }
                // Some file systems cannot: the length alone has to do.
                if number == EOPNOTSUPP || number == EINVAL || number == ENOSYS { break }
                if number != EINTR { throw SystemCallError(call: "fallocate", path: file.path, number: number) }
            }
        #endif
        try truncate(file, to: length)
    }

    #if !canImport(Darwin)
        /// Whether the file is on a tmpfs, where to give it its room is to clear all of that memory, which takes longer than
        /// many a download; there must be enough of it all the same.
        private func isRoomInMemory(_ file: OpenFile, _ size: off_t) throws(SystemCallError) -> Bool {
            var isMemory = false
            var room: UInt64 = 0
            _ = try retrying("fstatfs", file.path) { transfer_memory_room(file.descriptor, &isMemory, &room) }
            guard isMemory else { return false }
            guard UInt64(max(0, size)) <= room else {
                throw SystemCallError(call: "fallocate", path: file.path, number: ENOSPC)
            }
            return true
        }
    #endif

    package func synchronize(_ file: OpenFile) throws(SystemCallError) {
        #if canImport(Darwin)
            // fsync alone leaves the data in the drive's cache there.
            _ = try retrying("fcntl(F_FULLFSYNC)", file.path) { fcntl(file.descriptor, F_FULLFSYNC) }
        #else
            _ = try retrying("fdatasync", file.path) { fdatasync(file.descriptor) }
        #endif
    }

    package func synchronizeDirectory(_ path: String) throws(SystemCallError) {
        let directory = try open(path, .read)
        _ = try retrying("fsync", path) { fsync(directory.descriptor) }
    }

    package func lock(_ file: OpenFile) throws(SystemCallError) -> Bool {
        do {
            _ = try retrying("flock", file.path) { flock(file.descriptor, LOCK_EX | LOCK_NB) }
            return true
        } catch  where error.number == EWOULDBLOCK {
            return false
        }
    }

    package func unlock(_ file: OpenFile) throws(SystemCallError) {
        _ = try retrying("flock", file.path) { flock(file.descriptor, LOCK_UN) }
    }

    package func status(of file: OpenFile) throws(SystemCallError) -> FileStatus {
        var status = stat()
        _ = try retrying("fstat", file.path) { fstat(file.descriptor, &status) }
        return FileStatus(status)
    }

    package func status(at path: String) throws(SystemCallError) -> FileStatus? {
        var status = stat()
        do {
            _ = try retrying("stat", path) { systemStat(path, &status) }
            return FileStatus(status)
        } catch  where error.isNotFound {
            return nil
        }
    }

    package func linkDestination(at path: String) throws(SystemCallError) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        do {
            let count = try retrying("readlink", path) { buffer.withUnsafeMutableBytes { systemReadLink(path, $0) } }
            try checkOwner(ofLink: path)
            return String(decoding: buffer.prefix(count), as: UTF8.self)
        } catch  where error.isNotFound || error.number == EINVAL || error.number == ENOTDIR {
            return nil
        }
    }

    package func checkWritable(directory path: String) throws(SystemCallError) {
        _ = try retrying("access", path) { access(path, W_OK | X_OK) }
    }

    package func rename(_ from: String, to: String) throws(SystemCallError) {
        _ = try retrying("rename", to) { systemRename(from, to) }
    }

    package func remove(_ path: String) throws(SystemCallError) {
        _ = try retrying("unlink", path) { unlink(path) }
    }

    package func createDirectories(_ path: String) throws(SystemCallError) {
        if try status(at: path)?.kind == .directory { return }
        let parent = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
        if !parent.isEmpty { try createDirectories(parent) }
        do {
            _ = try retrying("mkdir", path) { mkdir(path, 0o700) }
        } catch  where error.number == EEXIST {
            guard try status(at: path)?.kind == .directory else { throw error }
        }
    }

    package func list(_ path: String) throws(SystemCallError) -> [String] {
        guard let directory = opendir(path) else { throw SystemCallError(call: "opendir", path: path, number: errno) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Repeats a call that a signal interrupted; throws for any other failure.
    private func retrying(
        _ call: String, _ path: String, _ body: () -> some BinaryInteger
    ) throws(SystemCallError) -> Int {
        while true {
            let result = Int(body())
            if result != -1 { return result }
            if errno != EINTR { throw SystemCallError(call: call, path: path, number: errno) }
        }
    }

    func retrying(_ call: String, _ path: String, _ body: () -> Int32) throws(SystemCallError) -> Int32 {
        while true {
            let result = body()
            if result != -1 { return result }
            if errno != EINTR { throw SystemCallError(call: call, path: path, number: errno) }
        }
    }
}

extension FileStatus {
    fileprivate init(_ status: stat) {
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            default: .other
            }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        self.init(
            kind: kind, size: UInt64(clamping: status.st_size), device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(status.st_ino), modified: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }
}

// The bare names are those of the methods above.

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
private func systemReadLink(_ path: String, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    return readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
}
private func systemStat(_ path: String, _ status: inout stat) -> Int32 { stat(path, &status) }
private func systemRename(_ from: String, _ to: String) -> Int32 { rename(from, to) }
