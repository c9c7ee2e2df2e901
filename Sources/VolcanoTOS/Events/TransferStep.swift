internal import TransferCore

/// One of the seven steps that TOS tells of a copy, an upload or a download (spec sections 6.6 and 7), and what is known with it.
struct TransferStep {
    /// The values of `TOSCopyEventType`, `TOSUploadEventType` and `TOSDownloadEventType`, which name the same steps.
    enum Kind: Int, CaseIterable {
        case opened = 1
        case openingFailed = 2
        case partStored = 3
        case partFailed = 4
        case stopped = 5
        case completed = 6
        case completionFailed = 7
    }

    /// The part that a step is about.
    struct Part {
        let number: Int
        let range: ByteRange
        /// What was stored; nil for a part that failed.
        var stored: CompletedPart?
    }

    var kind = Kind.opened
    /// What went wrong; nil for a success.
    var error: TransferError?
    /// The part that the step is about, if it is about one.
    var part: Part?
    /// The multipart upload, or the file that a download writes; nil when there is none yet.
    var uploadID: String?
    /// Where the checkpoint is kept; nil without one.
    var checkpointFile: String?
}
