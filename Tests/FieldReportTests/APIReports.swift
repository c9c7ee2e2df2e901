import Foundation
import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// Field reports about what callers are told: progress, events, errors, results.
@Suite("Field reports: progress, events, errors, results") struct APIReports {
    // MARK: FR-099

    @Test("FR-099: a copy in parts tells of each part, in the order in which they came to stand", arguments: [1, 3])
    func copyEvents(atOnce: Int) async throws {
        let partSize = Int64(CopyFixture.partSize)
        let fixture = try await CopyFixture(size: 9 * UInt64(partSize) + 17)
        let log = EventLog()
        var input = fixture.input(log)
        input.taskNum = atOnce
        // With three at once the second and third overtake the first.
        let held = fixture.server.faults.add(.on(.uploadPartCopy).part(1), .hold)
        let copy = try fixture.client.startResumableCopyObject(input)
        var progress: [TransferProgress] = []
        var resumptions = 0
        var done = 0
        if atOnce == 1 {
            try await held.waitUntilHeld()
            held.release()
        }
        for await event in copy.events {
            switch event {
            case .progress(let now): progress.append(now)
            case .resumed: resumptions += 1
            case .partCompleted:
                done += 1
                if done == 9 { held.release() }
            default: break
            }
        }
        let output = try await copy.value
        #expect(log.types == [1] + Array(repeating: 3, count: 10) + [6])
        let parts = log.all.compactMap(\.copyPartInfo)
        let numbers = parts.map(\.partNumber)
        #expect(numbers.sorted() == Array(1...10))
        #expect(atOnce == 1 ? numbers == Array(1...10) : numbers.last == 1, "\(numbers)")
        for part in parts {
            let start = Int64(part.partNumber - 1) * partSize
            #expect(part.copySourceRangeStart == start)
            #expect(part.copySourceRangeEnd == min(start + partSize, 9 * partSize + 17) - 1)
            let stored = fixture.server.wireLog.entries(of: .uploadPartCopy).first {
                $0.request.partNumber == part.partNumber
            }
            #expect(stored?.status == 200)
            #expect(part.eTag?.isEmpty == false)
        }
        #expect(log.all.allSatisfy { $0.uploadID == output.uploadID })
        #expect(resumptions == 0)
        // Bytes done grow, and reach all at the end.
        let bytes = progress.map(\.completedBytes)
        #expect(bytes == bytes.sorted() && Set(bytes).count == bytes.count)
        #expect(
            progress.last
                == TransferProgress(
                    completedBytes: fixture.source.length, totalBytes: fixture.source.length, isFinished: true))
    }

    @Test(
        "FR-099: parts that a resumed copy need not make again are reported as such", arguments: [Wire.oss, .tos, .s3])
    func resumedCopyEvents(_ wire: Wire) async throws {
        let scene = try await WireScene(wire)
        let partSize: UInt64 = 5 << 20
        try scene.server.storage.putObject("big", in: "src-bucket", .pretended(length: 10 * partSize))
        let directory = try TemporaryDirectory()
        let store = FileCheckpointStore(path: directory.path("checkpoint"))
        let engine = TransferEngine()
        let source = ObjectLocation(bucket: "src-bucket", key: "big")
        let hook = TransferCancelHook()
        let stalled = scene.server.faults.add(.on(.uploadPartCopy).parts(5...10), .stall)
        let first = try engine.copy(
            from: source, to: scene.target, using: scene.backend,
            options: TransferOptions(
                partSize: partSize, concurrency: 1, checkpoint: .store(store), cancelHook: hook, pauseGrace: .zero))
        try await scene.server.wireLog.waitFor(count: 5, operation: .uploadPartCopy)
        hook.cancel()
        let paused = await failure { _ = try await first.value }
        #expect(paused?.code == .paused)
        stalled.remove()
        let second = try engine.copy(
            from: source, to: scene.target, using: scene.backend,
            options: TransferOptions(partSize: partSize, concurrency: 1, checkpoint: .store(store)))
        var kinds: [String] = []
        for await event in second.events {
            switch event {
            case .resumed(_, let parts, let bytes): kinds.append("resumed \(parts) \(bytes)")
            case .partCompleted(let part, let range):
                kinds.append("part \(part.number) \(range.offset) \(range.length)")
                #expect(!part.etag.isEmpty)
            case .completed: kinds.append("completed")
            case .uploadCreated: kinds.append("created")
            default: break
            }
        }
        _ = try await second.value
        let parts = (5...10).map { "part \($0) \(UInt64($0 - 1) * partSize) \(partSize)" }
        #expect(kinds == ["resumed 4 \(4 * partSize)"] + parts + ["completed"])
    }

    // MARK: FR-100

    /// Uploads with a clock that is a tenth of a second further at every look, so that every movement is reported.
    private func upload(
        _ source: UploadSource, _ scene: WireScene, parallel: Int = 4, clock: any TransferClock = SteppingClock(),
        checkpoint: TransferOptions.CheckpointPolicy = .none, hook: TransferCancelHook? = nil,
        partSize: UInt64 = 5 << 20, singleRequestLimit: UInt64 = 5 << 20
    ) throws -> (handle: TransferHandle, events: Events) {
        let events = Events()
        let handle = try TransferEngine(clock: clock).upload(
            source, to: ObjectLocation(bucket: "dst-bucket", key: "up"), using: scene.backend,
            options: TransferOptions(
                partSize: partSize, concurrency: parallel, checkpoint: checkpoint, cancelHook: hook, pauseGrace: .zero,
                singleRequestLimit: singleRequestLimit, onEvent: { events.append($0) }))
        return (handle, events)
    }

    @Test("FR-100: progress stays within its bounds when every part breaks off once", arguments: [Wire.oss, .tos, .s3])
    func progressOverRepeats(_ wire: Wire) async throws {
        let scene = try await WireScene(wire, retries: 3)
        let partSize: UInt64 = 5 << 20
        let size = 10 * partSize
        scene.server.faults.add(.on(.uploadPart).first(1).ofEachPart, .resetInBody(after: partSize * 7 / 10))
        let (handle, events) = try upload(Self.source(size), scene)
        _ = try await handle.value
        #expect(scene.server.wireLog.count(of: .uploadPart) == 20)
        Self.expectSound(events.progress, total: size)
        #expect(events.progress.count > 10)
        #expect(events.progress.last?.completedBytes == size)
    }

    @Test("FR-100: uploads to VOD and downloads stay within them as well")
    func progressOfOthersOverRepeats() async throws {
        let fixture = try await VODFixture()
        let size = 10 * VODFixture.partSize
        fixture.server.faults.add(
            .on(.uploadPart).first(1).ofEachPart, .resetInBody(after: UInt64(VODFixture.partSize * 7 / 10)))
        let seen = LockBox<[(Double, UInt64, UInt64)]>([])
        var options = VODUploadOptions()
        options.onProgress = { percent, uploaded, total in seen.withLock { $0.append((percent, uploaded, total)) } }
        _ = try await fixture.uploader().uploadFile(fixture.file(size: size), options: options)
        let progress = seen.withLock { $0 }
        #expect(progress.allSatisfy { $0.1 <= $0.2 && $0.2 == UInt64(size) && (0...1).contains($0.0) })
        #expect(progress.map(\.1) == progress.map(\.1).sorted())
        #expect(progress.count { $0.0 == 1 } == 1)
        #expect(progress.last?.0 == 1)

        let scene = try await WireScene(.s3, retries: 3)
        try scene.server.storage.putObject("big", in: "src-bucket", .pretended(length: 50 << 20))
        scene.server.faults.add(.on(.getObject).first(4), .resetInAnswer(after: 3 << 20))
        let directory = try TemporaryDirectory()
        let events = Events()
        _ = try await TransferEngine(clock: SteppingClock()).download(
            ObjectLocation(bucket: "src-bucket", key: "big"), to: directory.path("down"), using: scene.backend,
            options: TransferOptions(partSize: 5 << 20, onEvent: { events.append($0) })
        ).value
        Self.expectSound(events.progress, total: 50 << 20)
        #expect(events.progress.last?.isFinished == true)
    }

    /// Within its bounds, growing, and finished once, at the end.
    fileprivate static func expectSound(_ progress: [TransferProgress], total: UInt64) {
        #expect(progress.allSatisfy { $0.completedBytes <= total && $0.totalBytes == total })
        #expect(progress.map(\.completedBytes) == progress.map(\.completedBytes).sorted())
        #expect(progress.count { $0.fraction == 1 } == 1)
        #expect(progress.last?.fraction == 1)
        #expect(progress.dropLast().allSatisfy { $0.completedBytes < max(total, 1) })
    }

    // MARK: FR-101

    private static let partSize: UInt64 = 5 << 20
    private static let sizes = [0, 1, partSize - 1, partSize, 3 * partSize + 1]

    @Test(
        "FR-101: progress reaches the whole once, after the service confirmed it and before the caller hears of it",
        arguments: [Wire.oss, .tos, .s3], sizes)
    func lastProgress(_ wire: Wire, _ size: UInt64) async throws {
        let scene = try await WireScene(wire)
        // The object stands, and the answer that says so is held.
        let held = scene.server.faults.add(.on(.completeMultipartUpload, .putObject), .holdAnswer)
        let (handle, events) = try upload(Self.source(size), scene)
        try await held.waitUntilHeld()
        #expect(events.progress.allSatisfy { $0.fraction < 1 && $0.completedBytes < max(size, 1) })
        held.release()
        _ = try await handle.value
        Self.expectSound(events.progress, total: size)
        let kinds = events.all.map { event -> String in
            switch event {
            case .progress(let progress): progress.fraction == 1 ? "whole" : "progress"
            case .completed: "completed"
            default: "other"
            }
        }
        #expect(kinds.suffix(2) == ["whole", "completed"], "\(kinds)")
    }

    @Test(
        "FR-101: the callback of an upload to VOD hears it in the same order",
        arguments: [0, 1, 3 * VODFixture.partSize + 1])
    func lastProgressOfVOD(_ size: Int) async throws {
        let fixture = try await VODFixture()
        let told = LockBox<[String]>([])
        var options = VODUploadOptions()
        options.onProgress = { percent, uploaded, total in
            told.withLock { $0.append(percent == 1 && uploaded == total ? "whole" : "progress") }
        }
        let path = try fixture.file(size: size)
        let uploader = try fixture.uploader()
        await withCheckedContinuation { continuation in
            uploader.uploadFile(path, options: options) { result in
                told.withLock { $0.append((try? result.get()) == nil ? "failed" : "success") }
                continuation.resume()
            }
        }
        let all = told.withLock { $0 }
        #expect(all.suffix(2) == ["whole", "success"])
        #expect(all.count { $0 == "whole" } == 1)
    }

    @Test("FR-101: a copy of 10 GiB reaches the whole as well")
    func lastProgressOf10GiB() async throws {
        let scene = try await WireScene(.tos)
        try scene.server.storage.putObject("big", in: "src-bucket", .pretended(length: 10 << 30))
        let events = Events()
        _ = try await TransferEngine(clock: SteppingClock()).copy(
            from: ObjectLocation(bucket: "src-bucket", key: "big"), to: scene.target, using: scene.backend,
            options: TransferOptions(partSize: 64 << 20, onEvent: { events.append($0) })
        ).value
        Self.expectSound(events.progress, total: 10 << 30)
    }

    // MARK: FR-102

    @Test("FR-102: a resumed transfer begins at what is stored", arguments: [Wire.oss, .tos, .s3])
    func resumedProgress(_ wire: Wire) async throws {
        let scene = try await WireScene(wire)
        let partSize: UInt64 = 5 << 20
        let source = Self.source(10 * partSize)
        let directory = try TemporaryDirectory()
        let checkpoint = TransferOptions.CheckpointPolicy.store(FileCheckpointStore(path: directory.path("checkpoint")))
        let hook = TransferCancelHook()
        let stalled = scene.server.faults.add(.on(.uploadPart).parts(6...10), .stall)
        let (first, before) = try upload(source, scene, parallel: 1, checkpoint: checkpoint, hook: hook)
        try await scene.server.wireLog.waitFor(count: 6, operation: .uploadPart)
        hook.cancel()
        let paused = await failure { _ = try await first.value }
        #expect(paused?.code == .paused)
        #expect(before.progress.allSatisfy { $0.completedBytes < 10 * partSize })
        stalled.remove()
        let (second, after) = try upload(source, scene, parallel: 1, checkpoint: checkpoint)
        _ = try await second.value
        #expect(after.progress.first.map { $0.completedBytes >= 5 * partSize } == true)
        Self.expectSound(after.progress, total: 10 * partSize)
        // Bytes on their way are added to what is stored.
        let range = 5 * partSize + 1..<9 * partSize
        #expect(after.progress.contains { range.contains($0.completedBytes) && $0.completedBytes % partSize != 0 })
        let stored = scene.server.wireLog.entries(of: .uploadPart).filter { $0.status == 200 }.map(\.request.partNumber)
        #expect(stored.compactMap(\.self).sorted() == Array(1...10))
    }

    @Test("FR-102: so does one to VOD")
    func resumedProgressOfVOD() async throws {
        let fixture = try await VODFixture()
        let size = 10 * VODFixture.partSize
        let path = try fixture.file(size: size)
        let stalled = fixture.server.faults.add(.on(.uploadPart).parts(6...10), .stall)
        let uploader = try fixture.uploader { $0.parallel = 1 }
        let task = uploader.uploadTask(path)
        task.events.ignore()
        try await fixture.server.wireLog.waitFor(count: 6, operation: .uploadPart)
        task.cancel()
        let paused = await uploadFailure { _ = try await task.value }
        #expect(paused?.isCancellation == true)
        stalled.remove()
        let seen = LockBox<[UInt64]>([])
        var options = VODUploadOptions()
        options.onProgress = { _, uploaded, _ in seen.withLock { $0.append(uploaded) } }
        _ = try await uploader.uploadFile(path, options: options)
        #expect(seen.withLock { $0.first }.map { $0 >= UInt64(size / 2) } == true)
        #expect(seen.withLock { $0 } == seen.withLock { $0.sorted() })
    }

    // MARK: FR-103

    @Test("FR-103: progress moves within a part, at least once a second and at most ten times")
    func progressWithinParts() async throws {
        let scene = try await WireScene(.oss)
        let size: UInt64 = 32 << 20
        // 256 KiB at a look, and 30 ms later each time.
        let clock = SteppingClock(step: .milliseconds(30))
        let (handle, events) = try upload(
            Self.source(size), scene, parallel: 1, clock: clock, partSize: size, singleRequestLimit: 0)
        _ = try await handle.value
        #expect(scene.server.wireLog.count(of: .uploadPart) == 1)
        let withinPart = events.all.prefix { if case .partCompleted = $0 { false } else { true } }
        let count = withinPart.count { if case .progress = $0 { true } else { false } }
        let seconds = Double(clock.looks) * 0.03
        #expect(Double(count) >= seconds, "\(count) in \(seconds) s")
        #expect(Double(count) <= seconds * 10 + 1, "\(count) in \(seconds) s")
        Self.expectSound(events.progress, total: size)
    }

    @Test("FR-103: 64 parts at once are no flood")
    func progressOfManyParts() async throws {
        let scene = try await WireScene(.oss)
        let partSize: UInt64 = 100 << 10
        // No time passes at all.
        let (handle, events) = try upload(
            Self.source(128 * partSize), scene, parallel: 64, clock: SteppingClock(step: .zero), partSize: partSize,
            singleRequestLimit: 0)
        _ = try await handle.value
        #expect(scene.server.wireLog.count(of: .uploadPart) == 128)
        // One when the parts were done that stood first, one at the end, and what the parts themselves add.
        let meters = events.progress.count
        #expect(meters <= 2 + 128)
        let (slow, others) = try upload(
            Self.source(32 * partSize), scene, parallel: 1, clock: SteppingClock(step: .zero),
            partSize: 32 * partSize, singleRequestLimit: 0)
        _ = try await slow.value
        #expect(others.progress.count <= 3)
    }

    // MARK: FR-104

    /// A refusal of the service.
    struct Refusal: CustomTestStringConvertible {
        let status: Int
        let code: String

        var testDescription: String { "\(status) \(code)" }

        static let all = [
            (403, "AccessDenied"), (403, "InvalidObjectState"), (403, "SomethingNew"), (404, "NoSuchBucket"),
            (404, "NoSuchKey"), (404, "NoSuchUpload"), (404, "NoSuchVersion"), (405, "MethodNotAllowed"),
            (409, "OperationAborted"), (409, "ObjectNotAppendable"), (411, "MissingContentLength"),
            (412, "PreconditionFailed"), (416, "InvalidRange"), (301, "PermanentRedirect"), (307, "TemporaryRedirect"),
            (400, "InvalidPart"), (400, "EntityTooLarge"), (500, "InternalError"), (501, "NotImplemented"),
            (503, "ServiceUnavailable"),
        ].map { Refusal(status: $0.0, code: $0.1) }
    }

    @Test("FR-104: an error says what, where and by whom, and no secret", arguments: Wire.allCases, Refusal.all)
    func errorsAreWhole(_ wire: Wire, _ refusal: Refusal) async throws {
        let scene = try await WireScene(wire)
        for call in WireCall.allCases {
            // These two find nothing to end, which is what was wanted.
            if call == .abort, refusal.code == "NoSuchUpload" { continue }
            let fault = scene.server.faults.add(
                .on(call.operation), .status(refusal.status, code: refusal.code, message: "Because of\n\(call)."))
            let error = try #require(await scene.failure(of: call))
            fault.remove()
            let comment: Comment = "\(call): \(error)"
            #expect(error.service?.status == refusal.status, comment)
            #expect(error.service?.requestID?.isEmpty == false, comment)
            #expect(error.operation?.isEmpty == false, comment)
            #expect(error.provider == scene.backend.provider, comment)
            let isOfSource = [.head, .get, .delete].contains(call)
            #expect(error.object?.bucket == (isOfSource ? scene.source : scene.target).bucket, comment)
            #expect(error.object?.key == (isOfSource ? scene.source : scene.target).key, comment)
            #expect(error.attempts == 1, comment)
            #expect(error.underlying != nil, comment)
            #expect((error.part == 1) == [.part, .partCopy].contains(call), comment)
            if [.part, .partCopy, .list, .complete, .abort].contains(call) {
                #expect(error.uploadID == scene.upload.id, comment)
            }
            // The answer to HEAD has no document; OSS says it in a header.
            if call != .head {
                #expect(error.service?.code == refusal.code, comment)
                #expect(
                    error.service?.message == "Because of\n\(call)." || error.service?.message == "Because of \(call).",
                    comment)
            }
            for text in [error.description, error.shortDescription, error.localizedDescription] {
                #expect(!text.contains { $0.isNewline })
            }
            for text in [error.description, String(reflecting: error)] {
                for secret in [scene.server.secretKey, "Signature=", "Authorization", scene.server.accessKey] {
                    #expect(!text.contains(secret), comment)
                }
            }
        }
    }

    @Test("FR-104: a redirect says where to", arguments: Wire.allCases)
    func redirects(_ wire: Wire) async throws {
        let scene = try await WireScene(wire)
        let body =
            wire == .tos
            ? #"{"Code":"PermanentRedirect","Message":"Elsewhere.","Endpoint":"other.example.com"}"#
            : "<Error><Code>PermanentRedirect</Code><Message>Elsewhere.</Message><Endpoint>other.example.com</Endpoint></Error>"
        scene.server.faults.add(.on(.uploadPart), .answer(301, contentType: "application/xml", body: body))
        let error = await scene.failure(of: .part)
        #expect(error?.code == .crossRegion || wire == .oss)
        #expect(error?.service?.code == "PermanentRedirect")
        #expect(error?.message.contains("other.example.com") == true, "\(String(describing: error))")
        // Nobody goes there with a signature that was made for here.
        #expect(scene.server.wireLog.count(of: .uploadPart) == 1)
    }

    @Test("FR-104: an upload to VOD says the same in the words of its SDKs", arguments: Refusal.all)
    func errorsOfVOD(_ refusal: Refusal) async throws {
        let fixture = try await VODFixture()
        fixture.server.faults.add(
            .on(.uploadPart).part(2), .status(refusal.status, code: refusal.code, message: "Because of it."))
        let path = try fixture.file(size: 3 * VODFixture.partSize)
        let error = try #require(
            await uploadFailure {
                _ = try await fixture.uploader { $0.maxRetryCount = 0 }.uploadFile(path)
            })
        #expect(error.errorCode == refusal.code || refusal.code == "NoSuchUpload", "\(error)")
        #expect(error.errorMessage.contains("Because of it."))
        #expect(error.requestId?.isEmpty == false)
        #expect(error.videoId == fixture.server.vod.videos.last?.id)
        #expect(error.underlying.part == 2)
        #expect(error.underlying.service?.status == refusal.status)
        #expect(!error.description.contains { $0.isNewline })
    }

    @Test("FR-104: the number of attempts is told, and the last answer counts", arguments: Wire.allCases)
    func attempts(_ wire: Wire) async throws {
        let scene = try await WireScene(wire, retries: 2)
        scene.server.faults.add(.on(.uploadPart).first(2), .status(500))
        scene.server.faults.add(.on(.uploadPart).after(2), .status(409, code: "OperationAborted", message: "Later."))
        let error = await scene.failure(of: .part)
        #expect(error?.attempts == 3)
        #expect(error?.service?.code == "OperationAborted")
        #expect(error?.description.contains("attempts=3") == true)
    }

    // MARK: FR-105

    /// How a transfer may come to its end.
    enum Path: String, CaseIterable, CustomTestStringConvertible {
        case single
        case parts
        case resumed
        case completeAlone
        case lostAnswer

        var testDescription: String { rawValue }
    }

    /// Pauses a transfer behind its first parts, or lets Complete fail, and gives the result of the call that ends it.
    private func result(
        _ path: Path, _ scene: WireScene, _ directory: TemporaryDirectory, parts: Set<StoreOperation>,
        _ start: (TransferCancelHook?) throws -> TransferHandle
    ) async throws -> TransferReceipt {
        let log = scene.server.wireLog
        switch path {
        case .single, .parts: return try await start(nil).value
        case .resumed:
            let hook = TransferCancelHook()
            let stalled = scene.server.faults.add(.on(.uploadPart, .uploadPartCopy).parts(2...3), .stall)
            let handle = try start(hook)
            try await log.waitFor { parts.contains($0.operation) && $0.request.partNumber == 2 }
            hook.cancel()
            let paused = await failure { _ = try await handle.value }
            #expect(paused?.code == .paused)
            stalled.remove()
            return try await start(nil).value
        case .completeAlone:
            let refused = scene.server.faults.add(.on(.completeMultipartUpload), .status(500))
            let error = await failure { _ = try await start(nil).value }
            #expect(error?.code == .serviceUnavailable)
            refused.remove()
            let before = log.entries.count { parts.contains($0.operation) }
            let receipt = try await start(nil).value
            #expect(log.entries.count { parts.contains($0.operation) } == before)
            return receipt
        case .lostAnswer:
            scene.server.faults.add(.on(.completeMultipartUpload, .putObject).first(1), .loseAnswer)
            return try await start(nil).value
        }
    }

    private func expectWhole(_ receipt: TransferReceipt, _ scene: WireScene, _ path: Path) {
        guard let object = scene.server.storage.object("made", in: "versions") else {
            Issue.record("nothing stands")
            return
        }
        #expect(receipt.etag.bare.lowercased() == ETag(object.etag).bare.lowercased())
        #expect(receipt.size == object.length)
        #expect(receipt.versionID == object.versionID)
        #expect(receipt.versionID?.isEmpty == false)
        // The id of the request that made the object was in the answer that got lost; no other is given out for it.
        #expect((receipt.requestID == nil) == (path == .lostAnswer))
        #expect(receipt.status == (path == .lostAnswer ? 0 : 200))
        #expect((receipt.uploadID == nil) == (path == .single))
        switch scene.wire {
        case .oss, .tos:
            #expect(receipt.checksums.crc64 == object.crc64)
            #expect(receipt.verification == .crc64)
        case .tosInXML, .s3:
            // Those have no such checksum; the ETag is the proof.
            #expect(path == .single || receipt.verification == .partETags)
        }
    }

    @Test(
        "FR-105: every upload returns everything that the service said of the object", arguments: Wire.allCases,
        Path.allCases)
    func resultOfUploads(_ wire: Wire, _ path: Path) async throws {
        let scene = try await WireScene(wire)
        scene.server.storage.createBucket("versions", keepsVersions: true)
        let directory = try TemporaryDirectory()
        let store = FileCheckpointStore(path: directory.path("checkpoint"))
        let source = Self.source(path == .single ? 1_000 : 3 * Self.partSize - 5)
        let receipt = try await result(path, scene, directory, parts: [.uploadPart]) { hook in
            try TransferEngine().upload(
                source, to: ObjectLocation(bucket: "versions", key: "made"), using: scene.backend,
                options: TransferOptions(
                    partSize: Self.partSize, concurrency: 1, checkpoint: .store(store), cancelHook: hook,
                    pauseGrace: .zero, singleRequestLimit: Self.partSize))
        }
        expectWhole(receipt, scene, path)
    }

    @Test("FR-105: so does every copy", arguments: Wire.allCases, [Path.parts, .resumed, .completeAlone, .lostAnswer])
    func resultOfCopies(_ wire: Wire, _ path: Path) async throws {
        let scene = try await WireScene(wire)
        scene.server.storage.createBucket("versions", keepsVersions: true)
        scene.server.storage.createBucket("from", keepsVersions: true)
        try scene.server.storage.putObject("big", in: "from", .generated(seed: 1, length: 3 * Self.partSize - 5))
        let directory = try TemporaryDirectory()
        let store = FileCheckpointStore(path: directory.path("checkpoint"))
        let receipt = try await result(path, scene, directory, parts: [.uploadPartCopy]) { hook in
            try TransferEngine().copy(
                from: ObjectLocation(bucket: "from", key: "big"),
                to: ObjectLocation(bucket: "versions", key: "made"), using: scene.backend,
                options: TransferOptions(
                    partSize: Self.partSize, concurrency: 1, checkpoint: .store(store), cancelHook: hook,
                    pauseGrace: .zero))
        }
        expectWhole(receipt, scene, path)
    }

    @Test("FR-105: the answer of a callback is part of the result", arguments: [1, 3])
    func resultOfCallback(parts: Int) async throws {
        let fixture = try await OSSFixture()
        let answer = #"{"Status":"OK"}"#
        fixture.server.faults.add(.on(.completeMultipartUpload, .putObject), .edit { $0.text = answer })
        try fixture.directory.write(VODFixture.bytes(parts * OSSFixture.partSize - 1), to: "a")
        var input = OSSUploadFileInput(bucket: OSSFixture.bucket, key: "a", filePath: fixture.directory.path("a"))
        input.partSize = OSSFixture.partSize
        input.callback = OSSCallback(url: "http://callback.example/", body: "object=${object}")
        fixture.server.faults.add(
            .on(.completeMultipartUpload),
            .edit { [server = fixture.server] answer in
                answer["ETag"] = answer["ETag"] ?? server.storage.object("a", in: OSSFixture.bucket)?.etag
            })
        let output = try await fixture.client.uploadFile(input)
        let object = try #require(fixture.object("a"))
        #expect(output.callbackResponse == answer)
        #expect(output.eTag.lowercased().contains(ETag(object.etag).bare.lowercased()))
        #expect(output.hashCrc64ecma == object.crc64)
        #expect(output.requestID?.isEmpty == false)
        #expect(output.verification == .crc64)
    }

    @Test("FR-105: an upload to VOD returns tag and request id in every way", arguments: Path.allCases)
    func resultOfVOD(_ path: Path) async throws {
        let fixture = try await VODFixture()
        let file = try fixture.file(size: path == .single ? 1_000 : 3 * VODFixture.partSize)
        let uploader = try fixture.uploader {
            $0.parallel = 1
            $0.maxRetryCount = 0
        }
        switch path {
        case .resumed:
            let stalled = fixture.server.faults.add(.on(.uploadPart).parts(2...3), .stall)
            let task = uploader.uploadTask(file)
            task.events.ignore()
            try await fixture.server.wireLog.waitFor(count: 2, operation: .uploadPart)
            task.cancel()
            _ = await uploadFailure { _ = try await task.value }
            stalled.remove()
        case .completeAlone:
            let refused = fixture.server.faults.add(.on(.completeMultipartUpload), .status(500))
            _ = await uploadFailure { _ = try await uploader.uploadFile(file) }
            refused.remove()
        case .lostAnswer:
            fixture.server.faults.add(.on(.completeMultipartUpload).first(1), .loseAnswer)
        case .single, .parts: break
        }
        let result = try await uploader.uploadFile(file)
        let object = try #require(fixture.stored)
        #expect(result.etag.lowercased() == ETag(object.etag).bare.lowercased())
        #expect(result.size == object.length)
        #expect(result.videoId == fixture.server.vod.videos.last?.id)
        #expect(result.verification == .crc64)
        #expect((result.requestId == nil) == (path == .lostAnswer))
        #expect(fixture.server.vod.videos.count == 1)
    }

    // MARK: Sources

    private static func source(_ size: UInt64) -> UploadSource { UploadSource(Zeros(length: size), name: "zeros") }
}

