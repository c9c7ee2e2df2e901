import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// The order of what is told, and of what is told against what is done.
@Suite(.timeLimit(.minutes(2))) struct EngineEventTests {
    @Test func aCopyTellsItsStory() async throws {
        let scene = Scene()
        let handle = try scene.start(scene.options(concurrency: 1))
        _ = try await handle.value
        let story = scene.labels.filter { !$0.hasPrefix("progress") || $0.contains("end") }
        #expect(
            story == ["claimed", "created(upload-1)"] + (1...10).map { "done(\($0))" } + [
                "progress(95 end)", "completed",
            ])
        var read: [String] = []
        for await event in handle.events where event.label.hasPrefix("progress") == false { read.append(event.label) }
        #expect(
            read == story.filter { !$0.hasPrefix("progress") }, "the stream tells the same, however late it is read")
    }

    /// FR-099: every part with its range, in the order in which they were stored.
    @Test func partEventsSayWhatWasCopied() async throws {
        let scene = Scene()
        let handle = try scene.start()
        _ = try await handle.value
        let parts = scene.events.withLock { events in
            events.compactMap { event -> (CompletedPart, ByteRange)? in
                if case .partCompleted(let part, let range) = event { (part, range) } else { nil }
            }
        }
        #expect(Set(parts.map(\.0.number)) == Set(1...10))
        for (part, range) in parts {
            #expect(range.offset == UInt64(part.number - 1) * 10)
            #expect(range.length == (part.number == 10 ? 5 : 10))
            #expect(part.size == range.length)
            #expect(!part.etag.isEmpty)
        }
    }

    /// A part's event comes after its line in the record.
    @Test func aPartIsRecordedBeforeItIsTold() async throws {
        let log = LockBox([String]())
        let scene = Scene(store: LoggingStore { line in log.withLock { $0.append(line) } })
        var options = scene.options(concurrency: 4)
        options.onEvent = { event in log.withLock { $0.append(event.label) } }
        _ = try await scene.start(options).value
        let lines = log.withLock { $0 }
        for number in 1...10 {
            let recorded = try #require(lines.firstIndex(of: "record \(number)"))
            let told = try #require(lines.firstIndex(of: "done(\(number))"))
            #expect(recorded < told)
        }
        let begun = try #require(lines.firstIndex(of: "begin"))
        let completing = try #require(lines.firstIndex(of: "completing"))
        let removed = try #require(lines.firstIndex(of: "remove"))
        #expect(begun < (lines.firstIndex { $0.hasPrefix("record") } ?? 0))
        #expect(completing > (lines.lastIndex { $0.hasPrefix("record") } ?? .max - 1))
        #expect(removed < (lines.firstIndex(of: "completed") ?? 0))
        #expect(lines.last == "completed" || lines.last == "release")
    }

    /// Complete is not sent before its mark is durable.
    @Test func theMarkComesBeforeComplete() async throws {
        let log = LockBox([String]())
        let scene = Scene(
            store: LoggingStore { line in log.withLock { $0.append(line) } },
            before: { request in log.withLock { $0.append("\(request)") } })
        _ = try await scene.start().value
        let lines = log.withLock { $0 }
        #expect((lines.firstIndex(of: "completing") ?? .max) < (lines.firstIndex(of: "complete") ?? 0))
        #expect((lines.firstIndex(of: "begin") ?? .max) < (lines.firstIndex(of: "part(1)") ?? 0))
        #expect((lines.firstIndex(of: "claim") ?? .max) < (lines.firstIndex { $0.hasPrefix("head") } ?? 0))
    }

    /// The result follows the last event, and nothing follows the result.
    @Test func nothingIsToldAfterTheResult() async throws {
        for number in 0..<100 {
            let scene = Scene(before: { if number % 2 == 0, $0 == .part(5) { throw TransferError(.refused, "no") } })
            let ended = LockBox(false)
            let late = LockBox(0)
            var options = scene.options(concurrency: 3)
            options.onEvent = { _ in if ended.withLock({ $0 }) { late.withLock { $0 += 1 } } }
            let handle = try scene.start(options)
            _ = await transferError { try await handle.value }
            ended.withLock { $0 = true }
            handle.cancel(.abort)
            scene.hook.cancel()
            await Task.yield()
            #expect(late.withLock { $0 } == 0)
        }
    }

    @Test func aSlowListenerDelaysTheResultOnly() async throws {
        let scene = Scene()
        let leave = BlockingGate()
        let heard = LockBox(0)
        var options = scene.options()
        options.onEvent = { _ in
            leave.wait()
            heard.withLock { $0 += 1 }
        }
        let handle = try scene.start(options)
        await scene.holds.arrival(of: .complete)
        while !scene.isCopied { await Task.yield() }
        leave.open()
        _ = try await handle.value
        #expect(heard.withLock { $0 } > 10)
    }
}

/// Writes down what is asked of a store.
private struct LoggingStore: CheckpointStore {
    let base = MemoryCheckpointStore()
    let log: @Sendable (String) -> Void

    init(log: @escaping @Sendable (String) -> Void) { self.log = log }

    func claim(_ id: CheckpointID) async throws -> any CheckpointClaim {
        log("claim")
        return LoggingClaim(base: try await base.claim(id), log: log)
    }

    func pending() async throws -> [CheckpointSummary] { try await base.pending() }
}

private struct LoggingClaim: CheckpointClaim {
    let base: any CheckpointClaim
    let log: @Sendable (String) -> Void
    var saved: TransferCheckpoint? { base.saved }
    var location: String? { base.location }
    var notes: [CheckpointNote] { base.notes }
    var lost: AsyncStream<Void> { base.lost }

    func begin(_ checkpoint: TransferCheckpoint) async throws {
        try await base.begin(checkpoint)
        log("begin")
    }
    func record(_ parts: [CompletedPart]) async throws {
        await Task.yield()
        try await base.record(parts)
        for part in parts { log("record \(part.number)") }
    }
    func completing() async throws {
        await Task.yield()
        try await base.completing()
        log("completing")
    }
    func flush() async throws { try await base.flush() }
    func remove() async throws {
        try await base.remove()
        log("remove")
    }
    func release() async {
        await base.release()
        log("release")
    }
}
