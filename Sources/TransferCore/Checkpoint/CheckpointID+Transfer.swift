// The identities under which the engine keeps its transfers.

extension CheckpointID {
    init(copyOf source: ObjectLocation, to target: ObjectLocation, at provider: String) {
        self.init(
            kind: .copy,
            [provider, source.bucket, source.key, source.versionID ?? "", target.bucket, target.key])
    }

    /// - Parameter name: What the source is called.
    init(uploadOf name: String, to target: ObjectLocation, at provider: String) {
        self.init(kind: .upload, [provider, target.bucket, target.key, name])
    }

    /// - Parameter path: The absolute path of the file.
    init(downloadOf source: ObjectLocation, to path: String, at provider: String) {
        self.init(kind: .download, [provider, source.bucket, source.key, source.versionID ?? "", path])
    }

    /// That of a transfer that was recorded. Throws `.invalidArgument` for one that the engine did not record.
    init(of transfer: CheckpointSummary) throws(TransferError) {
        switch (transfer.kind, transfer.source.object, transfer.source.fileName) {
        case (.copy, let source?, _): self.init(copyOf: source, to: transfer.target, at: transfer.provider)
        case (.upload, _, let name): self.init(uploadOf: name ?? "", to: transfer.target, at: transfer.provider)
        case (.download, let source?, _):
            self.init(downloadOf: source, to: transfer.target.key, at: transfer.provider)
        default:
            throw .invalidArgument("transfer", "a record of kind \(transfer.kind.rawValue) holds no upload")
        }
    }
}
