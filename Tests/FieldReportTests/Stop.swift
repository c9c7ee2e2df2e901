import ObjectTransfer
import Testing

/// A way to stop a flow.
enum Stop: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// What was done is kept.
    case keep
    /// Nothing is left.
    case terminate
    /// The task that waits for it is cancelled.
    case task

    var testDescription: String { rawValue }

    func act(on task: FlowTask) {
        switch self {
        case .keep: task.cancel()
        case .terminate: task.cancel(abort: true)
        case .task: task.cancelTask()
        }
    }

    /// Waits for the end of a flow that was stopped so, and checks that it says so.
    func expectEnd(of task: FlowTask, sourceLocation: SourceLocation = #_sourceLocation) async {
        do {
            try await task.value()
            Issue.record("a flow that was stopped succeeded", sourceLocation: sourceLocation)
        } catch is CancellationError {
            #expect(self == .task, sourceLocation: sourceLocation)
        } catch let error as TransferError {
            #expect(error.code == (self == .keep ? .paused : .aborted), sourceLocation: sourceLocation)
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
        }
    }
}
