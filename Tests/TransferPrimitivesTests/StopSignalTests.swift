import TestSupport
import Testing
import TransferPrimitives

@Suite(.timeLimit(.minutes(1))) struct StopSignalTests {
    /// What came of the parts of a piece of work, in order.
    private final class Story: Sendable {
        private let lines = LockBox<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func note(_ name: String, _ body: () async throws -> Void) async {
            do {
                try await body()
                lines.withLock { $0.append(name) }
            } catch {
                lines.withLock { $0.append("\(name): \(error is CancellationError ? "cancelled" : "\(error)")") }
            }
        }
    }

    private func start(_ signal: StopSignal, _ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        StopSignal.$current.withValue(signal) { Task { await work() } }
    }

    @Test func aStopEndsTheWaitThatWorkIsInAndNotTheWork() async {
        let (signal, story, began, never) = (StopSignal(), Story(), Gate(), Gate())
        let task = start(signal) {
            await story.note("wait") {
                try await StopSignal.waiting {
                    began.open()
                    try await never.waitOrCancel()
                }
            }
            await story.note("work") { try Task.checkCancellation() }
        }
        await began.wait()
        #expect(!signal.hasEndedWait)
        signal.stop()
        await task.value
        #expect(story.all == ["wait: cancelled", "work"])
        #expect(signal.hasEndedWait)
    }

    @Test func aRequestGoesOnAndNoWaitFollowsIt() async {
        let (signal, story, began, answered) = (StopSignal(), Story(), Gate(), Gate())
        let task = start(signal) {
            await story.note("first wait") { try await StopSignal.waiting {} }
            await story.note("request") {
                began.open()
                try await answered.waitOrCancel()
            }
            await story.note("second wait") { try await StopSignal.waiting {} }
        }
        await began.wait()
        signal.stop()
        #expect(!signal.hasEndedWait)
        answered.open()
        await task.value
        #expect(story.all == ["first wait", "request", "second wait: cancelled"])
        #expect(signal.hasEndedWait)
    }

    @Test func cancellingTheTaskEndsTheWaitToo() async {
        let (signal, story, began, never) = (StopSignal(), Story(), Gate(), Gate())
        let task = start(signal) {
            await story.note("wait") {
                try await StopSignal.waiting {
                    began.open()
                    try await never.waitOrCancel()
                }
            }
        }
        await began.wait()
        task.cancel()
        await task.value
        #expect(story.all == ["wait: cancelled"])
        #expect(!signal.hasEndedWait)
    }

    @Test func workWithoutASignalIsLeftAlone() async throws {
        StopSignal().stop()
        #expect(try await StopSignal.waiting { 7 } == 7)
    }
}
