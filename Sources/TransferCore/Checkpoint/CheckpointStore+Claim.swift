extension CheckpointStore {
    /// Holds the checkpoint named `id` while `body` runs, and lets go of it whichever way that ends.
    package func withClaim(_ id: CheckpointID, _ body: (any CheckpointClaim) async throws -> Void) async throws {
        let claim = try await claim(id)
        do {
            try await body(claim)
        } catch {
            await claim.release()
            throw error
        }
        await claim.release()
    }
}
