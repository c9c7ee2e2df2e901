import TransferCore

/// What was written to a transfer's record by all calls of a history, and what must therefore be found in it.
final class RecordChecks: @unchecked Sendable {
    /// What a record says.
    private struct Content {
        var uploadID: String
        var parts: Set<Int>
        var isCompleting: Bool

        init(_ checkpoint: TransferCheckpoint) {
            uploadID = checkpoint.uploadID
            parts = Set(checkpoint.parts.map(\.number))
            isCompleting = checkpoint.isCompleting
        }
    }

    private let world: World
    /// Every part that anybody wanted recorded, by upload.
    private var everRecorded: [String: Set<String>] = [:]
    private var everMarked: Set<String> = []
    /// What stays whatever becomes of the process; nil when that is nothing, or not known.
    private var written: Content?
    /// What stays also when the power is cut.
    private var durable: Content?
    /// A call replaces or removes it now, or has failed at that: either may be there.
    private var isOpen = false
    private let survivesPowerCut: Bool

    init(world: World, survivesPowerCut: Bool) {
        self.world = world
        self.survivesPowerCut = survivesPowerCut
    }

    func begins(_ checkpoint: TransferCheckpoint) {
        isOpen = true
        note(checkpoint.parts, of: checkpoint.uploadID)
    }

    func began(_ checkpoint: TransferCheckpoint) {
        isOpen = false
        written = Content(checkpoint)
        durable = written
    }

    func records(_ parts: [CompletedPart], of id: String) { note(parts, of: id) }

    func recorded(_ parts: [CompletedPart]) { written?.parts.formUnion(parts.map(\.number)) }

    func marks(_ id: String) { everMarked.insert(id) }

    func marked() {
        written?.isCompleting = true
        durable = written
    }

    func flushed() { durable = written }

    func removes() { isOpen = true }

    /// Its name may come back with the power; nothing of it is promised.
    func removed() {
        isOpen = false
        written = nil
        durable = nil
    }

    func processDied(_ death: SimulatedProcess.Death) {
        if isOpen {
            written = nil
            durable = nil
        }
        isOpen = false
        if death == .powerCut, !survivesPowerCut { written = durable }
    }

    /// Another claim finds `saved`.
    func found(_ saved: TransferCheckpoint?) {
        defer {
            written = saved.map { Content($0) }
            // What is found after a death was durable then.
            if durable?.uploadID != written?.uploadID { durable = nil }
            isOpen = false
        }
        if let saved { checkTruth(saved) }
        guard !isOpen, let written else { return }
        guard let saved, saved.uploadID == written.uploadID else {
            world.violation("the record of \(written.uploadID) is lost: \(saved?.uploadID ?? "nothing") is found")
            return
        }
        // A later line for a part may have stayed as well.
        let found = Set(saved.parts.map(\.number))
        for number in written.parts.subtracting(found).sorted() {
            world.violation("the record lost part \(number) of \(saved.uploadID)")
        }
        if written.isCompleting, !saved.isCompleting {
            world.violation("the record lost the mark of \(saved.uploadID)")
        }
    }

    private func checkTruth(_ saved: TransferCheckpoint) {
        for part in saved.parts where everRecorded[saved.uploadID]?.contains(Self.key(part)) != true {
            world.violation("the record tells of part \(part.number) of \(saved.uploadID) what nobody recorded")
        }
        if saved.isCompleting, !everMarked.contains(saved.uploadID) {
            world.violation("the record of \(saved.uploadID) has a mark that nobody made")
        }
    }

    private func note(_ parts: [CompletedPart], of id: String) {
        for part in parts { everRecorded[id, default: []].insert(Self.key(part)) }
    }

    private static func key(_ part: CompletedPart) -> String {
        "\(part.number) \(part.etag.rawValue) \(part.size ?? 0) \(part.checksums[.crc64] ?? "")"
    }
}
