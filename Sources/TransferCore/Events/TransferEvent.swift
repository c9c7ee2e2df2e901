/// What happens in a transfer, in order. Life-cycle and part events are never dropped; progress is the newest only.
///
/// Payloads are stored indirectly: events wait in queues, and most are small.
@nonexhaustive
public indirect enum TransferEvent: Sendable {
    /// Where the checkpoint is kept, and what the store had to do to claim it.
    case checkpointClaimed(location: String?, notes: [CheckpointNote])
    /// Another task holds the checkpoint; this transfer runs without one and cannot be resumed.
    case unrecorded(TransferError)
    /// The part size was raised to stay within the part count.
    case partSizeRaised(from: UInt64, to: UInt64)
    /// The transfer continues an earlier one: parts and bytes that need not be sent again.
    case resumed(uploadID: String, parts: Int, bytes: UInt64)
    /// What an earlier call had stored cannot be used; the transfer begins again.
    case restarted(RestartReason)
    /// The service opened a multipart upload.
    case uploadCreated(uploadID: String)
    /// The service refused to open one; the transfer's result follows.
    case uploadCreationFailed(TransferError)
    /// A part is stored, and its checkpoint line written.
    case partCompleted(CompletedPart, range: ByteRange)
    /// A part failed for good.
    case partFailed(number: Int, range: ByteRange, TransferError)
    /// A part in flight was cut because the transfer stops.
    case partCut(number: Int, range: ByteRange)
    /// The source has tags that were not carried to the target.
    case tagsNotCarried(count: Int?)
    /// A multipart upload of an earlier call could not be aborted; a life-cycle rule of the bucket may have to remove it.
    case uploadLeftBehind(uploadID: String, TransferError?)
    /// The transfer stops because of a pause, an abort or a failure; its result follows.
    case stopping(TransferError)
    /// The object could not be completed; the transfer's result follows, unless it begins again.
    case completionFailed(TransferError)
    /// The object stands and was verified as far as the receipt says.
    case completed(TransferReceipt)
    /// How far the transfer is. Of those not read yet only the newest is kept.
    case progress(TransferProgress)
}

/// Why an earlier call's parts could not be used.
@nonexhaustive
public enum RestartReason: Sendable, Hashable {
    /// The source is another one, or its content changed.
    case sourceChanged
    /// The checkpoint belongs to another target, backend or kind of transfer.
    case targetChanged
    /// The options that change the object differ.
    case optionsChanged
    /// The part size differs.
    case partSizeChanged
    /// The record contradicts itself.
    case recordInvalid
    /// The service no longer knows the upload.
    case uploadNotFound
    /// The service has none of the parts that were recorded, or one is missing and it does not tell which.
    case partsLost
}
