import TransferPrimitives

/// Whose turn it is: one request of each upload at a time.
final class UploadTurns: Sendable {
    private let taken = LockBox<Set<String>>([])

    /// Takes the turn of an upload; false while another request has it.
    func take(_ uploadID: String) -> Bool { taken.withLock { $0.insert(uploadID).inserted } }

    func give(_ uploadID: String) { taken.withLock { _ = $0.remove(uploadID) } }
}
