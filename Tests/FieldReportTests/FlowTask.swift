import ObjectTransfer
import TestSupport
import Testing
import TransferPrimitives

/// How one call of a flow is made.
struct FlowCall: Sendable {
    var parallel = 4
    /// Tells flows of one fixture apart that run at once.
    var number = 0
    var hook: TransferCancelHook?
    var grace: Duration = .zero
    /// Told of every event, in order.
    var onEvent: (@Sendable (TransferEvent) -> Void)?
    /// Told the fraction, by VOD alone; the others have it among their events.
    var onProgress: (@Sendable (Double) -> Void)?

    var suffix: String { number == 0 ? "" : "-\(number)" }
    /// Of the target.
    var key: String { FlowFixture.key + suffix }
}

/// A running flow, whatever its client calls it.
struct FlowTask: Sendable {
    /// Everything that has happened, in order.
    let events: FlowEvents
    private let result: Task<Void, any Error>
    private let stop: @Sendable (Bool) -> Void

    init(
        events stream: TransferEvents, _ call: FlowCall, value: @escaping @Sendable () async throws -> Void,
        cancel: @escaping @Sendable (Bool) -> Void
    ) {
        let events = FlowEvents()
        self.events = events
        stop = cancel
        let reading = Task {
            for await event in stream {
                events.append(event)
                call.onEvent?(event)
            }
        }
        result = Task {
            do {
                try await value()
            } catch let error as VODUploadError {
                await reading.value
                throw error.underlying
            } catch {
                await reading.value
                throw error
            }
            await reading.value
        }
    }

    /// Pauses it, or gives it up.
    func cancel(abort: Bool = false) { stop(abort) }

    /// Cancels the task that waits for the outcome.
    func cancelTask() { result.cancel() }

    /// Returns when the flow has succeeded, and its events were read to their end; else throws what it failed with.
    func value() async throws { try await result.value }

    /// The error that the flow ends with; a success is an issue.
    func failure(sourceLocation: SourceLocation = #_sourceLocation) async -> TransferError? {
        do {
            try await value()
            Issue.record("no error was thrown", sourceLocation: sourceLocation)
        } catch let error as TransferError {
            return error
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
        }
        return nil
    }
}

/// The events of a flow.
final class FlowEvents: Sendable {
    private let log = LockBox<[TransferEvent]>([])

    func append(_ event: TransferEvent) { log.withLock { $0.append(event) } }

    var all: [TransferEvent] { log.withLock { $0 } }

    /// Those that tell a turn of the transfer: neither parts nor progress.
    var turns: [String] {
        all.compactMap { event in
            switch event {
            case .uploadCreated: "created"
            case .resumed: "resumed"
            case .restarted: "restarted"
            case .stopping: "stopping"
            case .completionFailed: "completion failed"
            case .completed: "completed"
            case .uploadLeftBehind: "left behind"
            default: nil
            }
        }
    }

    /// The numbers of the parts that were done, in order.
    var doneParts: [Int] {
        all.compactMap { if case .partCompleted(let part, _) = $0 { part.number } else { nil } }
    }

    /// How far it was said to be.
    var fractions: [Double] {
        all.compactMap { if case .progress(let progress) = $0 { progress.fraction } else { nil } }
    }
}
