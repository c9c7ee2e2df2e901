import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// Failures for good, lost answers, and what they leave.
@Suite(.timeLimit(.minutes(2))) struct EngineFailureTests {
    /// FR-005, FR-032: what was acknowledged is recorded, the upload stays, and the error names it.
    @Test func aFailedPartKeepsTheOthers() async throws {
        let failing = LockBox(true)
        let scene = Scene(before: { request in
            if request == .part(1), failing.withLock({ $0 }) { throw TransferError(.serviceUnavailable, "500") }
        })
        let gate = scene.holds.hold(.part(1))
        let handle = try scene.start(scene.options(concurrency: 3))
        await scene.holds.arrival(of: .part(10))
        while !scene.labels.contains("done(10)") { await Task.yield() }
        gate.open()
        let error = await transferError { try await handle.value }
        #expect(error?.code == .serviceUnavailable)
        #expect(error?.part == 1)
        #expect(error?.uploadID == "upload-1")
        #expect(try await scene.pendingParts() == 9)
        #expect(!scene.backend.log.contains(.abort))
        failing.withLock { $0 = false }
        let before = scene.backend.log.count
        try await scene.resume()
        #expect(scene.backend.log[before...].compactMap(\.partNumber) == [1])
        #expect(scene.isCopied)
    }

    @Test func withoutARecordAFailureAbortsOnce() async throws {
        let scene = Scene(before: { if $0 == .part(3) { throw TransferError(.serviceUnavailable, "500") } })
        let handle = try scene.start(scene.options(keeps: false))
        #expect(await transferError { try await handle.value }?.code == .serviceUnavailable)
        #expect(scene.backend.log.count { $0 == .abort } == 1)
        #expect(scene.backend.openUploads.isEmpty)
    }

    /// FR-031: nothing starts after a failure for good.
    @Test func nothingStartsAfterAFailure() async throws {
        // The parts behind stay on their way, so that the failure is the next to come in.
        let behind = Gate()
        let scene = Scene(
            bytes: [UInt8](repeating: 1, count: 1000),
            before: { request in
                if request == .part(5) { throw TransferError(.accessDenied, "403") }
                if let number = request.partNumber, number > 5 { await behind.wait() }
            })
        var options = scene.options(concurrency: 4)
        let record = options.onEvent
        options.onEvent = { event in
            record?(event)
            if case .stopping = event { behind.open() }
        }
        let handle = try scene.start(options)
        #expect(await transferError { try await handle.value }?.code == .accessDenied)
        #expect(scene.partNumbers.filter { $0 > 5 }.count <= 3)
        #expect(scene.labels.count { $0.hasPrefix("stopping") } == 1)
    }

    @Test func aDenialAbortsWhereAsked() async throws {
        let scene = Scene(before: { if $0 == .part(5) { throw TransferError(.accessDenied, "403") } })
        var options = scene.options()
        options.abortsOnDenial = true
        #expect(await transferError { try await scene.start(options).value }?.code == .accessDenied)
        #expect(scene.backend.openUploads.isEmpty)
        #expect(try await scene.pendingParts() == nil)
    }

    @Test func everyStepMayFail() async throws {
        for (request, code) in [
            (MemoryBackend.Request.head(Scene.source), TransferError.Code.notFound), (.create, .accessDenied),
            (.part(1), .timedOut), (.complete, .refused),
        ] {
            let scene = Scene(before: { if $0 == request { throw TransferError(code, "no") } })
            let error = await transferError { try await scene.start().value }
            #expect(error?.code == code)
            #expect(scene.labels.count { $0.hasPrefix("stopping") } == 1)
            #expect(scene.backend.object(Scene.target) == nil)
            if request == .create { #expect(scene.labels.contains("creationFailed(accessDenied)")) }
            if request == .complete { #expect(scene.labels.contains("completionFailed(refused)")) }
        }
    }

    // MARK: Lost answers

    @Test func aLostAnswerOfCompleteIsFoundAtTheObject() async throws {
        for code in [TransferError.Code.connectionFailed, .timedOut, .malformedResponse, .serviceUnavailable] {
            let scene = Scene(after: { if $0 == .complete { throw TransferError(code, "lost") } })
            let receipt = try await scene.start().value
            #expect(receipt.verification == .crc64)
            #expect(receipt.uploadID == "upload-1")
            #expect(scene.backend.log.suffix(2) == [.complete, .head(Scene.target)])
            #expect(try await scene.pendingParts() == nil)
            #expect(scene.labels.suffix(2) == ["progress(95 end)", "completed"])
        }
    }

    /// The process dies after Complete was performed: the next call finds the object and sends nothing.
    @Test func aCompletedUploadIsFoundByTheNextCall() async throws {
        let lost = LockBox(true)
        let scene = Scene(
            before: {
                if case .head(Scene.target) = $0, lost.withLock({ $0 }) {
                    throw TransferError(.connectionFailed, "down")
                }
            },
            after: { if $0 == .complete { throw TransferError(.connectionFailed, "lost") } })
        let error = await transferError { try await scene.start().value }
        #expect(error?.code == .outcomeUnknown)
        #expect((error?.underlying as? TransferError)?.code == .connectionFailed)
        #expect(!scene.backend.log.contains(.abort))
        #expect(try await scene.pendingParts() == 10)
        lost.withLock { $0 = false }
        let before = scene.backend.log.count
        #expect(try await scene.resume().verification == .crc64)
        #expect(Array(scene.backend.log[before...]) == [.head(Scene.source), .list, .head(Scene.target)])
        #expect(try await scene.pendingParts() == nil)
    }

    /// An error that is none of the library's says nothing about what Complete did.
    @Test func anUnknownErrorOfCompleteLeavesTheOutcomeOpen() async throws {
        struct Own: Error {}
        let stored = Scene(after: { if $0 == .complete { throw Own() } })
        #expect(try await stored.start().value.verification == .crc64)
        let open = Scene(before: { if $0 == .complete { throw Own() } })
        #expect(await transferError { try await open.start(open.options(keeps: false)).value }?.code == .outcomeUnknown)
        #expect(!open.backend.log.contains(.abort))
        #expect(open.labels.contains("left(upload-1 outcomeUnknown)"))
        let part = Scene(before: { if $0 == .part(1) { throw Own() } })
        #expect(await transferError { try await part.start().value }?.code == .refused)
    }

    // MARK: Backends that do not keep their word

    @Test func anAnswerForAnotherPartIsRefused() async throws {
        let backend = CrossedBackend()
        backend.base.put(.init(Scene.bytes), at: Scene.source)
        let handle = try TransferEngine().copy(from: Scene.source, to: Scene.target, using: backend)
        let error = await transferError { try await handle.value }
        #expect(error?.code == .malformedResponse)
        #expect(error?.part == 2)
    }

    /// FR-029: one end a call, over a thousand calls.
    @Test func everyCallEndsOnce() async throws {
        let ends = LockBox(0)
        for number in 0..<250 {
            let scene = Scene(
                bytes: [1, 2, 3], before: { if number % 3 == 0, $0 == .part(1) { throw TransferError(.refused, "no") } }
            )
            var options = scene.options()
            options.onEvent = { event in
                switch event {
                case .stopping, .completed: ends.withLock { $0 += 1 }
                default: break
                }
            }
            _ = await transferError { try await scene.start(options).value }
        }
        #expect(ends.withLock { $0 } == 250)
    }
}

/// Answers for part 2 with another number.
private struct CrossedBackend: CopyBackend {
    let base = MemoryBackend()
    var provider: String { base.provider }
    var capabilities: BackendCapabilities { base.capabilities }

    func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange, ifMatch: ETag?
    ) async throws -> CompletedPart {
        var part = try await base.uploadPartCopy(number, of: upload, from: source, range: range, ifMatch: ifMatch)
        if number == 2 { part.number = 7 }
        return part
    }

    func headObject(_ object: ObjectLocation) async throws -> ObjectInfo { try await base.headObject(object) }
    func putObject(_ body: PartBody, at target: ObjectLocation, options: ObjectOptions) async throws -> TransferReceipt
    {
        try await base.putObject(body, at: target, options: options)
    }
    func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, ifMatch: ETag?, options: ObjectOptions
    ) async throws -> TransferReceipt {
        try await base.copyObject(source, to: target, ifMatch: ifMatch, options: options)
    }
    func createMultipartUpload(at target: ObjectLocation, options: ObjectOptions) async throws -> MultipartUpload {
        try await base.createMultipartUpload(at: target, options: options)
    }
    func uploadPart(_ number: Int, of upload: MultipartUpload, body: PartBody) async throws -> CompletedPart {
        try await base.uploadPart(number, of: upload, body: body)
    }
    func listParts(of upload: MultipartUpload) async throws -> [CompletedPart] { try await base.listParts(of: upload) }
    func completeMultipartUpload(_ upload: MultipartUpload, parts: [CompletedPart]) async throws -> TransferReceipt {
        try await base.completeMultipartUpload(upload, parts: parts)
    }
    func abortMultipartUpload(_ upload: MultipartUpload) async throws { try await base.abortMultipartUpload(upload) }
}
