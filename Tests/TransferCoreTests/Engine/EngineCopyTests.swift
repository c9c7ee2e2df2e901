import TestSupport
import Testing
import TransferCore

@Suite struct EngineCopyTests {
    let source = ObjectLocation(bucket: "a", key: "k")
    let target = ObjectLocation(bucket: "b", key: "k")

    @Test func copiesInPartsAndVerifies() async throws {
        let backend = MemoryBackend()
        backend.put(.init((0..<95).map { UInt8($0) }), at: source)
        let handle = try TransferEngine().copy(from: source, to: target, using: backend)
        let receipt = try await handle.value
        #expect(receipt.verification == .crc64)
        #expect(backend.object(target)?.bytes == backend.object(source)?.bytes)
        #expect(backend.log.filter { if case .part = $0 { true } else { false } }.count == 10)
        #expect(backend.openUploads.isEmpty)
    }

    @Test func pausesAndResumesWithoutCopyingAPartAgain() async throws {
        let store = MemoryCheckpointStore()
        let hook = TransferCancelHook()
        let backend = MemoryBackend(before: { if $0 == .part(5) { hook.cancel() } })
        backend.put(.init((0..<95).map { UInt8($0) }), at: source)
        let first = try TransferEngine().copy(
            from: source, to: target, using: backend,
            options: TransferOptions(concurrency: 1, checkpoint: .store(store), cancelHook: hook))
        await #expect { try await first.value } throws: { ($0 as? TransferError)?.code == .paused }
        let before = try #require(try await store.pending().first).partsDone
        #expect(before == 5)
        let second = try TransferEngine().copy(
            from: source, to: target, using: backend, options: TransferOptions(checkpoint: .store(store)))
        _ = try await second.value
        #expect(backend.object(target)?.bytes == backend.object(source)?.bytes)
        #expect(backend.log.filter { $0 == .create }.count == 1)
        let parts = backend.log.compactMap { if case .part(let number) = $0 { number } else { nil } }
        #expect(parts.sorted() == Array(1...10))
        #expect(try await store.pending().isEmpty)
    }
}
