package import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The machine's file system, in which chosen calls fail, or the process is killed at one of them.
///
/// It also knows what a power cut would leave: of a file what was synchronised, of a directory the names it had when it was
/// synchronised.
package final class FaultyFileSystem: FileSystem {
    /// The calls that change something, or promise that it will stay.
    package enum Call: String, Sendable, Hashable, CaseIterable {
        case create, write, truncate, synchronize, synchronizeDirectory, rename, remove
        case lock, access, open, read, allocate, update
    }

    /// How far the call that the process dies in has come.
    package enum Death: Sendable, Hashable, CaseIterable { case before, halfway, after }

    private struct Fault {
        let call: Call
        /// Fails the calls from this one on, counted from 1 by their kind.
        let from: Int
        let count: Int
        let errno: Int32
        /// Bytes that a failing write still writes.
        let bytes: Int
    }

    private struct State {
        var calls: [Call] = []
        var faults: [Fault] = []
        var death: (at: Int, how: Death)?
        var isDead = false
        var contents: [UInt64: [UInt8]] = [:]
        var names: [String: UInt64] = [:]
        var keepsFilesOpen = false
        var kept: [OpenFile] = []
    }

    private let base = LocalFileSystem()
    private let state = LockBox(State())

    /// Told when the process is to be dead.
    private let onDeath: @Sendable () -> Void

    package init(onDeath: @escaping @Sendable () -> Void = {}) { self.onDeath = onDeath }

    /// Whether each file that is opened stays open as long as this does.
    package var keepsFilesOpen: Bool {
        get { state.withLock { $0.keepsFilesOpen } }
        set { state.withLock { $0.keepsFilesOpen = newValue } }
    }

    /// Every call so far, in order.
    package var calls: [Call] { state.withLock { $0.calls } }
    package var isDead: Bool { state.withLock { $0.isDead } }

    /// Has the `number`th call of a kind, and `count - 1` after it, fail; a write after `bytes` bytes.
    package func fail(_ call: Call, _ number: Int = 1, count: Int = 1, with errno: Int32, after bytes: Int = 0) {
        state.withLock { state in
            let earlier = state.calls.count { $0 == call }
            state.faults.append(Fault(call: call, from: earlier + number, count: count, errno: errno, bytes: bytes))
        }
    }

    /// Has the process die in the `number`th call, counted from 1 over all kinds: nothing that it does later happens.
    package func die(at number: Int, _ how: Death) { state.withLock { $0.death = (number, how) } }

    /// Copies what a power cut would leave of a directory.
    package func cutPower(of directory: String, into copy: String) throws {
        let (names, contents) = state.withLock { ($0.names, $0.contents) }
        try base.createDirectories(copy)
        for (path, inode) in names where path.hasPrefix(directory + "/") {
            let file = try base.open(copy + "/" + path.dropFirst(directory.utf8.count + 1), .replace)
            try (contents[inode] ?? []).withUnsafeBytes { try base.write($0, to: file) }
        }
    }

    // MARK: FileSystem

    package func open(_ path: String, _ access: FileAccess) throws(SystemCallError) -> OpenFile {
        let isNew = try base.status(at: path) == nil && access != .read
        return try perform(isNew ? .create : .open, path) { () throws(SystemCallError) in
            let file = try base.open(path, access)
            state.withLock { if $0.keepsFilesOpen { $0.kept.append(file) } }
            if isNew || access == .replace {
                let inode = try base.status(of: file).inode
                state.withLock { $0.contents[inode] = [] }
            }
            return file
        }
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(SystemCallError) {
        try perform(
            .write, file.path,
            halfway: { limit throws(SystemCallError) in
                let count = min(bytes.count, limit ?? bytes.count / 2)
                try base.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: file)
            },
            body: { () throws(SystemCallError) in try base.write(bytes, to: file) })
    }

    package func write(
        _ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: UInt64
    ) throws(SystemCallError) {
        try perform(.update, file.path) { () throws(SystemCallError) in
            try base.write(bytes, to: file, at: offset)
        }
    }

    package func allocate(_ file: OpenFile, _ length: UInt64) throws(SystemCallError) {
        try perform(.allocate, file.path) { () throws(SystemCallError) in try base.allocate(file, length) }
    }

    package func read(
        _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemCallError) -> Int {
        try perform(.read, file.path) { () throws(SystemCallError) in
            try base.read(file, at: offset, into: buffer)
        }
    }

    package func truncate(_ file: OpenFile, to length: UInt64) throws(SystemCallError) {
        try perform(.truncate, file.path) { () throws(SystemCallError) in try base.truncate(file, to: length) }
    }

    package func synchronize(_ file: OpenFile) throws(SystemCallError) {
        try perform(.synchronize, file.path) { () throws(SystemCallError) in
            try base.synchronize(file)
            let status = try base.status(of: file)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, Int(status.size)), alignment: 1)
            defer { buffer.deallocate() }
            let count = try base.read(file, at: 0, into: buffer)
            let bytes = Array(buffer.prefix(count))
            state.withLock { $0.contents[status.inode] = bytes }
        }
    }

    package func synchronizeDirectory(_ path: String) throws(SystemCallError) {
        try perform(.synchronizeDirectory, path) { () throws(SystemCallError) in
            try base.synchronizeDirectory(path)
            var names: [String: UInt64] = [:]
            for name in try base.list(path) {
                if let status = try base.status(at: path + "/" + name) { names[path + "/" + name] = status.inode }
            }
            state.withLock { state in
                state.names = state.names.filter { !$0.key.hasPrefix(path + "/") }.merging(names) { _, new in new }
            }
        }
    }

    package func lock(_ file: OpenFile) throws(SystemCallError) -> Bool {
        try perform(.lock, file.path) { () throws(SystemCallError) in try base.lock(file) }
    }

    package func unlock(_ file: OpenFile) throws(SystemCallError) { try base.unlock(file) }
    package func status(of file: OpenFile) throws(SystemCallError) -> FileStatus { try base.status(of: file) }
    package func status(at path: String) throws(SystemCallError) -> FileStatus? { try base.status(at: path) }

    package func linkDestination(at path: String) throws(SystemCallError) -> String? {
        try base.linkDestination(at: path)
    }

    package func checkWritable(directory path: String) throws(SystemCallError) {
        try perform(.access, path) { () throws(SystemCallError) in try base.checkWritable(directory: path) }
    }

    package func rename(_ from: String, to: String) throws(SystemCallError) {
        try perform(.rename, to) { () throws(SystemCallError) in try base.rename(from, to: to) }
    }

    package func remove(_ path: String) throws(SystemCallError) {
        try perform(.remove, path) { () throws(SystemCallError) in try base.remove(path) }
    }

    package func createDirectories(_ path: String) throws(SystemCallError) { try base.createDirectories(path) }
    package func list(_ path: String) throws(SystemCallError) -> [String] { try base.list(path) }

    private func perform<Value>(
        _ call: Call, _ path: String, halfway: (Int?) throws(SystemCallError) -> Void = { _ in },
        body: () throws(SystemCallError) -> Value
    ) throws(SystemCallError) -> Value {
        let (fault, death) = state.withLock { state -> (Fault?, Death?) in
            if state.isDead { return (nil, .before) }
            state.calls.append(call)
            let number = state.calls.count { $0 == call }
            let fault = state.faults.first { $0.call == call && number >= $0.from && number < $0.from + $0.count }
            let death = state.death.flatMap { $0.at == state.calls.count ? $0.how : nil }
            if death != nil { state.isDead = true }
            return (fault, death)
        }
        let dead = SystemCallError(call: call.rawValue, path: path, number: EIO)
        switch death {
        case .before:
            onDeath()
            throw dead
        case .halfway:
            try halfway(nil)
            onDeath()
            throw dead
        case .after:
            _ = try body()
            onDeath()
            throw dead
        case nil: break
        }
        guard let fault else { return try body() }
        if fault.bytes > 0 { try halfway(fault.bytes) }
        throw SystemCallError(call: call.rawValue, path: path, number: fault.errno)
    }
}
