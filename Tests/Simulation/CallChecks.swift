import TransferCore

/// What one call of the engine does and is told, and the promises that are seen there: at the service, in its record, in its
/// events.
///
/// A call whose process is dead makes no promises any more.
final class CallChecks: @unchecked Sendable {
    let number: Int
    let process: SimulatedProcess
    let plan: CallPlan
    private let world: World
    private let service: SimulatedService

    // The service
    /// The tag of each part, as the service told it last.
    private var told: [String: [Int: ETag]] = [:]
    private var toldEver: [String: Set<String>] = [:]
    /// Parts whose storing was answered in this call, and nothing said since that could make it send them again.
    private var answered: [String: Set<Int>] = [:]
    private var refusedListing: Set<String> = []
    private var mistrusted: Set<String> = []
    private var completing: Set<String> = []
    /// Uploads that this call knows to be its own affair.
    private(set) var known: Set<String> = []
    private(set) var abortsTried: Set<String> = []
    /// Uploads whose Complete was sent, and not answered by a receipt.
    private(set) var unanswered: Set<String> = []

    /// Whether one request was to make the object.
    private(set) var sendsWhole = false

    // The record
    private(set) var saved: TransferCheckpoint?
    private(set) var hasClaimed = false
    private(set) var isClaiming = false
    private(set) var begun: Set<String> = []
    private var marked: Set<String> = []
    var hasLostClaim = false

    // Bytes
    private var moved: [Int: UInt64] = [:]
    private var resumedBytes: UInt64 = 0

    // Events
    private(set) var reported: Set<String> = []
    private(set) var isUnrecorded = false
    private var stoppings = 0
    private var completions = 0
    private var progress: TransferProgress?
    private var completedParts: [Int] = []

    init(number: Int, process: SimulatedProcess, plan: CallPlan, world: World, service: SimulatedService) {
        self.number = number
        self.process = process
        self.plan = plan
        self.world = world
        self.service = service
    }

    var keepsRecord: Bool { plan.keepsRecord && !isUnrecorded }

    /// Whether its Complete is under way.
    var isCompleting: Bool { !completing.isEmpty }

    private func violation(_ text: @autoclosure () -> String) {
        if !process.isDead { world.violation("call \(number): \(text())") }
    }

    // MARK: Requests

    func sends(_ request: ServiceRequest) {
        world.trace("call \(number) sends \(request.label)")
        switch request {
        case .part(let number, let id, _), .copyPart(let number, let id, _, _, _):
            checkMaySend(number, id)
            moves(number, to: plan.range(number).length)
        case .get(_, let range, _): checkMayFetch(range)
        case .complete(let id, let parts):
            completing.insert(id)
            unanswered.insert(id)
            if keepsRecord, !marked.contains(id) { violation("Complete of \(id) is sent without a durable mark") }
            for part in parts {
                guard let last = told[id]?[part.number] else { continue }
                if last != part.etag {
                    violation("Complete of \(id) names \(part.etag) for part \(part.number), and \(last) was told last")
                }
            }
        case .put, .copy: sendsWhole = true
        case .abort(let id):
            abortsTried.insert(id)
            if completing.contains(id) { violation("\(id) is aborted while its Complete is under way") }
        default: break
        }
    }

    private func checkMaySend(_ number: Int, _ id: String) {
        if keepsRecord, hasClaimed, !begun.contains(id), saved?.uploadID != id {
            violation("part \(number) of \(id) is sent before the record is durable")
        }
        if completing.contains(id) { violation("part \(number) of \(id) is sent while Complete is under way") }
        if answered[id]?.contains(number) == true { violation("part \(number) of \(id) is sent again") }
        guard let known = durablePart(number, of: id), let stored = service.uploads[id]?.parts[number] else { return }
        // The service's word counts where it gives it.
        let isListed = refusedListing.contains(id) || told[id]?[number] == known.etag
        guard isListed, stored.etag == known.etag, plan.isRight(stored.bytes, number) else { return }
        if plan.checksLocalParts, known.checksums.crc64 == nil { return }
        violation("part \(number) of \(id) is sent although it is stored and recorded")
    }

