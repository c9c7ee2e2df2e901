import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// The window of parts in flight: never too many, never fewer than there could be.
@Suite(.timeLimit(.minutes(2))) struct EngineWindowTests {
    /// A slot that becomes free is filled at once, whichever part it was; never a batch.
    @Test(arguments: [1, 3, 4, 10, 64]) func isAlwaysFull(_ concurrency: Int) async throws {
        let scene = Scene()
        let gates = (1...10).map { number in scene.holds.hold(.part(number)) }
        let handle = try scene.start(scene.options(concurrency: concurrency))
        var random = SeededRandom(seed: UInt64(concurrency))
        var done: Set<Int> = []
        for round in 0..<10 {
            let expected = min(concurrency, 10 - round)
            let ended = done
            await scene.holds.until { book in
                book.waiting.count == expected && book.waiting.allSatisfy { !ended.contains($0.partNumber ?? 0) }
            }
            let parts = scene.holds.book.waiting.compactMap(\.partNumber)
            #expect(parts.count == expected)
            let next = try #require(parts.randomElement(using: &random))
            done.insert(next)
            gates[next - 1].open()
        }
        #expect(try await handle.value.verification == .crc64)
        #expect(scene.partNumbers.sorted() == Array(1...10))
        #expect(scene.isCopied)
    }

    @Test(arguments: 1...8) func isNeverExceeded(_ concurrency: Int) async throws {
        let live = LockBox((now: 0, most: 0))
        let scene = Scene(
            bytes: (0..<500).map { UInt8(truncatingIfNeeded: $0) },
            before: { request in
                guard request.isPart else { return }
                live.withLock { live in
                    live.now += 1
                    live.most = max(live.most, live.now)
                }
                await Task.yield()
            },
            after: { request in if request.isPart { live.withLock { $0.now -= 1 } } })
        let handle = try scene.start(scene.options(concurrency: concurrency))
        _ = try await handle.value
        #expect(live.withLock { $0.most } <= concurrency)
        #expect(scene.partNumbers.sorted() == Array(1...50))
        #expect(scene.isCopied)
    }

    /// Many transfers at once, over one service and one store.
    @Test func manyTransfersAtOnce() async throws {
        let scene = Scene()
        let store = scene.store
        let backend = scene.backend
        for number in 0..<20 {
            backend.put(.init(Scene.bytes + [UInt8(number)]), at: ObjectLocation(bucket: "a", key: "\(number)"))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let source = ObjectLocation(bucket: "a", key: "\(number)")
                    let target = ObjectLocation(bucket: "b", key: "\(number)")
                    let handle = try TransferEngine().copy(
                        from: source, to: target, using: backend,
                        options: TransferOptions(concurrency: 1 + number % 4, checkpoint: .store(store)))
                    _ = try await handle.value
                    #expect(backend.object(target)?.bytes == Scene.bytes + [UInt8(number)])
                }
            }
            try await group.waitForAll()
        }
        #expect(backend.openUploads.isEmpty)
        #expect(try await store.pending().isEmpty)
    }

    @Test func aSecondCallForTheSameTransferIsRefused() async throws {
        let scene = Scene()
        let gate = scene.holds.hold(.part(1))
        let first = try scene.start()
        await scene.holds.arrival(of: .part(1))
        let second = try scene.start(scene.options(hook: TransferCancelHook()))
        #expect(await transferError { try await second.value }?.code == .checkpointInUse)
        #expect(scene.backend.log.count { $0 == .head(Scene.source) } == 1, "before any request")
        var options = scene.options(hook: TransferCancelHook())
        options.whenCheckpointIsInUse = .runUnrecorded
        let third = try scene.start(options)
        gate.open()
        #expect(try await third.value.verification == .crc64)
        #expect(scene.labels.contains("unrecorded(checkpointInUse)"))
        #expect(try await first.value.verification == .crc64)
        #expect(scene.backend.openUploads.isEmpty)
    }
}
