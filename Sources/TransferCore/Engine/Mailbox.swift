internal import TransferPrimitives

/// Inputs from many tasks to one reader, who takes all that wait at once.
final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var reader: CheckedContinuation<[Message], Never>?
    }

    private let state = LockBox(State())

    func send(_ message: Message) {
        let reader: CheckedContinuation<[Message], Never>? = state.withLock { state in
            guard let reader = state.reader else {
                state.messages.append(message)
                return nil
            }
            state.reader = nil
            return reader
        }
        reader?.resume(returning: [message])
    }

    /// All messages that wait; waits for the first. For a single reader.
    func receive() async -> [Message] {
        await withCheckedContinuation { continuation in
            let waiting: [Message] = state.withLock { state in
                if state.messages.isEmpty { state.reader = continuation }
                defer { state.messages = [] }
                return state.messages
            }
            if !waiting.isEmpty { continuation.resume(returning: waiting) }
        }
    }
}
