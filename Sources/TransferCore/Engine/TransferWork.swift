/// The effects of one kind of transfer, as the driver performs them.
///
/// What a backend throws is final; `CancellationError` says that the request was cut.
package protocol TransferWork: Sendable {
    /// Called once, before anything else: where to report bytes that are on their way.
    func begin(reporting report: @escaping @Sendable (TransferProgress) -> Void)
    /// Sees each event before the user does.
    func note(_ event: TransferEvent)

    /// Looks at the source and plans.
    func inspect(saved: TransferCheckpoint?) async throws -> TransferMachine.Inspection
    func transferWhole() async throws -> TransferReceipt
    /// Keeps back what has not been read of the body that `transferWhole` sends. False where all of it was, or there is none:
    /// the service may then act on the request, whatever becomes of it here.
    func withholdRest() -> Bool
    /// Whether it was.
    var isWithheld: Bool { get }
    /// Opens a multipart upload. Its target may be another one than was inspected, where credentials name it.
    func create() async throws -> MultipartUpload
    func transfer(_ part: PartPlan.Part, uploadID: String) async throws -> CompletedPart
    func listParts(uploadID: String) async throws -> [CompletedPart]
    /// Those of `parts` whose bytes equal the local ones; all of them where there are no local ones.
    func checkLocal(_ parts: [CompletedPart]) async throws -> [CompletedPart]
    /// Throws `.sourceChanged` when the source is no longer what was inspected.
    func recheckSource() async throws
    func complete(uploadID: String, parts: [CompletedPart]) async throws -> TransferReceipt
    func headTarget() async throws -> ObjectInfo
    /// `target` may be another one than this work's, where an older record named it.
    func abort(uploadID: String, target: ObjectLocation) async throws
    /// Whether the service still knows an aborted upload, so that parts that were on their way may have landed in it.
    func isStillOpen(uploadID: String, target: ObjectLocation) async throws -> Bool
    /// Called once, when nothing of the transfer runs any more and before its outcome is told: lets go of what another transfer
    /// may need at once.
    func end()
}

extension TransferWork {
    package func begin(reporting report: @escaping @Sendable (TransferProgress) -> Void) {}
    package func note(_ event: TransferEvent) {}
    package func withholdRest() -> Bool { false }
    package var isWithheld: Bool { false }
    package func end() {}
}
