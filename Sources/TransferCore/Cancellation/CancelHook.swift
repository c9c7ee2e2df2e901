/// How a transfer is to stop. May only be escalated: a pause can become an abort, never the other way round.
public enum CancelMode: Sendable, Hashable, Comparable {
    /// Stop and keep everything that a later call needs to resume.
    case pause
    /// Stop and leave nothing behind: the multipart upload is aborted, the checkpoint removed.
    case abort
}

/// Something outside a transfer that can stop it.
///
/// `TransferCancelHook` is the one to use; conform a type of your own to bridge another cancellation scheme:
///
///     final class StopButton: CancelHook {
///         func attach(_ handler: @escaping @Sendable (CancelMode) -> Void) throws -> CancelRegistration {
///             let id = register { handler(.pause) }
///             return CancelRegistration { [weak self] in self?.unregister(id) }
///         }
///     }
public protocol CancelHook: Sendable {
    /// Has `handler` called for each wish to stop, at once when there was one already. The registration is ended when the
    /// task ends. Throws `TransferError.Code.cancelHookUsed` when the hook served a task that has ended.
    func attach(_ handler: @escaping @Sendable (CancelMode) -> Void) throws -> CancelRegistration
}

/// The tie between a hook and a running task.
public final class CancelRegistration: Sendable {
    private let onEnd: @Sendable () -> Void

    /// `onEnd` runs once, when the task has ended.
    public init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    /// Unties the hook; called by the engine when the task has ended.
    public func end() { onEnd() }
}
