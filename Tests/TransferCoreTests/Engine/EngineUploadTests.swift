import TestSupport
import Testing
import TransferCore
import TransferPrimitives

@Suite struct EngineUploadTests {
    let target = ObjectLocation(bucket: "b", key: "k")
    let bytes = (0..<95).map { UInt8($0) }

    @Test func uploadsInPartsAndVerifiesByTheCombinedChecksum() async throws {
        let backend = MemoryBackend()
        let handle = try TransferEngine().upload(.bytes(bytes, name: "n"), to: target, using: backend)
        let receipt = try await handle.value
        #expect(receipt.verification == .crc64)
        #expect(backend.object(target)?.bytes == bytes)
        #expect(backend.log.count { $0.isPart } == 10)
    }

    @Test func aSmallSourceIsOneRequest() async throws {
        let backend = MemoryBackend()
        let handle = try TransferEngine().upload(
            .bytes(bytes, name: "n"), to: target, using: backend, options: TransferOptions(singleRequestLimit: 95))
        #expect(try await handle.value.verification == .crc64)
        #expect(backend.log == [.put])
    }

    @Test func aResumeSendsOnlyWhatIsMissingOrDiffers() async throws {
        let store = MemoryCheckpointStore()
        let hook = TransferCancelHook()
        let backend = MemoryBackend(before: { if $0 == .part(5) { hook.cancel() } })
        let first = try TransferEngine().upload(
            .bytes(bytes, name: "n"), to: target, using: backend,
            options: TransferOptions(concurrency: 1, checkpoint: .store(store), cancelHook: hook))
        await #expect { try await first.value } throws: { ($0 as? TransferError)?.code == .paused }
        // Same name and length, another byte in part 2: the object must be made of the present bytes alone.
        var changed = bytes
        changed[15] ^= 1
        let second = try TransferEngine().upload(
            .bytes(changed, name: "n"), to: target, using: backend, options: TransferOptions(checkpoint: .store(store)))
        _ = try await second.value
        #expect(backend.object(target)?.bytes == changed)
        #expect(backend.log.count { $0 == .create } == 1)
        #expect(backend.log.compactMap(\.partNumber).sorted() == [1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    }
}
