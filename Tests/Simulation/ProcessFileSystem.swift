import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system calls of one process on the simulated disk: each may fail, or be the last.
final class ProcessFileSystem: FileSystem, @unchecked Sendable {
    private enum Call: String {
        case open, write, pwrite, pread, ftruncate, fallocate, fdatasync, fsync, flock, fstat, stat, rename, unlink
    }

    /// Who holds the lock of a file; an open file that is gone holds none.
    final class Locks: @unchecked Sendable {
        fileprivate struct Holder {
            weak var file: OpenFile?
            let process: SimulatedProcess
            var isAlive: Bool { file != nil && !process.isDead }
        }

        fileprivate var holders: [UInt64: Holder] = [:]
        fileprivate var lastDescriptor: Int32 = -1
    }

    private let world: World
    private let process: SimulatedProcess
    private let disk: SimulatedDisk
    private let locks: Locks
    private var opened: [Int32: SimulatedDisk.File] = [:]

    init(world: World, process: SimulatedProcess, disk: SimulatedDisk, locks: Locks) {
        self.world = world
        self.process = process
        self.disk = disk
        self.locks = locks
    }

    func open(_ path: String, _ access: FileAccess) throws(SystemCallError) -> OpenFile {
        try enter(.open, path)
        let file: SimulatedDisk.File
        if let found = disk.file(path) {
            file = found
            if case .replace = access { file.apply(.truncate(0)) }
        } else {
            if disk.directories.contains(path) { throw error(.open, path, EISDIR) }
            if case .read = access { throw error(.open, path, ENOENT) }
            if strikes() { throw fault(.diskFull, .open, path, ENOSPC) }
            file = disk.create(path)
        }
        // No descriptor of the machine has a negative number: closing it closes nothing.
        locks.lastDescriptor -= 1
        opened[locks.lastDescriptor] = file
        return OpenFile(descriptor: locks.lastDescriptor, path: path)
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(SystemCallError) {
        try enter(.write, file.path)
        let inode = try inode(file, .write)
        try write(bytes, to: inode, at: inode.bytes.count, .write, file.path)
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: UInt64) throws(SystemCallError) {
        try enter(.pwrite, file.path)
        try write(bytes, to: try inode(file, .pwrite), at: Int(offset), .pwrite, file.path)
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer, to inode: SimulatedDisk.File, at offset: Int, _ call: Call, _ path: String
    ) throws(SystemCallError) {
        inode.modified = nanoseconds
        guard strikes() else {
            inode.apply(.write(Array(bytes), at: offset))
            return
        }
        let written = Int.random(in: 0...bytes.count, using: &world.random)
        if written > 0 {
            world.note(.tornWrite)
            inode.apply(.write(Array(bytes.prefix(written)), at: offset))
        }
        throw world.random.chance(60) ? fault(.diskFull, call, path, ENOSPC) : fault(.ioError, call, path, EIO)
    }

    func read(
        _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemCallError) -> Int {
        try enter(.pread, file.path)
        if strikes(0.3) { throw fault(.ioError, .pread, file.path, EIO) }
        let inode = try inode(file, .pread)
        guard offset < UInt64(inode.bytes.count) else { return 0 }
        let slice = inode.bytes[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: slice)
        return slice.count
    }

    func truncate(_ file: OpenFile, to length: UInt64) throws(SystemCallError) {
        try enter(.ftruncate, file.path)
        if strikes() { throw fault(.ioError, .ftruncate, file.path, EIO) }
        let inode = try inode(file, .ftruncate)
        inode.modified = nanoseconds
        inode.apply(.truncate(Int(length)))
    }

    func allocate(_ file: OpenFile, _ length: UInt64) throws(SystemCallError) {
        try enter(.fallocate, file.path)
        if strikes() { throw fault(.diskFull, .fallocate, file.path, ENOSPC) }
        try inode(file, .fallocate).apply(.truncate(Int(length)))
    }

    func synchronize(_ file: OpenFile) throws(SystemCallError) {
        try enter(.fdatasync, file.path)
        // What could not be written stays to be written: that a kernel forgets it is not simulated.
        if strikes() { throw fault(.ioError, .fdatasync, file.path, EIO) }
        try inode(file, .fdatasync).synchronize()
    }

    func synchronizeDirectory(_ path: String) throws(SystemCallError) {
        try enter(.fsync, path)
        if strikes() { throw fault(.ioError, .fsync, path, EIO) }
        disk.synchronizeDirectory(path)
    }

    func lock(_ file: OpenFile) throws(SystemCallError) -> Bool {
        try enter(.flock, file.path)
        let number = try inode(file, .flock).number
        if let holder = locks.holders[number], holder.isAlive { return holder.file === file }
        locks.holders[number] = Locks.Holder(file: file, process: process)
        return true
    }

    func unlock(_ file: OpenFile) throws(SystemCallError) {
        try enter(.flock, file.path)
        let number = try inode(file, .flock).number
        if locks.holders[number]?.file === file { locks.holders[number] = nil }
    }

    func status(of file: OpenFile) throws(SystemCallError) -> FileStatus {
        try enter(.fstat, file.path)
        return status(try inode(file, .fstat))
    }

    func status(at path: String) throws(SystemCallError) -> FileStatus? {
        try enter(.stat, path)
        if strikes(0.1) { throw fault(.ioError, .stat, path, EIO) }
        if let file = disk.file(path) { return status(file) }
        guard disk.directories.contains(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path) else {
            return nil
        }
        return FileStatus(kind: .directory, size: 0, device: 1, inode: 0, modified: 0)
    }

    func linkDestination(at path: String) throws(SystemCallError) -> String? { nil }

    func checkWritable(directory path: String) throws(SystemCallError) { try enter(.stat, path) }

    func rename(_ from: String, to: String) throws(SystemCallError) {
        try enter(.rename, to)
        if strikes() { throw fault(.ioError, .rename, to, EIO) }
        guard disk.file(from) != nil else { throw error(.rename, from, ENOENT) }
        disk.rename(from, to: to)
    }

    func remove(_ path: String) throws(SystemCallError) {
        try enter(.unlink, path)
        if strikes() { throw fault(.ioError, .unlink, path, EIO) }
        guard disk.file(path) != nil else { throw error(.unlink, path, ENOENT) }
        disk.remove(path)
    }

    func createDirectories(_ path: String) throws(SystemCallError) { try enter(.stat, path) }

    func list(_ path: String) throws(SystemCallError) -> [String] {
        try enter(.stat, path)
        return disk.names.keys.filter { SimulatedDisk.directory(of: $0) == path }
            .compactMap { $0.split(separator: "/").last.map(String.init) }.sorted()
    }

    // MARK: What goes wrong

    /// Of a dead process nothing reaches the disk; a process may die here.
    private func enter(_ call: Call, _ path: String) throws(SystemCallError) {
        if !process.isDead, world.random.chance(world.troubles.death) {
            world.note(.deathInSystemCall)
            if world.random.chance(50) { world.kill(process) } else { world.cutPower() }
        }
        if process.isDead { throw error(call, path, EIO) }
    }

    private func strikes(_ share: Double = 1) -> Bool { world.random.chance(world.troubles.disk * share) }

    private func fault(_ fault: Fault, _ call: Call, _ path: String, _ number: Int32) -> SystemCallError {
        world.note(fault)
        return error(call, path, number)
    }

    private func error(_ call: Call, _ path: String, _ number: Int32) -> SystemCallError {
        world.trace("\(call.rawValue) \(path) fails with \(number)")
        return SystemCallError(call: call.rawValue, path: path, number: number)
    }

    private func inode(_ file: OpenFile, _ call: Call) throws(SystemCallError) -> SimulatedDisk.File {
        guard let inode = opened[file.descriptor] else { throw error(call, file.path, EBADF) }
        return inode
    }

    private func status(_ file: SimulatedDisk.File) -> FileStatus {
        FileStatus(
            kind: .file, size: UInt64(file.bytes.count), device: 1, inode: file.number, modified: file.modified)
    }

    private var nanoseconds: Int64 { SimulatedDisk.nanoseconds(at: world.now) }
}

extension SimulatedDisk {
    static func nanoseconds(at uptime: Duration) -> Int64 {
        1_751_356_800_000_000_000 + Int64(uptime / .nanoseconds(1))
    }
}