/// A source of nothing but zeros, of any size.
private struct Zeros: ByteSource {
    let length: UInt64

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = Int(min(UInt64(buffer.count), length - min(offset, length)))
        buffer[..<count].initializeMemory(as: UInt8.self, repeating: 0)
        return count
    }
}

/// A clock that is further by a step at every look.
private final class SteppingClock: TransferClock {
    private let step: Duration
    private let system = SystemClock()
    private let count = LockBox(0)

    init(step: Duration = .milliseconds(100)) { self.step = step }

    var looks: Int { count.withLock { $0 } }
    var now: Date { system.now }
    var uptime: Duration {
        count.withLock { count in
            count += 1
            return step * count
        }
    }
    func sleep(for duration: Duration) async throws { try await system.sleep(for: duration) }
}

/// The events of a transfer, in order.
private final class Events: Sendable {
    private let log = LockBox<[TransferEvent]>([])

    func append(_ event: TransferEvent) { log.withLock { $0.append(event) } }
    var all: [TransferEvent] { log.withLock { $0 } }
    var progress: [TransferProgress] {
        all.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
    }
}

@Suite("Field reports: progress, events, errors, results, by make test-slow", .slow) struct SlowAPIReports {
    @Test("FR-101: an upload of 10 GiB reaches the whole as well")
    func lastProgressOfSparse10GiB() async throws {
        let scene = try await WireScene(.oss)
        scene.server.storage.createBucket("sink", discardsUploads: true)
        let directory = try TemporaryDirectory()
        let system = LocalFileSystem()
        try system.truncate(system.open(directory.path("big"), .replace), to: 10 << 30)
        let events = Events()
        _ = try await TransferEngine().upload(
            .file(directory.path("big")), to: ObjectLocation(bucket: "sink", key: "big"), using: scene.backend,
            options: TransferOptions(onEvent: { events.append($0) })
        ).value
        APIReports.expectSound(events.progress, total: 10 << 30)
    }
}