    private func checkMayFetch(_ range: ByteRange) {
        guard let number = plan.number(of: range) else { return }
        let id = plan.partialPath
        if keepsRecord, hasClaimed, !begun.contains(id), saved?.uploadID != id {
            violation("part \(number) is fetched before the record is durable")
        }
        guard let recorded = durablePart(number, of: id), plan.isOnDisk(number, as: recorded) else { return }
        violation("part \(number) is fetched although it is on the disk and recorded")
    }

    /// A part of the record that this call found, as long as that is what it goes on from.
    private func durablePart(_ number: Int, of id: String) -> CompletedPart? {
        guard let saved, saved.uploadID == id, !mistrusted.contains(id), !begun.contains(id) else { return nil }
        return saved.parts.first { $0.number == number }
    }

    // MARK: Answers

    func hears(_ answer: ServiceAnswer, to request: ServiceRequest) {
        guard !process.isDead else { return }
        switch (request, answer) {
        case (.head(let location), .info(let info)): plan.sourceWasSeen(at: location, info)
        case (.create, .upload(let id)): known.insert(id)
        case (.part(let number, let id, let bytes), .part(let part)):
            note(part.etag, number, id)
            // What arrived damaged will be sent again.
            if !part.isConfirmed || part.checksums == SimulatedService.checksums(bytes) {
                answered[id, default: []].insert(number)
            }
        case (.copyPart(let number, let id, _, _, _), .part(let part)):
            note(part.etag, number, id)
            answered[id, default: []].insert(number)
        case (.list(let id), .parts(let parts)):
            told[id] = [:]
            answered[id] = []
            for part in parts { note(part.etag, part.number, id) }
        case (.complete(let id, _), _):
            completing.remove(id)
            unanswered.remove(id)
        default: break
        }
    }

    private func note(_ etag: ETag, _ number: Int, _ id: String) {
        told[id, default: [:]][number] = etag
        toldEver[id, default: []].insert("\(number):\(etag.bare)")
    }

    func hears(_ error: any Error, to request: ServiceRequest) {
        let code = (error as? TransferError)?.code
        world.trace("call \(number) hears \(code.map { "\($0)" } ?? "nothing") to \(request.label)")
        switch request {
        case .copy where error is CancellationError: violation("a copy that decides is cut")
        case .complete(let id, _):
            completing.remove(id)
            if error is CancellationError { violation("Complete of \(id) is cut") }
            if code == .invalidPart {
                mistrusted.insert(id)
                answered[id] = []
            }
        case .list(let id):
            if code == .accessDenied { refusedListing.insert(id) }
            if code == .uploadNotFound { mistrusted.insert(id) }
        default: break
        }
    }

    // MARK: Bytes

    /// The attempt at a part has come so far.
    func moves(_ number: Int, to position: UInt64) { moved[number] = max(moved[number] ?? 0, position) }

    func receives(at offset: UInt64, to position: UInt64) {
        if let number = plan.number(startingAt: offset) { moves(number, to: position) }
    }

    // MARK: The record

    func claims() { isClaiming = true }

    func claimFailed() { isClaiming = false }

    func claimed(_ saved: TransferCheckpoint?) {
        isClaiming = false
        hasClaimed = true
        self.saved = saved
        if let saved { known.insert(saved.uploadID) }
    }

    func began(_ id: String) { begun.insert(id) }

    func mark(_ id: String) { marked.insert(id) }

