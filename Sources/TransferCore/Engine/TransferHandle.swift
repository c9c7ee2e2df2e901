internal import TransferPrimitives

/// A running transfer.
///
/// It goes on whether or not anybody holds the handle; letting go of it stops nothing.
public final class TransferHandle: Sendable {
    /// What happens, in order. For one reader, which may begin at any time.
    public let events: TransferEvents

    private let inputs: Mailbox<TransferMachine.Input>
    private let task: Task<TransferMachine.Outcome, Never>

    init(
        channel: EventChannel, inputs: Mailbox<TransferMachine.Input>, task: Task<TransferMachine.Outcome, Never>
    ) {
        events = TransferEvents(channel: channel)
        self.inputs = inputs
        self.task = task
    }

    /// The receipt, once the object stands and every event was delivered.
    ///
    /// Cancelling the task that waits here pauses the transfer.
    /// - Throws: `TransferError`, or `CancellationError` when the surrounding task was cancelled.
    public var value: TransferReceipt {
        get async throws {
            let outcome = await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                inputs.send(.stop(.taskCancelled))
            }
            switch outcome {
            case .success(let receipt): return receipt
            case .failure(let error): throw error
            case .cancelled where Task.isCancelled: throw CancellationError()
            // Another task that waited here was cancelled; this one sees a pause.
            case .cancelled:
                throw TransferError(.paused, "paused, because a task that waited for the result was cancelled")
            }
        }
    }

    /// Asks the transfer to stop and returns at once; `value` tells when it has. Late or repeated calls do nothing.
    public func cancel(_ mode: CancelMode) {
        inputs.send(.stop(mode == .abort ? .abort : .pause))
    }

    /// Stops the transfer because its client is shutting down.
    package func dispose() { inputs.send(.stop(.disposed)) }
}
