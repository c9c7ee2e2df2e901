package import TransferPrimitives

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Checkpoints as files: they survive the process, also when it is killed.
///
/// Each transfer has one file, an append-only journal of mode 0600 without credentials, locked while a task uses it, and gone after
/// success. See `docs/architecture.md` for its format.
public struct FileCheckpointStore: CheckpointStore {
    /// A file for one transfer, or a directory for many.
    public let path: String
    /// The option that holds `path`, by its public name, for errors.
    let field: String
    let fileSystem: any FileSystem
    /// Makes the queue on which one journal is made durable.
    let makeQueue: @Sendable () -> any SerialQueue

    /// - Parameter path: An existing directory, or a path that ends in `/`, holds one file per transfer, named by a digest of the
    ///   transfer's identity. Any other path is the file itself. Missing directories are created for the owner alone.
    public init(path: String) { self.init(path: path, fileSystem: LocalFileSystem()) }

    package init(
        path: String, field: String = Self.usualField, fileSystem: any FileSystem = LocalFileSystem(),
        makeQueue: @escaping @Sendable () -> any SerialQueue = {
            DispatchSerialQueue(label: "object-transfer.checkpoint")
        }
    ) {
        self.path = path
        self.field = field
        self.fileSystem = fileSystem
        self.makeQueue = makeQueue
    }

    /// What most inputs call the path.
    package static let usualField = "checkpointFile"

    /// The store in `defaultDirectory()`.
    public static func `default`() throws -> FileCheckpointStore { try .default(for: usualField) }

    /// The same for an input that calls the path `field`.
    package static func `default`(for field: String) throws -> FileCheckpointStore {
        do {
            return FileCheckpointStore(path: try defaultDirectory(), field: field)
        } catch var error as TransferError {
            error.field = field
            throw error
        }
    }

    /// `$XDG_CACHE_HOME/object-transfer/`, else `~/.cache/object-transfer/`.
    ///
    /// - Throws: `.checkpointUnusable` when neither `XDG_CACHE_HOME` nor `HOME` names an absolute path.
    public static func defaultDirectory() throws -> String {
        try defaultDirectory(
            cache: getenv("XDG_CACHE_HOME").map { String(cString: $0) },
            home: getenv("HOME").map { String(cString: $0) })
    }

    static func defaultDirectory(cache: String?, home: String?) throws(TransferError) -> String {
        if let cache, cache.hasPrefix("/") { return cache + "/object-transfer/" }
        if let home, home.hasPrefix("/") { return home + "/.cache/object-transfer/" }
        throw TransferError(
            .checkpointUnusable,
            "no place for checkpoints: give a path, or set XDG_CACHE_HOME or HOME to an absolute path",
            field: usualField)
    }

    static let suffix = ".checkpoint"

    public func claim(_ id: CheckpointID) async throws -> any CheckpointClaim {
        try usingPath(.writing) {
            let name = try file(for: id)
            let file = try resolve(name)
            // A journal is replaced and removed by name: found out now, not when the first part waits for it.
            try fileSystem.checkWritable(directory: file.parentDirectory)
            return try open(file, linkedFrom: file == name ? nil : name)
        }
    }

    public func pending() async throws -> [CheckpointSummary] {
        try usingPath(.reading) {
            var files: [String] = []
            switch try fileSystem.status(at: path)?.kind {
            case .directory?:
                let directory = path.hasSuffix("/") ? path : path + "/"
                files = try fileSystem.list(path).filter { $0.hasSuffix(Self.suffix) }.map { directory + $0 }
            case .file?: files = [path]
            default: return []
            }
            return files.compactMap { file in
                guard let open = try? fileSystem.open(file, .read), let bytes = try? readAll(open),
                    case .record(let checkpoint, _) = CheckpointJournal.read(bytes)
                else { return nil }
                return CheckpointSummary(checkpoint, location: file)
            }
        }
    }

