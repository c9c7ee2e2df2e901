import Foundation
import TestSupport
import Testing
import TransferCore
import TransferPrimitives

@testable import VolcanoTOS

/// The task form of operations, around an operation that the test holds the end of.
@Suite struct TaskTests {
    private static let failure = TransferError(.accessDenied, "x")

    /// What was told, in order.
    private final class Log: Sendable {
        private let lines = LockBox<[String]>([])
        func append(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    /// The outcome in one word.
    private static func word(_ outcome: Result<Int, any Error>) -> String {
        switch outcome {
        case .success(let value): "\(value)"
        case .failure(let error as TransferError): "\(error.code)"
        case .failure: "cancelled"
        }
    }

    /// Everything asked for so far was called: the queue of a task is in order.
    private func settled<Output>(_ task: TOSTask<Output>) async {
        await withCheckedContinuation { done in task.notify { _ in done.resume() } }
    }

    @Test func `a success is told to all, once, in order, also to those who come late`() async throws {
        let (door, log) = (Gate(), Log())
        let task = TOSTask<Int>({ log.append("completion \(Self.word($0))") }) {
            await door.wait()
            return 7
        }
        #expect(!task.isCompleted && task.result == nil && task.error == nil && !task.isCancelled)
        task.continueWith { log.append("first \($0.result ?? 0)") }
        task.continueWith { log.append("second \($0.result ?? 0)") }
        door.open()
        #expect(try await task.value == 7)
        #expect(task.isCompleted && task.result == 7 && task.error == nil && !task.isCancelled)
        await settled(task)
        let late = task.continueWith { log.append("late \($0.result ?? 0)") }
        try await late.value
        #expect(log.all == ["completion 7", "first 7", "second 7", "late 7"])
    }

    @Test func `a failure is told as the operation threw it`() async throws {
        let log = Log()
        let task = TOSTask<Int>({ log.append(Self.word($0)) }) { throw Self.failure }
        let error = await transferError { _ = try await task.value }
        #expect(error?.code == .accessDenied)
        #expect(task.isCompleted && task.result == nil && !task.isCancelled)
        #expect((task.error as? TransferError)?.code == .accessDenied)
        await settled(task)
        #expect(log.all == ["accessDenied"])
    }

    @Test func `what a continuation returns is the result of its task, what it throws its error`() async throws {
        let first = TOSTask<Int>(nil) { 2 }
        let text = first.continueWith { "\(($0.result ?? 0) * 2)" }
        #expect(try await text.value == "4")
        let failed = text.continueWith { _ -> Int in throw Self.failure }
        #expect(await transferError { _ = try await failed.value }?.code == .accessDenied)
        let mended = failed.continueWith { $0.error == nil ? 0 : 9 }
        #expect(try await mended.value == 9)
    }

    @Test func `a task that a continuation returns is waited for`() async throws {
        let (door, log) = (Gate(), Log())
        let chain: TOSTask<Int> = TOSTask<Int>(nil) { 1 }.continueWith { before in
            log.append("between")
            return TOSTask<Int>(nil) {
                await door.wait()
                return (before.result ?? 0) + 1
            }
        }
        await settled(TOSTask<Int>(nil) { 0 })
        #expect(!chain.isCompleted)
        door.open()
        #expect(try await chain.value == 2)
        #expect(log.all == ["between"])
        let failed: TOSTask<Int> = chain.continueWith { _ in TOSTask<Int>(nil) { throw Self.failure } }
        #expect(await transferError { _ = try await failed.value }?.code == .accessDenied)
        let thrown: TOSTask<Int> = chain.continueWith { _ -> TOSTask<Int> in throw Self.failure }
        #expect(await transferError { _ = try await thrown.value }?.code == .accessDenied)
    }

    @Test func `cancelling an operation is a cancellation`() async throws {
        let door = Gate()
        let task = TOSTask<Int>(nil) {
            try await door.waitOrCancel()
            return 1
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(task.isCancelled && task.error is CancellationError)
        task.cancel()
        #expect(task.isCancelled)
    }

    @Test func `a task that waits for the value stops the operation when it is cancelled`() async throws {
        let (door, entered) = (Gate(), Gate())
        let task = TOSTask<Int>(nil) {
            entered.open()
            try await door.waitOrCancel()
            return 1
        }
        let waiting = Task { try await task.value }
        await entered.wait()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(task.isCancelled)
    }

    @Test func `a chain passes a cancellation to what runs`() async throws {
        let (first, second, reached) = (Gate(), Gate(), Gate())
        let chain: TOSTask<Int> = TOSTask<Int>(nil) {
            await first.wait()
            return 1
        }.continueWith { _ in
            TOSTask<Int>(nil) {
                reached.open()
                try await second.waitOrCancel()
                return 2
            }
        }
        first.open()
        await reached.wait()
        chain.cancel()
        await #expect(throws: CancellationError.self) { try await chain.value }
        // Before the first has ended, it is the first that is cancelled, and the wish counts for the second as well.
        let early: TOSTask<Int> = TOSTask<Int>(nil) {
            try await second.waitOrCancel()
            return 1
        }.continueWith { before in
            #expect(before.isCancelled)
            return TOSTask<Int>(nil) {
                try await second.waitOrCancel()
                return 2
            }
        }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
    }

    /// A transfer that ends when it is cancelled.
    private struct Transfer: RunningTransfer {
        let wishes = LockBox<[Bool]>([])
        let cancelled = Gate()

        var value: Int {
            get async throws {
                await cancelled.wait()
                throw TransferError(.aborted, "x")
            }
        }
        func cancel(abort: Bool) {
            wishes.withLock { $0.append(abort) }
            cancelled.open()
        }
    }

    @Test func `the strongest wish that came before a transfer is passed to it`() async throws {
        let (transfer, door) = (Transfer(), Gate())
        let chain: TOSTask<Int> = TOSTask<Int>(nil) {
            await door.wait()
            return 1
        }.continueWith { _ in TOSTask(nil, starting: { transfer }) }
        chain.cancel(abort: true)
        chain.cancel()
        door.open()
        #expect(await transferError { _ = try await chain.value }?.code == .aborted)
        #expect(chain.isCancelled)
        #expect(transfer.wishes.withLock { $0 } == [true])
    }

    @Test func `a thread can wait, and finds the result`() async throws {
        let (door, waits) = (Gate(), Gate())
        let task = TOSTask<Int>(nil) {
            await door.wait()
            return 3
        }
        async let found: Int? = withCheckedContinuation { continuation in
            Thread.detachNewThread {
                waits.open()
                task.waitUntilFinished()
                // A task that has ended is not waited for.
                task.waitUntilFinished()
                continuation.resume(returning: task.result)
            }
        }
        await waits.wait()
        door.open()
        #expect(await found == 3)
    }

    @Test func `a callback may wait for its own task and begin another`() async throws {
        let (log, done) = (Log(), Gate())
        let task = TOSTask<Int>(nil) { 5 }
        task.continueWith { task in
            task.waitUntilFinished()
            TOSTask<Int>({ outcome in
                log.append(Self.word(outcome))
                done.open()
            }) { 6 }
            .continueWith { _ in }
        }
        await done.wait()
        #expect(log.all == ["6"])
    }

    @Test func `racing callers, cancellers and ends: each callback once`() async throws {
        for round in 0..<40 {
            let counts = LockBox([Int](repeating: 0, count: 24))
            let (door, blocked) = (Gate(), BlockingGate())
            let task = TOSTask<Int>(nil) {
                try await door.waitOrCancel()
                return round
            }
            let waited = LockBox(0)
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                Thread.detachNewThread {
                    runThreads(8) { thread in
                        if thread == 0 { blocked.open() } else { blocked.wait() }
                        for index in 0..<3 {
                            task.continueWith { _ in counts.withLock { $0[thread * 3 + index] += 1 } }
                        }
                        if thread == 3 { door.open() }
                        if thread == 5, round.isMultiple(of: 2) { task.cancel(abort: round.isMultiple(of: 4)) }
                        task.waitUntilFinished()
                        if task.isCompleted, (task.result != nil) != (task.error != nil) { waited.withLock { $0 += 1 } }
                    }
                    continuation.resume()
                }
            }
            await settled(task)
            #expect(counts.withLock { $0 } == [Int](repeating: 1, count: 24))
            #expect(waited.withLock { $0 } == 8)
        }
    }

    @Test func `callbacks run one at a time and off the pool of Swift's tasks`() async throws {
        let (inside, most) = (LockBox(0), LockBox(0))
        let door = Gate()
        let task = TOSTask<Int>(nil) {
            await door.wait()
            return 1
        }
        for _ in 0..<20 {
            task.continueWith { _ in
                let now = inside.withLock { inside in
                    inside += 1
                    return inside
                }
                most.withLock { $0 = max($0, now) }
                withUnsafeCurrentTask { #expect($0 == nil) }
                inside.withLock { $0 -= 1 }
            }
        }
        door.open()
        await settled(task)
        #expect(most.withLock { $0 } == 1)
    }
}
