/// Every decision of a transfer that writes an object in parts, as a pure value.
///
/// It is told what happened and answers what to do; it performs nothing, waits for nothing and reads no clock. The actions
/// of one answer are to be performed in their order. An action that ends with a result is answered by exactly one input:
///
/// | action | inputs |
/// |---|---|
/// | `claim` | `claimed`, `claimedElsewhere`, `claimFailed` |
/// | `inspect` | `inspected`, `inspectionFailed` |
/// | `listParts` | `listed`, `listingFailed` |
/// | `checkLocal` | `localChecked`, `localCheckFailed` |
/// | `create` | `created`, `creationFailed` |
/// | `begin` | `begun`, `beginFailed` |
/// | `start` | `partDone`, `partFailed` |
/// | `recheckSource` | `sourceUnchanged`, `sourceCheckFailed` |
/// | `markCompleting` | `marked`, `markFailed` |
/// | `complete`, `transferWhole` | `completed`, `completionFailed` |
/// | `checkTarget` | `targetChecked` |
/// | `flush` | `flushed` |
/// | `abortUpload` | `uploadAborted` |
/// | `removeCheckpoint` | `checkpointRemoved` |
///
/// The stages of a call, and what a wish to stop does in each:
///
/// | stage | pause | abort |
/// |---|---|---|
/// | before the start | ends without a request | ends without a request |
/// | claiming | ends; the record stays | what was recorded is aborted and removed |
/// | inspecting, listing, checking local bytes, rechecking | the request is cut; the record stays | the request is cut; aborted and removed |
/// | creating | gets the grace, then is cut; a new upload is recorded | gets the grace, then is cut; aborted |
/// | aborting a stale upload | ends; the record stays | ends; the record is removed |
/// | beginning | the record is finished and kept | aborted and removed |
/// | transferring | no new part; those in flight get the grace; recorded | those in flight are cut; aborted and removed |
/// | sending the whole | gets the grace, then is cut, unless all of its body was read: then as completing | is cut, or as completing |
/// | draining, flushing | no effect: it is stopping already | those in flight are cut; aborted and removed |
/// | marking | ends before Complete is sent | ends before Complete is sent; aborted and removed |
/// | completing, checking the target | none while the outcome is open; on a failure the record stays | none while the outcome is open; on a failure aborted and removed |
///
/// While the outcome is open, a stop ends the wait for another attempt: the outcome is then that of the last one. The grace is
/// for requests on the wire; what waits to send its next one ends at once, in every stage.
///
/// Without a checkpoint a pause cannot be resumed, so it aborts the upload rather than leaving it behind.
///
/// A claim that is lost cuts what is in flight in any stage before Complete, and ends the call without another word to the
/// record or the service. Where the outcome of Complete is open, its success still counts.
package struct TransferMachine: Sendable {
    package struct Settings: Sendable {
        /// Parts in flight at once, at least 1.
        package var concurrency: Int
        /// Whether a record is kept that a later call can resume from.
        package var keepsCheckpoint: Bool
        /// Whether a denied part aborts the upload and removes the record.
        package var abortsOnDenial: Bool
        /// Whether the source is looked at again before Complete.
        package var rechecksSource: Bool
        /// Whether a listed part that was not recorded may be kept.
        package var acceptsUnrecordedParts: Bool
        /// Whether parts of an earlier call are compared with the local bytes before they are trusted.
        package var checksLocalParts: Bool

        package init(
            concurrency: Int, keepsCheckpoint: Bool, abortsOnDenial: Bool = false, rechecksSource: Bool = false,
            acceptsUnrecordedParts: Bool = false, checksLocalParts: Bool = false
        ) {
            self.concurrency = max(1, concurrency)
            self.keepsCheckpoint = keepsCheckpoint
            self.abortsOnDenial = abortsOnDenial
            self.rechecksSource = rechecksSource
            self.acceptsUnrecordedParts = acceptsUnrecordedParts
            self.checksLocalParts = checksLocalParts
        }
    }

    /// What a look at the source found.
    package struct Inspection: Sendable {
        package enum Shape: Sendable {
            /// One request makes the object.
            case whole
            case parts(PartPlan)
        }

        package var shape: Shape
        /// The record of this transfer, without an upload id yet.
        package var checkpoint: TransferCheckpoint
        /// What the user should know.
        package var notes: [TransferEvent]
        /// Whether each part is tied to this very source. Where it is not, the source is looked at again before Complete,
        /// and a part that was not recorded may stem from another one.
        package var hasPrecondition: Bool

        package init(
            shape: Shape, checkpoint: TransferCheckpoint, notes: [TransferEvent] = [], hasPrecondition: Bool = true
        ) {
            self.shape = shape
            self.checkpoint = checkpoint
            self.notes = notes
            self.hasPrecondition = hasPrecondition
        }
    }

    /// Who wishes the transfer to stop.
    package enum StopRequest: Sendable, Hashable {
        case pause
        case abort
        /// The surrounding task was cancelled: a pause that ends in `CancellationError`.
        case taskCancelled
        /// The client is shutting down: a pause that ends in `.disposed`.
        case disposed
    }

    /// What is large and comes once is stored indirectly: there are inputs and actions for every part.
    package enum Input: Sendable {
        case start
        indirect case claimed(TransferCheckpoint?)
        /// Another task holds the record, and this one may run without.
        case claimedElsewhere(TransferError)
        case claimFailed(TransferError)
        indirect case inspected(Inspection)
        case inspectionFailed(TransferError)
        case listed([CompletedPart])
        case listingFailed(TransferError)
        /// Those of the parts asked about that equal the local bytes.
        case localChecked([CompletedPart])
        case localCheckFailed(TransferError)
        /// `target`: where the object will stand, when that is no longer what was inspected.
        case created(uploadID: String, target: ObjectLocation? = nil)
        case creationFailed(TransferError)
        case begun
        case beginFailed(TransferError)
        case partDone(CompletedPart)
        case partFailed(Int, TransferError)
        case recordFailed(TransferError)
        case sourceUnchanged
        case sourceCheckFailed(TransferError)
        case marked
        case markFailed(TransferError)
        indirect case completed(TransferReceipt)
        case completionFailed(TransferError)
        indirect case targetChecked(Result<ObjectInfo, TransferError>)
        case flushed(TransferError?)
        case uploadAborted(TransferError?)
        case checkpointRemoved(TransferError?)
        case stop(StopRequest)
        case graceExpired
        case claimLost
    }

    package enum Action: Sendable {
        case claim
        indirect case inspect(saved: TransferCheckpoint?)
        case listParts(uploadID: String)
        case checkLocal([CompletedPart])
        case create
        indirect case begin(TransferCheckpoint)
        case transferWhole
        case start(PartPlan.Part, uploadID: String)
        case record(CompletedPart)
        case recheckSource
        case markCompleting
        case complete(uploadID: String, [CompletedPart])
        case checkTarget
        case flush
        case abortUpload(uploadID: String, target: ObjectLocation)
        case removeCheckpoint
        /// Cuts the one request that is not a part: an inspection, a listing, a creation.
        case cutRequest
        case cutParts
        /// Has `graceExpired` come after the configured grace.
        case startGrace
        case emit(TransferEvent)
        indirect case finish(Outcome)
    }

    package enum Outcome: Sendable {
        indirect case success(TransferReceipt)
        case failure(TransferError)
        /// To be thrown as `CancellationError`.
        case cancelled
    }

    enum Stage: Hashable {
        case idle, claiming, inspecting, listing, checkingLocal, abortingStale, creating, beginning, transferring,
            draining, rechecking
        case marking, completing, transferringWhole, checkingTarget, flushing, abortingUpload, removing, ended
    }

    /// Why a call ends before the object stands.
    enum Stop {
        case requested(StopRequest)
        /// `discards`: what was stored is of no use any more.
        case failed(TransferError, discards: Bool)
        case restart(RestartReason)
        case claimLost
    }

    let settings: Settings
    /// As the settings say, unless another task holds the record.
    var keepsCheckpoint: Bool
    var stage = Stage.idle
    var stop: Stop?
    var saved: TransferCheckpoint?
    var inspection: Inspection?
    /// The upload of this call, open at the service as far as is known.
    var uploadID: String?
    var done: [CompletedPart?] = []
    var doneBytes: UInt64 = 0
    var doneCount = 0
    var inFlight: Set<Int> = []
    /// Every part below is done or in flight.
    var cursor = 1
    var reportedBytes: UInt64 = 0
    /// What Complete answered, or why its outcome is open.
    var completion: Result<TransferReceipt, TransferError>?
    /// What the call ends with once the record is gone.
    var ending: Outcome?
    var isStopAnnounced = false
    var mayRestart = true
    var mayListAgain = true

    package init(settings: Settings) {
        self.settings = settings
        keepsCheckpoint = settings.keepsCheckpoint
    }

    /// Whether the transfer has ended; later inputs are ignored.
    package var isEnded: Bool { stage == .ended }

    /// Takes one step. An input that does not fit the stage, as a late one may, changes nothing.
    package mutating func handle(_ input: Input) -> [Action] {
        switch (stage, input) {
        case (.ended, _): []
        case (_, .stop(let request)): stopRequested(request)
        case (_, .claimLost): claimLost()
        case (_, .graceExpired): graceExpired()
        case (_, .recordFailed(let error)) where error.code == .checkpointLost: claimLost()
        case (.idle, .start): start()
        case (.claiming, .claimed(let saved)): claimed(saved)
        case (.claiming, .claimedElsewhere(let error)): claimedElsewhere(error)
        case (.claiming, .claimFailed(let error)): claimFailed(error)
        case (.inspecting, .inspected(let inspection)): inspected(inspection)
        case (.inspecting, .inspectionFailed(let error)): inspectionFailed(error)
        case (.listing, .listed(let parts)): listed(parts)
        case (.listing, .listingFailed(let error)): listingFailed(error)
        case (.checkingLocal, .localChecked(let parts)): localChecked(parts)
        case (.checkingLocal, .localCheckFailed(let error)): localCheckFailed(error)
        case (.abortingStale, .uploadAborted(let error)): staleUploadAborted(error)
        case (.creating, .created(let id, let target)): created(id, at: target)
        case (.creating, .creationFailed(let error)): creationFailed(error)
        case (.beginning, .begun): begun()
        case (.beginning, .beginFailed(let error)): beginFailed(error)
        case (.transferring, .partDone(let part)), (.draining, .partDone(let part)): partDone(part)
        case (.transferring, .partFailed(let number, let error)), (.draining, .partFailed(let number, let error)):
            partFailed(number, error)
        case (.transferring, .recordFailed(let error)), (.draining, .recordFailed(let error)): recordFailed(error)
        case (.rechecking, .sourceUnchanged): sourceUnchanged()
        case (.rechecking, .sourceCheckFailed(let error)): sourceCheckFailed(error)
        case (.marking, .marked): marked()
        case (.marking, .markFailed(let error)): fail(error, discards: false)
        case (.completing, .completed(let receipt)), (.transferringWhole, .completed(let receipt)): completed(receipt)
        case (.completing, .completionFailed(let error)): completionFailed(error)
        case (.transferringWhole, .completionFailed(let error)): wholeFailed(error)
        case (.checkingTarget, .targetChecked(let result)): targetChecked(result)
        case (.flushing, .flushed(let error)): flushed(error)
        case (.abortingUpload, .uploadAborted(let error)): uploadAborted(error)
        case (.removing, .checkpointRemoved(let error)): checkpointRemoved(error)
        default: []
        }
    }
}
