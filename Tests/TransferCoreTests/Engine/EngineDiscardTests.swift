import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// A transfer that stopped and is not to be resumed.
@Suite struct EngineDiscardTests {
    /// A copy that was paused with parts at the service.
    private static func paused(
        before: @escaping @Sendable (MemoryBackend.Request) async throws -> Void = { _ in }
    ) async throws -> (scene: Scene, summary: CheckpointSummary) {
        let hook = TransferCancelHook()
        let scene = Scene(before: { request in
            if request == .part(4) { hook.cancel() }
            try await before(request)
        })
        let handle = try scene.start(scene.options(concurrency: 1, hook: hook, grace: .seconds(60)))
        #expect(await transferError { _ = try await handle.value }?.code == .paused)
        return (scene, try #require(try await scene.store.pending().first))
    }

    private static func discard(_ scene: Scene, _ summary: CheckpointSummary) async throws {
        try await scene.engine.discard(summary, in: scene.store, using: scene.backend)
    }

    @Test func `a copy is given up, at the service and in the store`() async throws {
        let (scene, summary) = try await Self.paused()
        #expect(scene.backend.openUploads == [summary.uploadID])
        try await Self.discard(scene, summary)
        #expect(scene.backend.openUploads.isEmpty)
        #expect(try await scene.store.pending().isEmpty)
        #expect(scene.backend.log.last == .abort)
    }

    @Test func `an upload is given up alike`() async throws {
        let hook = TransferCancelHook()
        let scene = Scene(before: { if $0 == .part(2) { hook.cancel() } })
        let handle = try scene.engine.upload(
            .bytes(Scene.bytes, name: "bytes"), to: Scene.target, using: scene.backend,
            options: {
                var options = scene.options(concurrency: 1, hook: hook, grace: .seconds(60))
                options.singleRequestLimit = 10
                return options
            }())
        #expect(await transferError { _ = try await handle.value }?.code == .paused)
        try await Self.discard(scene, try #require(try await scene.store.pending().first))
        #expect(scene.backend.openUploads.isEmpty)
        #expect(try await scene.store.pending().isEmpty)
    }

    @Test func `a failed abort keeps the record, free for whoever resumes it`() async throws {
        let (scene, summary) = try await Self.paused(before: {
            if $0 == .abort { throw TransferError(.accessDenied, "no") }
        })
        #expect(await transferError { try await Self.discard(scene, summary) }?.code == .accessDenied)
        #expect(try await scene.store.pending() == [summary])
        try await scene.resume()
        #expect(scene.isCopied)
    }

    @Test func `what runs is not given up`() async throws {
        let scene = Scene()
        let id = CheckpointID(copyOf: Scene.source, to: Scene.target, at: "memory")
        let claim = try await scene.store.claim(id)
        try await claim.begin(
            TransferCheckpoint(
                kind: .copy, provider: "memory", target: Scene.target,
                source: SourceIdentity(size: 95, object: Scene.source), partSize: 10, partCount: 10, uploadID: "u",
                optionsDigest: ""))
        let summary = try #require(try await scene.store.pending().first)
        #expect(await transferError { try await Self.discard(scene, summary) }?.code == .checkpointInUse)
        #expect(scene.backend.log.isEmpty)
        await claim.release()
    }

    @Test func `a record that is another one by now stays`() async throws {
        let (scene, summary) = try await Self.paused()
        var seen = summary
        seen.uploadID = "earlier"
        let error = await transferError { try await Self.discard(scene, seen) }
        #expect(error?.code == .conflict)
        #expect(error?.uploadID == "earlier")
        #expect(try await scene.store.pending() == [summary])
        #expect(scene.backend.openUploads == [summary.uploadID])
    }

    @Test func `a second time there is nothing to give up`() async throws {
        let (scene, summary) = try await Self.paused()
        try await Self.discard(scene, summary)
        #expect(await transferError { try await Self.discard(scene, summary) }?.code == .conflict)
        #expect(scene.backend.log.filter { $0 == .abort }.count == 1)
    }

    @Test func `what another provider or nobody recorded is refused`() async throws {
        let (scene, summary) = try await Self.paused()
        var foreign = summary
        foreign.provider = "other"
        var unknown = summary
        unknown.kind = .init(rawValue: "mirror")
        var sourceless = summary
        sourceless.source.object = nil
        for summary in [foreign, unknown, sourceless] {
            let error = await transferError { try await Self.discard(scene, summary) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.field == "transfer")
        }
        #expect(try await scene.store.pending() == [summary])
        #expect(!scene.backend.log.contains(.abort))
    }
}
