package import TransferCore

/// What the inputs of uploads, downloads and copies have in common, checked and put in the engine's words.
package struct TransferSettings: Sendable {
    private let partSize: Int
    private let parallel: Int
    private let maxRetryCount: Int
    private let pauseGrace: Duration
    private let enableCheckpoint: Bool
    private let checkpointFile: String?
    private let checkpointStore: (any CheckpointStore)?
    private let cancelHook: (any CancelHook)?
    private let onEvent: (@Sendable (TransferEvent) -> Void)?
    private let onProgress: (@Sendable (TransferProgress) -> Void)?

    /// The fields under their public names, `parallel` brought into 1 to 1,000.
    package init(
        partSize: Int, parallel: Int, maxRetryCount: Int, pauseGrace: Duration, enableCheckpoint: Bool,
        checkpointFile: String?, checkpointStore: (any CheckpointStore)?, cancelHook: (any CancelHook)?,
        onEvent: (@Sendable (TransferEvent) -> Void)?, onProgress: (@Sendable (TransferProgress) -> Void)?
    ) {
        self.partSize = partSize
        self.parallel = parallel
        self.maxRetryCount = maxRetryCount
        self.pauseGrace = pauseGrace
        self.enableCheckpoint = enableCheckpoint
        self.checkpointFile = checkpointFile
        self.checkpointStore = checkpointStore
        self.cancelHook = cancelHook
        self.onEvent = onEvent
        self.onProgress = onProgress
    }

    /// Throws `.invalidArgument` naming the field.
    ///
    /// - Parameter limits: What part sizes may be, and what 0 means.
    package func options(_ limits: BackendCapabilities.PartLimits) throws -> TransferOptions {
        guard maxRetryCount >= 0 else {
            throw TransferError.invalidArgument("maxRetryCount", "\(maxRetryCount) is negative")
        }
        guard pauseGrace >= .zero else {
            throw TransferError.invalidArgument("pauseGrace", "\(pauseGrace) is negative")
        }
        let size = try checkedPartSize(limits)
        return TransferOptions(
            partSize: size, concurrency: min(max(parallel, 1), 1000),
            checkpoint: try .init(
                enableCheckpoint: enableCheckpoint, checkpointFile: checkpointFile, checkpointStore: checkpointStore),
            cancelHook: cancelHook, pauseGrace: pauseGrace, singleRequestLimit: size ?? limits.defaultSize,
            onEvent: listener)
    }

    private func checkedPartSize(_ limits: BackendCapabilities.PartLimits) throws(TransferError) -> UInt64? {
        if partSize == 0 { return nil }
        guard let size = UInt64(exactly: partSize), (limits.minimumSize...limits.maximumSize).contains(size) else {
            throw .invalidArgument(
                "partSize",
                """
                \(partSize) is outside \(limits.minimumSize)…\(limits.maximumSize) bytes; 0 means \(limits.defaultSize), or \
                more where the part count requires it
                """)
        }
        return size
    }

    private var listener: (@Sendable (TransferEvent) -> Void)? {
        guard let onProgress else { return onEvent }
        return { [onEvent] event in
            if case .progress(let progress) = event { onProgress(progress) }
            onEvent?(event)
        }
    }
}
