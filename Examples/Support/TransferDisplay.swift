package import ObjectTransfer

/// Shows the events of a transfer: a bar on a terminal, a line an event elsewhere, JSON where it was asked for.
package struct TransferDisplay {
    private enum Style {
        case bar
        case lines
        case json
    }

    private let style: Style
    private var partsDone = 0
    private var partCount: Int?
    private var isBarShown = false

    package init(_ events: EventFormat) {
        style = events == .json ? .json : Terminal.isInteractive ? .bar : .lines
    }

    package mutating func show(_ event: TransferEvent) {
        if case .partCompleted = event { partsDone += 1 }
        if style == .json {
            if let object = JSONObject(event) { Terminal.print(object.text) }
            return
        }
        switch event {
        case .checkpointClaimed(let location, let notes):
            if let location { say("checkpoint  \(location)") }
            for note in notes { say("note        \(note)") }
        case .partSizeRaised(let from, let to):
            say("part size   raised from \(Units.bytes(from)) to \(Units.bytes(to))")
        case .resumed(let uploadID, let parts, let bytes):
            say("resumed     upload \(uploadID), \(parts) parts (\(Units.bytes(bytes))) are there already")
        case .restarted(let reason): say("restarted   \(reason)")
        case .uploadCreated(let uploadID): say("created     upload \(uploadID)")
        case .partCompleted(let part, let range):
            if style == .lines {
                say("part \(part.number)  bytes \(range.offset)-\(max(range.end, 1) - 1)  etag \(part.etag)")
            }
        case .partFailed(let number, _, let error): say("part \(number)  failed: \(error)")
        case .partCut(let number, _): say("part \(number)  cut")
        case .tagsNotCarried(let count):
            say("note        \(count.map(String.init) ?? "the") tags of the source were not carried")
        case .uploadLeftBehind(let uploadID, _): say("note        upload \(uploadID) could not be aborted")
        case .unrecorded(let error): say("note        runs without a checkpoint: \(error.message)")
        case .progress(let progress): showProgress(progress)
        case .uploadCreationFailed, .completionFailed, .stopping, .completed: break
        @unknown default: break
        }
    }

    private mutating func showProgress(_ progress: TransferProgress) {
        guard style == .bar else { return }
        let width = 40
        let filled = Int(progress.fraction * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        let percent = Units.decimal(progress.fraction * 100)
        Terminal.print("\r[\(bar)] \(percent) %  \(partsDone) parts in this run ", terminator: "")
        isBarShown = true
    }

    /// Ends the line of the bar, so that what follows stands by itself.
    package mutating func end() {
        if isBarShown { Terminal.print("") }
        isBarShown = false
    }

    private mutating func say(_ text: String) {
        end()
        Terminal.print(text)
    }
}
