internal import TransferPrimitives

/// The uploads of one uploader that have not ended. Keeps them alive.
final class RunRegistry: Sendable {
    private struct State {
        var runs: [ObjectIdentifier: UploadRun] = [:]
        var isClosed = false
    }

    private let state = LockBox(State())

    /// Whether the uploader still takes uploads.
    var isOpen: Bool { state.withLock { !$0.isClosed } }

    var running: [UploadRun] { state.withLock { Array($0.runs.values) } }

    /// False, and nothing added, once closed.
    func add(_ run: UploadRun) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.runs[ObjectIdentifier(run)] = run
            return true
        }
    }

    func remove(_ run: UploadRun) { state.withLock { _ = $0.runs.removeValue(forKey: ObjectIdentifier(run)) } }

    /// Takes no more uploads, and returns those that run.
    func close() -> [UploadRun] {
        state.withLock { state in
            state.isClosed = true
            return Array(state.runs.values)
        }
    }
}
