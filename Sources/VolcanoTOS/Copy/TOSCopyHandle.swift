public import TransferCore

/// A running copy. It goes on whether or not anybody holds the handle.
public struct TOSCopyHandle: Sendable {
    let handle: TransferHandle
    let target: ObjectLocation

    /// The result, once the copy has ended and its listener has been told everything. Cancelling the task that waits here
    /// pauses the copy.
    ///
    /// - Throws: As `TOSClient.resumableCopyObject(_:)`.
    public var value: TOSResumableCopyObjectOutput {
        get async throws { TOSResumableCopyObjectOutput(try await handle.value, target: target) }
    }

    /// Everything that happens, in the engine's terms: progress, resumption and restarts with their reasons as well. For
    /// one reader.
    public var events: TransferEvents { handle.events }

    /// Asks the copy to stop and returns at once: `abort: false` pauses it, `abort: true` aborts the upload and removes
    /// the checkpoint. Late or repeated calls do nothing.
    public func cancel(abort: Bool = false) { handle.cancel(abort ? .abort : .pause) }
}