    func records(_ parts: [CompletedPart], of id: String) {
        for part in parts {
            if plan.kind == .download {
                guard moved[part.number] ?? 0 >= plan.range(part.number).length else {
                    violation("part \(part.number) is recorded before it came")
                    continue
                }
            } else if toldEver[id]?.contains("\(part.number):\(part.etag.bare)") != true {
                violation("part \(part.number) of \(id) is recorded before the service said that it is stored")
            }
        }
    }

    // MARK: Events

    func hears(_ event: TransferEvent) {
        guard !process.isDead else { return }
        world.trace("call \(number) tells \(event.label)")
        if completions > 0 { violation("\(event.label) after the end") }
        switch event {
        case .unrecorded: isUnrecorded = true
        case .resumed(_, _, let bytes): resumedBytes = max(resumedBytes, bytes)
        case .restarted(let reason):
            completedParts = []
            if !mayRestart(reason) { violation("begins again without a reason: \(reason)") }
        case .uploadLeftBehind(let id, _): reported.insert(id)
        case .partCompleted(let part, let range):
            if range != plan.range(part.number) { violation("part \(part.number) has another range") }
            if completedParts.contains(part.number), mistrusted.isEmpty { violation("part \(part.number) ends twice") }
            completedParts.append(part.number)
        case .stopping:
            stoppings += 1
            if stoppings > 1 { violation("tells twice that it stops") }
        case .completed:
            completions += 1
            if progress?.isFinished != true { violation("ends at \(progress?.completedBytes ?? 0) bytes") }
        case .progress(let next): check(next)
        default: break
        }
    }

    private func mayRestart(_ reason: RestartReason) -> Bool {
        switch reason {
        case .sourceChanged: plan.facts.sourceHasChanged
        case .optionsChanged: plan.facts.optionsHaveChanged
        case .partSizeChanged: plan.facts.partSizeHasChanged
        // One that goes by one request now.
        case .targetChanged: plan.facts.sourceHasChanged
        case .uploadNotFound: plan.kind == .download || known.contains { service.uploads[$0] == nil }
        case .partsLost: !service.damaged.isEmpty || !refusedListing.isEmpty
        default: false
        }
    }

    private func check(_ next: TransferProgress) {
        if let progress {
            let isForward = next.completedBytes > progress.completedBytes || next.isFinished
            if !isForward || progress.isFinished {
                violation("progress goes from \(progress.completedBytes) to \(next.completedBytes)")
            }
        }
        if next.completedBytes > next.totalBytes { violation("progress beyond the total") }
        if next.completedBytes == next.totalBytes, !next.isFinished { violation("full before the object stands") }
        let most = moved.values.reduce(resumedBytes, +)
        if !next.isFinished, next.completedBytes > most {
            violation("progress tells of \(next.completedBytes) bytes, and \(most) were read or stored")
        }
        progress = next
    }

    // MARK: The end

    func checkEvents(succeeded: Bool) {
        if completions != (succeeded ? 1 : 0) {
            violation("\(completions) ends in the events of a call that \(succeeded)")
        }
        if stoppings != (succeeded ? 0 : 1) { violation("\(stoppings) stopping events, success: \(succeeded)") }
    }
}

extension TransferEvent {
    var label: String {
        switch self {
        case .progress(let progress): "progress \(progress.completedBytes)/\(progress.totalBytes)"
        case .partCompleted(let part, _): "part \(part.number)"
        case .partFailed(let number, _, let error): "part \(number) failed: \(error.code)"
        case .partCut(let number, _): "part \(number) cut"
        case .stopping(let error): "stopping: \(error.code)"
        case .restarted(let reason): "restarted: \(reason)"
        case .uploadLeftBehind(let id, _): "left behind: \(id)"
        case .uploadCreated(let id): "created \(id)"
        case .resumed(let id, let parts, _): "resumed \(id) with \(parts) parts"
        case .completionFailed(let error): "completion failed: \(error.code)"
        case .checkpointClaimed(_, let notes): "claimed \(notes)"
        case .completed: "completed"
        default: "\(self)"
        }
    }
}
