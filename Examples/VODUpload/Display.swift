import ExampleSupport
import ObjectTransfer

/// Shows the uploads of this run: a bar a file on a terminal, a line an event elsewhere, JSON where it was asked for.
actor Display {
    private enum Style {
        case bars
        case lines
        case json
    }

    private let style: Style
    /// What is said of an upload that was paused.
    private let afterPause: String
    /// What an upload that succeeded is said to be.
    private let done: String
    private var bars = ProgressBars()

    /// - Parameters:
    ///   - canResume: Whether another run can go on with what was paused.
    ///   - isLocal: Whether the service is in this process, so that nobody takes its answers for those of VOD.
    init(_ events: EventFormat, canResume: Bool, isLocal: Bool) {
        done = isLocal ? "done (server in this process)" : "done"
        afterPause = canResume ? "run the same command again to go on" : "nothing was recorded"
        style = events == .json ? .json : Terminal.isInteractive ? .bars : .lines
    }

    func show(_ event: TransferEvent, of file: String) {
        if style == .json {
            guard var object = JSONObject(event) else { return }
            object.add("file", file)
            return Terminal.print(object.text)
        }
        switch event {
        case .checkpointClaimed(let location, let notes):
            if let location, style == .lines { say(file, "recorded at \(location)") }
            for note in notes { say(file, "\(note)") }
        case .partSizeRaised(let from, let to):
            say(file, "part size raised from \(Units.bytes(from)) to \(Units.bytes(to))")
        case .resumed(_, let parts, let bytes):
            say(file, "goes on: \(parts) parts (\(Units.bytes(bytes))) are there already")
        case .restarted(let reason): say(file, "begins again: \(reason)")
        case .partCompleted(let part, let range):
            if style == .lines { say(file, "part \(part.number), bytes \(range.offset)-\(max(range.end, 1) - 1)") }
        case .partFailed(let number, _, let error): say(file, "part \(number) failed: \(error)")
        case .uploadLeftBehind(let uploadID, _): say(file, "upload \(uploadID) could not be aborted")
        case .unrecorded(let error): say(file, "goes without a record: \(error.message)")
        case .progress(let progress):
            if style == .bars { bars.update(file, progress) }
        case .uploadCreated, .uploadCreationFailed, .partCut, .tagsNotCarried, .stopping, .completed, .completionFailed:
            break
        @unknown default: break
        }
    }

    func finish(_ file: String, _ result: VODUploadResult) {
        if style == .json {
            var object = JSONObject(event: "uploaded")
            object.add("file", file)
            object.add("videoId", result.videoId)
            object.add("imageId", result.imageId)
            object.add("imageUrl", result.imageUrl)
            object.add("etag", result.etag)
            object.add("requestId", result.requestId)
            object.add("size", result.size)
            object.add("durationMs", result.durationMs)
            object.add("verification", "\(result.verification)")
            return Terminal.print(object.text)
        }
        bars.remove(file)
        let medium = result.videoId.map { "video \($0)" } ?? result.imageId.map { "image \($0)" } ?? "uploaded"
        let time = Units.seconds(.milliseconds(result.durationMs))
        say(file, "\(done): \(medium), \(Units.bytes(result.size)) in \(time), verified by \(result.verification)")
    }

    /// - Parameter error: Nil for one that is none of the library's.
    func finish(_ file: String, _ error: VODUploadError?) {
        let isPaused = error?.isCancellation == true
        if style == .json {
            var object = JSONObject(event: isPaused ? "paused" : "failed")
            object.add("file", file)
            object.add("videoId", error?.videoId)
            object.add("code", error?.errorCode)
            object.add("error", error?.description)
            object.add("requestId", error?.requestId)
            Terminal.print(object.text)
        }
        bars.remove(file)
        bars.hide()
        Terminal.printError(
            isPaused
                ? "\(file): \(error?.errorMessage ?? "paused"); \(afterPause)"
                : "\(file): failed: \(error?.description ?? "cancelled")")
        bars.draw()
    }

    private func say(_ file: String, _ text: String) {
        bars.hide()
        Terminal.print("\(file): \(text)")
        bars.draw()
    }
}
