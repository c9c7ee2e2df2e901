internal import TransferCore
internal import TransferService

/// What uploads and copies have in common, checked and put in the engine's words.
struct TransferSettings: Sendable {
    var partSize: Int
    var parallel: Int
    var maxRetryCount: Int
    var pauseGrace: Duration
    var enableCheckpoint: Bool
    var checkpointFile: String?
    var checkpointStore: (any CheckpointStore)?
    var cancelHook: (any CancelHook)?
    var onEvent: (@Sendable (TransferEvent) -> Void)?
    var onProgress: (@Sendable (TransferProgress) -> Void)?

    /// Throws `.invalidArgument` naming the field.
    func options(defaultPartSize: UInt64) throws -> TransferOptions {
        guard maxRetryCount >= 0 else {
            throw TransferError.invalidArgument("maxRetryCount", "\(maxRetryCount) is negative")
        }
        guard pauseGrace >= .zero else {
            throw TransferError.invalidArgument("pauseGrace", "\(pauseGrace) is negative")
        }
        let size = try checkedPartSize(defaultPartSize)
        return TransferOptions(
            partSize: size, concurrency: min(max(parallel, 1), 1000),
            checkpoint: try .init(
                enableCheckpoint: enableCheckpoint, checkpointFile: checkpointFile, checkpointStore: checkpointStore),
            cancelHook: cancelHook, pauseGrace: pauseGrace, singleRequestLimit: size ?? defaultPartSize,
            onEvent: listener)
    }

    private func checkedPartSize(_ defaultSize: UInt64) throws(TransferError) -> UInt64? {
        if partSize == 0 { return nil }
        let limits = OSSProvider.partLimits
        guard let size = UInt64(exactly: partSize), (limits.minimumSize...limits.maximumSize).contains(size) else {
            throw .invalidArgument(
                "partSize",
                """
                \(partSize) is outside \(limits.minimumSize)…\(limits.maximumSize) bytes (100 KiB to 5 GiB); 0 means \
                \(defaultSize)
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
