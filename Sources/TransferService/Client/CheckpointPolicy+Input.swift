package import TransferCore

extension TransferOptions.CheckpointPolicy {
    /// What the three fields of an input ask for, the store before the file; with neither, the directory in the user's cache.
    ///
    /// Throws `.invalidArgument` naming `checkpointFile` for a path that cannot be, `.checkpointUnusable` when the user has
    /// no cache directory.
    package init(enableCheckpoint: Bool, checkpointFile: String?, checkpointStore: (any CheckpointStore)?) throws {
        guard enableCheckpoint else {
            self = .none
            return
        }
        if let checkpointStore {
            self = .store(checkpointStore)
        } else if let checkpointFile {
            guard !checkpointFile.isEmpty, !checkpointFile.utf8.contains(0) else {
                throw TransferError.invalidArgument(
                    "checkpointFile", "the path is empty or holds a NUL; leave it nil for the default directory")
            }
            self = .store(FileCheckpointStore(path: checkpointFile))
        } else {
            self = .store(try FileCheckpointStore.default())
        }
    }
}
