internal import TransferCore

// Transfers by the engine, over the backend under test.

extension Bench {
    /// Starts a transfer over a backend, with options.
    typealias Start = @Sendable (ObservedBackend, TransferOptions) throws -> TransferHandle

    /// Parts of the smallest size, the first run one at a time, so that what is stored when it stops is known.
    private func options(_ store: MemoryCheckpointStore, hook: TransferCancelHook? = nil) -> TransferOptions {
        TransferOptions(
            partSize: partSize, concurrency: hook == nil ? 2 : 1, checkpoint: .store(store), cancelHook: hook,
            // A part that is under way when the pause comes ends and is recorded, however slow the service is.
            pauseGrace: .seconds(3_600))
    }

    /// Runs a transfer that is paused while `step` is under way, and resumes it over another value of the backend. No step that had
    /// succeeded may be done again.
    ///
    /// - Returns: The receipt of the second run.
    func pauseAndResume(at step: ObservedBackend.Step, _ start: Start) async throws -> TransferReceipt {
        let store = MemoryCheckpointStore()
        let hook = TransferCancelHook()
        let first = ObservedBackend(backend, before: { if $0 == step { hook.cancel() } })
        try await expectError(.paused, of: "a transfer that is paused") {
            try await start(first, options(store, hook: hook)).value
        }
        for upload in first.uploads { note(upload) }
        try expectEqual(try await store.pending().count, 1, "the number of records after the pause")
        let second = ObservedBackend(another())
        let receipt = try await start(second, options(store)).value
        for upload in second.uploads { note(upload) }
        let again = first.succeeded.keys.filter { second.succeeded[$0] != nil }
        try expect(again.isEmpty, "\(again) had succeeded before the pause, and should not be done again")
        try expect(
            second.succeeded.values.allSatisfy { $0 == 1 }, "each step should be done once, and was \(second.succeeded)"
        )
        try expectEqual(try await store.pending().count, 0, "the number of records at the end")
        return receipt
    }

    /// Runs a transfer that is aborted while `step` is under way, and expects that nothing is left of it.
    func abort(at step: ObservedBackend.Step, to target: ObjectLocation? = nil, _ start: Start) async throws {
        let store = MemoryCheckpointStore()
        let hook = TransferCancelHook()
        let observed = ObservedBackend(backend, before: { if $0 == step { hook.cancel(abort: true) } })
        try await expectError(.aborted, of: "a transfer that is aborted") {
            try await start(observed, options(store, hook: hook)).value
        }
        try expectEqual(try await store.pending().count, 0, "the number of records after the abort")
        for upload in observed.uploads {
            note(upload)
            try await expectGone(upload, "of a transfer that was aborted")
        }
        if let target { try await expectMissing(target, "whose transfer was aborted") }
    }

    /// Runs a transfer whose Complete succeeds while its answer is lost.
    func loseComplete(_ start: Start) async throws -> TransferReceipt {
        let observed = ObservedBackend(
            backend,
            after: { step in
                if step == .complete { throw TransferError(.connectionFailed, "the answer was lost", attempts: 1) }
            })
        let receipt = try await start(observed, options(MemoryCheckpointStore())).value
        for upload in observed.uploads { note(upload) }
        try expectEqual(observed.succeeded[.complete], 1, "the number of Completes")
        return receipt
    }

    /// The verification that the engine reaches where the backend tells what it claims to.
    func expectVerified(_ receipt: TransferReceipt) throws(Unmet) {
        guard backend.capabilities.checksums.contains(.crc64) else { return }
        try expectEqual(receipt.verification, .crc64, "how far the transfer is verified")
    }
}
