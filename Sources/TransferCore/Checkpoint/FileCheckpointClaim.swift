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

    init(
        file: OpenFile, fileSystem: any FileSystem, saved: TransferCheckpoint?, length: UInt64, notes: [CheckpointNote]
    ) {
        self.file = file
        self.fileSystem = fileSystem
        self.saved = saved
        self.notes = notes
        self.length = length
        path = file.path
        location = file.path
        syncer = JournalSyncer(fileSystem: fileSystem)
    }

    func begin(_ checkpoint: TransferCheckpoint) async throws {
        try await mapping {
            // The new journal stands complete and locked before it takes the old one's name.
            let temporary = self.temporaryPath
            let new = try self.fileSystem.open(temporary, .replace)
            do {
                guard try self.fileSystem.lock(new) else {
                    throw TransferError(.checkpointInUse, "another process writes '\(temporary)'")
                }
                var bytes = try CheckpointJournal.header(checkpoint)
                for part in checkpoint.parts { bytes += try CheckpointJournal.part(part) }
                try bytes.withUnsafeBytes { try self.fileSystem.write($0, to: new) }
                try await self.syncer.synchronize(new)
                try self.fileSystem.rename(temporary, to: self.path)
                self.file = new
                self.length = UInt64(bytes.count)
            } catch {
                try? self.fileSystem.remove(temporary)
                throw error
            }
            try self.fileSystem.synchronizeDirectory(self.directory)
        }
    }

    func record(_ parts: [CompletedPart]) async throws {
        try await mapping {
            var bytes: [UInt8] = []
            for part in parts { bytes += try CheckpointJournal.part(part) }
            try self.append(bytes)
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
            try self.fileSystem.remove(self.path)
            self.length = 0
            // The lock of a file without a name keeps nobody out, and nothing more will be written.
            self.file = nil
        }
    }

    func release() async {
        guard let file else { return }
        await syncer.drain()
        // A claim that never began made an empty file at most; nobody should find it.
        if length == 0, let status = try? fileSystem.status(of: file), status.size == 0 { try? fileSystem.remove(path) }
        try? fileSystem.unlock(file)
        self.file = nil
    }

    /// Appends whole lines, or nothing.
    private func append(_ bytes: [UInt8]) throws {
        guard let file, length > 0 else {
            throw TransferError(.checkpointUnusable, "the checkpoint '\(path)' has not begun or was removed")
        }
        do {
            try bytes.withUnsafeBytes { try fileSystem.write($0, to: file) }
            length += UInt64(bytes.count)
        } catch {
            try? fileSystem.truncate(file, to: length)
            throw error
        }
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

    private var directory: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// One name per journal, so that a kill leaves at most one file, which the next `begin` takes over.
    private var temporaryPath: String {
        let name = Hex.encode(Digest.sha256(path.utf8).prefix(8))
        return (directory == "/" ? "" : directory) + "/.object-transfer-\(name).new"
    }
}
