internal import TransferPrimitives

/// The file that a download writes until it is whole: beside the target, locked, and renamed to it at the end.
///
/// Its name is made from the target's, so that a call that was killed leaves nothing that a later one does not find.
final class DownloadFile: ByteSource {
    /// The target of the rename.
    let target: String
    let length: UInt64
    private let file: OpenFile
    private let fileSystem: any FileSystem

    private init(_ file: OpenFile, target: String, length: UInt64, fileSystem: any FileSystem) {
        self.file = file
        self.target = target
        self.length = length
        self.fileSystem = fileSystem
    }

    static func path(for target: String) -> String { target.neighbour(ending: ".part") }

    /// Makes the file anew, with room for all of it. Throws `.diskFull`, `.fileUnwritable`, or `.conflict` while another
    /// download writes it; of a failure nothing is left.
    static func create(
        for target: String, length: UInt64, fileSystem: any FileSystem
    ) throws(TransferError) -> DownloadFile {
        let path = path(for: target)
        do {
            let file = try fileSystem.open(path, .update)
            try lock(file, fileSystem)
            do {
                try fileSystem.truncate(file, to: 0)
                try fileSystem.allocate(file, length)
            } catch {
                // A disk that is full should not stay so because of what cannot be used.
                do { try fileSystem.remove(path) } catch {}
                throw error
            }
            return DownloadFile(file, target: target, length: length, fileSystem: fileSystem)
        } catch let error as TransferError {
            throw error
        } catch {
            throw TransferError(wrapping: error, as: .fileUnwritable)
        }
    }

    /// Opens the file that an earlier call made; nil when there is none of this length.
    static func open(
        for target: String, length: UInt64, fileSystem: any FileSystem
    ) throws(TransferError) -> DownloadFile? {
        let path = path(for: target)
        do {
            guard try fileSystem.status(at: path) != nil else { return nil }
            let file = try fileSystem.open(path, .update)
            try lock(file, fileSystem)
            guard try fileSystem.status(of: file).size == length else { return nil }
            return DownloadFile(file, target: target, length: length, fileSystem: fileSystem)
        } catch let error as TransferError {
            throw error
        } catch {
            throw TransferError(wrapping: error, as: .fileUnwritable)
        }
    }

    /// Removes the file of a download that is given up.
    static func remove(for target: String, fileSystem: any FileSystem) throws(TransferError) {
        do {
            try fileSystem.remove(path(for: target))
        } catch let error where error.isNotFound {
        } catch {
            throw TransferError(wrapping: error, as: .fileUnwritable)
        }
    }

    private static func lock(_ file: OpenFile, _ fileSystem: any FileSystem) throws {
        guard try fileSystem.lock(file) else {
            throw TransferError(.conflict, "another download writes '\(file.path)'", field: "path")
        }
    }

    /// Lets another download have the file, whoever keeps this one open.
    func unlock() {
        // Where that fails, closing it does the same.
        do { try fileSystem.unlock(file) } catch {}
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(TransferError) {
        do {
            try fileSystem.write(bytes, to: file, at: offset)
        } catch {
            throw TransferError(wrapping: error, as: .fileUnwritable)
        }
    }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try fileSystem.read(file, at: offset, into: buffer)
    }

    /// Makes the bytes durable, and only then the target's name theirs, in place of what had it.
    func moveToTarget() throws(TransferError) {
        do {
            try fileSystem.synchronize(file)
            guard try isInPlace() else {
                throw TransferError(.conflict, "'\(file.path)' is another download's now", field: "path")
            }
            try fileSystem.rename(file.path, to: target)
            try fileSystem.synchronizeDirectory(Self.directory(of: target))
        } catch let error as TransferError {
            throw error
        } catch {
            throw TransferError(wrapping: error, as: .fileUnwritable)
        }
    }

    /// Whether its name still leads to this file: somebody may have removed it, and another download made a new one.
    private func isInPlace() throws(SystemCallError) -> Bool {
        guard let there = try fileSystem.status(at: file.path) else { return false }
        return there.isSameFile(as: try fileSystem.status(of: file))
    }

    /// The directory that holds `path`, which is absolute.
    static func directory(of path: String) -> String { path.parentDirectory }
}
