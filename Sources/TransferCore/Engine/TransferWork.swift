/// The effects of one kind of transfer, as the driver performs them.
///
/// What a backend throws is final; `CancellationError` says that the request was cut.
protocol TransferWork: Sendable {
    var target: ObjectLocation { get }

    /// Looks at the source and plans.
    func inspect(saved: TransferCheckpoint?) async throws -> TransferMachine.Inspection
    func transferWhole() async throws -> TransferReceipt
    /// Returns the id of the new multipart upload.
    func create() async throws -> String
    func transfer(_ part: PartPlan.Part, uploadID: String) async throws -> CompletedPart
    func listParts(uploadID: String) async throws -> [CompletedPart]
    /// Throws `.sourceChanged` when the source is no longer what was inspected.
    func recheckSource() async throws
    func complete(uploadID: String, parts: [CompletedPart]) async throws -> TransferReceipt
    func headTarget() async throws -> ObjectInfo
    /// `target` may be another one than this work's, where an older record named it.
    func abort(uploadID: String, target: ObjectLocation) async throws
    /// Whether the service still knows an aborted upload, so that parts that were on their way may have landed in it.
    func isStillOpen(uploadID: String, target: ObjectLocation) async throws -> Bool
}