    /// Refuses a path that is none, and gives failures of system calls the code and the words that tell what to do.
    private func usingPath<Value>(_ purpose: FileCheckpointTrouble.Purpose, _ body: () throws -> Value) throws -> Value
    {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw TransferError(.checkpointUnusable, "the checkpoint path is empty or holds a NUL", field: field)
        }
        do {
            return try body()
        } catch let error as SystemCallError {
            let trouble = FileCheckpointTrouble(error: error, purpose: purpose, fileSystem: fileSystem)
            throw TransferError(.checkpointUnusable, trouble.message, field: field, underlying: error)
        }
    }

    /// The path of the file that keeps `id`, with the directories on the way to it made.
    private func file(for id: CheckpointID) throws -> String {
        if try path.hasSuffix("/") || fileSystem.status(at: path)?.kind == .directory {
            try fileSystem.createDirectories(path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path)
            return (path.hasSuffix("/") ? path : path + "/") + id.description + Self.suffix
        }
        let directory = path.parentDirectory
        if directory != ".", directory != "/" { try fileSystem.createDirectories(directory) }
        return path
    }

    /// Follows a symbolic link to the file that it names, which need not exist yet: what is renamed and removed is that file,
    /// and the link stays.
    private func resolve(_ path: String) throws -> String {
        var path = path
        for _ in 0..<40 {
            guard let destination = try fileSystem.linkDestination(at: path) else { return path }
            path = destination.hasPrefix("/") ? destination : path.parentDirectory + "/" + destination
        }
        throw TransferError(.checkpointUnusable, "'\(path)' is a circle of links", field: field)
    }

    /// - Parameter link: The link that led to `path`, if one did.
    private func open(_ path: String, linkedFrom link: String?) throws -> FileCheckpointClaim {
        var notes: [CheckpointNote] = []
        // Between opening a file and locking it another task may put a new one in its place: look again after the lock.
        for _ in 0..<100 {
            let isNew = try fileSystem.status(at: path) == nil
            let file = try fileSystem.open(path, .append)
            let status = try fileSystem.status(of: file)
            guard status.kind == .file else {
                throw TransferError(
                    .checkpointUnusable, "'\(path)' is neither a file nor a directory", field: field)
            }
            guard try fileSystem.lock(file) else {
                throw TransferError(.checkpointInUse, "another task or process holds the checkpoint '\(path)'")
            }
            guard let current = try fileSystem.status(at: path), current.isSameFile(as: status) else { continue }
            switch current.size > CheckpointJournal.maximumSize ? .foreign : CheckpointJournal.read(try readAll(file)) {
            case .empty:
                if !isNew {
                    notes.append(.discarded(reason: "'\(path)' was empty"))
                } else if let link, notes.isEmpty {
                    notes.append(.discarded(reason: "'\(link)' led to '\(path)', where nothing was"))
                }
                return claim(file, saved: nil, length: 0, notes)
            case .record(let checkpoint, let good):
                if good < current.size {
                    // Nothing may ever be appended behind a torn line.
                    try fileSystem.truncate(file, to: good)
                    notes.append(.truncated(bytes: current.size - good))
                }
                // A call that was killed right behind its rename may have left a name that a power cut would take away.
                try fileSystem.synchronizeDirectory(path.parentDirectory)
                return claim(file, saved: checkpoint, length: good, notes)
            case .newer(let version):
                throw TransferError(
                    .checkpointUnsupported,
                    "'\(path)' has format \(version), and this version reads up to \(CheckpointJournal.version)")
            case .damaged:
                try fileSystem.truncate(file, to: 0)
                notes.append(.discarded(reason: "the header of '\(path)' is damaged"))
                return claim(file, saved: nil, length: 0, notes)
            case .foreign:
                notes.append(.setAside(path: try setAside(path)))
            }
        }
        throw TransferError(.checkpointInUse, "the checkpoint '\(path)' keeps being replaced by others")
    }

    private func claim(
        _ file: OpenFile, saved: TransferCheckpoint?, length: UInt64, _ notes: [CheckpointNote]
    ) -> FileCheckpointClaim {
        FileCheckpointClaim(
            file: file, fileSystem: fileSystem, syncsOn: makeQueue(), saved: saved, length: length, notes: notes)
    }

    /// Renames a file that is no checkpoint, so that a slip in a path costs nobody a file.
    private func setAside(_ path: String) throws -> String {
        for number in 1...1000 {
            let aside = path.neighbour(ending: ".not-a-checkpoint" + (number == 1 ? "" : "-\(number)"))
            if try fileSystem.status(at: aside) == nil {
                try fileSystem.rename(path, to: aside)
                return aside
            }
        }
        throw TransferError(.checkpointUnusable, "'\(path)' is not a checkpoint", field: field)
    }

    private func readAll(_ file: OpenFile) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while UInt64(bytes.count) <= CheckpointJournal.maximumSize {
            let count = try chunk.withUnsafeMutableBytes { buffer in
                try fileSystem.read(file, at: UInt64(bytes.count), into: buffer)
            }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }
}

extension String {
    /// The directory that holds the file at this path. Slashes are bytes here: one with a combining mark behind it is another
    /// character to Swift.
    var parentDirectory: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
