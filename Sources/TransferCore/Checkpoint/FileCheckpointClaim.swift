internal import TransferPrimitives

/// The hold on one journal file, by its lock.
actor FileCheckpointClaim: CheckpointClaim {
    nonisolated let saved: TransferCheckpoint?
    nonisolated let location: String?
    nonisolated let notes: [CheckpointNote]
    nonisolated let lost = AsyncStream<Void> { $0.finish() }

    private let path: String
    private let fileSystem: any FileSystem
    private let syncer: JournalSyncer
    private var file: OpenFile?
    /// Bytes up to the end of the last whole line.
    private var length: UInt64
    /// Whether a torn line stands behind them that could not be cut off.
    private var isTorn = false

    init(
        file: OpenFile, fileSystem: any FileSystem, syncsOn queue: any SerialQueue, saved: TransferCheckpoint?,
        length: UInt64, notes: [CheckpointNote]
    ) {
        self.file = file
        self.fileSystem = fileSystem
        self.saved = saved
        self.notes = notes
        self.length = length
        path = file.path
        location = file.path
        syncer = JournalSyncer(fileSystem: fileSystem, queue: queue)
    }

    func begin(_ checkpoint: TransferCheckpoint) async throws {
        try await mapping {
            guard self.file != nil else { throw self.removed }
            // The new journal stands complete and locked before it takes the old one's name.
            let temporary = self.temporaryPath
            let new = try self.fileSystem.open(temporary, .replace)
            do {
                guard try self.fileSystem.lock(new) else {
                    throw TransferError(.checkpointInUse, "another process writes '\(temporary)'")
                }
                let bytes = try CheckpointJournal.header(checkpoint) + CheckpointJournal.parts(checkpoint.parts)
                try bytes.withUnsafeBytes { try self.fileSystem.write($0, to: new) }
                try await self.syncer.synchronize(new)
                if case .another = try self.occupant() {
                    throw TransferError(.checkpointLost, "another task keeps its checkpoint at '\(self.path)' now")
                }
                try self.fileSystem.rename(temporary, to: self.path)
                self.file = new
                self.length = UInt64(bytes.count)
                self.isTorn = false
            } catch {
                try? self.fileSystem.remove(temporary)
                throw error
            }
            try self.fileSystem.synchronizeDirectory(self.path.parentDirectory)
        }
    }

    func record(_ parts: [CompletedPart]) async throws {
        try await mapping {
            try self.append(CheckpointJournal.parts(parts))
            if let file = self.file { self.syncer.schedule(file) }
        }
    }

    func completing() async throws {
        try await mapping {
            try self.append(try CheckpointJournal.completing())
            if let file = self.file { try await self.syncer.synchronize(file) }
        }
    }

    func flush() async throws {
        guard let file, length > 0 else { return }
        try await mapping { try await self.syncer.synchronize(file) }
    }

    func remove() async throws {
        guard file != nil else { return }
        try await mapping {
            // A file that took this one's place is another task's.
            if case .ours = try self.occupant() {
                // Left by a call that was killed while it began; once the journal is gone the name may be the next claim's.
                try? self.fileSystem.remove(self.temporaryPath)
                try self.fileSystem.remove(self.path)
            }
            self.length = 0
            // The lock of a file without a name keeps nobody out, and nothing more will be written.
            self.file = nil
        }
    }

    func release() async {
        guard let file else { return }
        await syncer.drain()
        // A claim that never began made an empty file at most; nobody should find it.
        if length == 0, case .ours? = try? occupant() { try? fileSystem.remove(path) }
        try? fileSystem.unlock(file)
        self.file = nil
    }

    /// What stands at the path: somebody may have removed the file, and another task begun a new one, behind the lock.
    private enum Occupant { case ours, another, nobody }

    private func occupant() throws -> Occupant {
        guard let file, let there = try fileSystem.status(at: path) else { return .nobody }
        return there.isSameFile(as: try fileSystem.status(of: file)) ? .ours : .another
    }

    private var removed: TransferError {
        TransferError(.checkpointUnusable, "the checkpoint '\(path)' has not begun or was removed")
    }

    /// Appends whole lines, or nothing.
    private func append(_ bytes: [UInt8]) throws {
        guard let file, length > 0 else { throw removed }
        if isTorn { try cutBack(file) }
        do {
            try bytes.withUnsafeBytes { try fileSystem.write($0, to: file) }
            length += UInt64(bytes.count)
        } catch {
            isTorn = true
            try? cutBack(file)
            throw error
        }
    }

    /// Nothing may ever be appended behind a torn line: no reader would come to it.
    private func cutBack(_ file: OpenFile) throws {
        try fileSystem.truncate(file, to: length)
        isTorn = false
    }

    /// Gives failures of system calls the code that tells what to do.
    private func mapping(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as SystemCallError {
            throw TransferError(
                error.isDiskFull ? .diskFull : .checkpointUnusable, "the checkpoint cannot be written: \(error)",
                underlying: error)
        }
    }

    /// One name per journal, so that a kill leaves at most one file, which the next `begin` takes over.
    private var temporaryPath: String {
        let name = Hex.encode(Digest.sha256(path.utf8).prefix(8))
        let directory = path.parentDirectory
        return (directory == "/" ? "" : directory) + "/.object-transfer-\(name).new"
    }
}
