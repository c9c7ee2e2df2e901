import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The time of a history, as one process sees it.
struct SimulatedClock: TransferClock {
    let world: World
    let process: SimulatedProcess

    var now: Date { Date(timeIntervalSince1970: 1_751_356_800 + uptime / .seconds(1)) }
    var uptime: Duration { world.now }

    func sleep(for duration: Duration) async throws {
        try await world.wait(in: process) { resume in
            world.scheduler.after(duration) { resume(.success(())) }
        }
    }
}

extension World {
    /// Waits for `begin` to resume, at once with `CancellationError` when the task is cancelled or the process dead.
    ///
    /// - Parameter begin: Is given what ends the wait, and answers the timer to cancel with it.
    func wait<Value: Sendable>(
        in process: SimulatedProcess, _ begin: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Int?
    ) async throws -> Value {
        let waiter = Waiter<Value>(process: process, id: scheduler.newID())
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiter.continuation = continuation
                if Task.isCancelled || process.isDead {
                    waiter.resume(.failure(CancellationError()))
                    return
                }
                process.park(waiter.id) { waiter.resume(.failure(CancellationError())) }
                waiter.timer = begin { waiter.resume($0) }
            }
        } onCancel: {
            waiter.resume(.failure(CancellationError()))
            if let timer = waiter.timer { scheduler.cancelTimer(timer) }
        }
    }
}

private final class Waiter<Value: Sendable>: @unchecked Sendable {
    let process: SimulatedProcess
    let id: Int
    var continuation: CheckedContinuation<Value, any Error>?
    var timer: Int?

    init(process: SimulatedProcess, id: Int) {
        self.process = process
        self.id = id
    }

    func resume(_ result: Result<Value, any Error>) {
        process.unpark(id)
        continuation?.resume(with: result)
        continuation = nil
    }
}
