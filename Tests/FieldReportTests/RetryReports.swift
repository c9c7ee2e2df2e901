import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferCurl
import TransferHTTP
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Field reports about repeats, and about connections that break.
@Suite("Field reports: retries", .timeLimit(.minutes(2))) struct RetryReports {
    // MARK: FR-033

    @Test("FR-033: a part that is sent again is sent from its beginning, and whole", arguments: Flow.uploads)
    func wholeParts(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { $0.parts = 5 }
        let half = UInt64(flow.partSize / 2)
        fixture.server.faults.add(
            .on(.uploadPart).parts(1...4).first(1).ofEachPart, .earlyAnswer(after: half, status: 500))
        try await fixture.run()
        #expect(fixture.isDone)
        for part in 1...4 {
            let requests = fixture.partRequests.filter { $0.request.partNumber == part }
            #expect(requests.map(\.status) == [500, 200])
            #expect(requests.map(\.bodyLength) == [half, 2 * half])
            #expect(requests.last?.header("Content-Length") == "\(flow.partSize)")
            #expect(requests.last?.answerWasCut == false)
        }
    }

    @Test("FR-033: a part of a download that breaks half-way is completed", arguments: Flow.downloads)
    func wholeDownloads(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow)
        fixture.server.faults.add(
            .on(.getObject).first(2), .truncatedAnswer(to: UInt64(flow.partSize / 2)))
        try await fixture.run { $0.parallel = 1 }
        #expect(fixture.isDone)
        #expect(fixture.partRequests.count == 3 + 2)
    }

    // MARK: FR-034

    /// What users write first: a value.
    private struct ValueSource: ByteSource {
        let bytes: [UInt8]
        var length: UInt64 { UInt64(bytes.count) }

        func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            let slice = bytes[min(Int(offset), bytes.count)...].prefix(buffer.count)
            buffer.copyBytes(from: slice)
            return slice.count
        }
    }

    /// And an object with a position, as a file handle has one.
    private final class PositionedSource: ByteSource {
        private let bytes: [UInt8]
        private let position = LockBox(0)

        init(bytes: [UInt8]) { self.bytes = bytes }

        var length: UInt64 { UInt64(bytes.count) }

        func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            position.withLock { position in
                position = min(Int(offset), bytes.count)
                let slice = bytes[position...].prefix(buffer.count)
                buffer.copyBytes(from: slice)
                position += slice.count
                return slice.count
            }
        }
    }

    @Test(
        "FR-034: sources of the user's own, a struct and a class, are read again from the part's beginning",
        arguments: [false, true])
    func ownSources(isClass: Bool) async throws {
        func source(_ bytes: [UInt8]) -> UploadSource {
            UploadSource(
                isClass ? PositionedSource(bytes: bytes) : ValueSource(bytes: bytes) as any ByteSource, name: "a")
        }
        let small = VODFixture.bytes(3 * OSSFixture.partSize + 5)
        let large = [UInt8](repeating: 3, count: CopyFixture.partSize) + small

        let oss = try await OSSFixture()
        oss.server.faults.add(.on(.uploadPart).first(1).ofEachPart, .status(500))
        var input = OSSUploadFileInput(bucket: OSSFixture.bucket, key: "k", source: source(small))
        input.partSize = OSSFixture.partSize
        _ = try await oss.client.uploadFile(input)
        #expect(oss.object("k")?.content.read() == small)
        #expect(oss.server.wireLog.count(of: .uploadPart) == 8)

        for wire in [TOSWireFormat.native, .s3Compatible] {
            let tos = try await CopyFixture(client: { $0.wireFormat = wire })
            tos.server.faults.add(.on(.uploadPart).first(1).ofEachPart, .status(500))
            var input = TOSUploadFileInput(bucket: "dst-bucket", key: "k", source: source(large))
            input.partSize = CopyFixture.partSize
            _ = try await tos.client.uploadFile(input)
            #expect(tos.server.storage.object("k", in: "dst-bucket")?.content.read() == large)
            #expect(tos.server.wireLog.count(of: .uploadPart) == 4)
        }

        // S3's client takes files; its backend takes any source.
        let s3 = try await S3Fixture()
        s3.server.faults.add(.on(.uploadPart).first(1).ofEachPart, .status(500))
        _ = try await TransferEngine().upload(
            source(large), to: ObjectLocation(bucket: "dst-bucket", key: "k"), using: S3Backend(s3.client),
            options: TransferOptions(partSize: S3Fixture.partSize)
        ).value
        #expect(s3.object("k")?.content.read() == large)
        #expect(s3.server.wireLog.count(of: .uploadPart) == 4)
    }

    // MARK: FR-035

    /// Gives each byte once, as a pipe does.
    private final class OneWaySource: ByteSource {
        struct Gone: Error, CustomStringConvertible {
            let description = "these bytes were read already"
        }

        private let bytes: [UInt8]
        private let position = LockBox(0)

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var length: UInt64 { UInt64(bytes.count) }

        func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            try position.withLock { position in
                guard offset >= position else { throw Gone() }
                let slice = bytes[min(Int(offset), bytes.count)...].prefix(buffer.count)
                buffer.copyBytes(from: slice)
                position = Int(offset) + slice.count
                return slice.count
            }
        }
    }

    @Test(
        "FR-035: a part that cannot be read again ends the upload with the source's own word, and nothing wrong is stored"
    )
    func oneWaySource() async throws {
        let fixture = try await OSSFixture()
        fixture.server.faults.add(.on(.uploadPart).part(2).first(1), .status(503))
        var input = OSSUploadFileInput(
            bucket: OSSFixture.bucket, key: "k",
            source: UploadSource(OneWaySource(VODFixture.bytes(3 * OSSFixture.partSize)), name: "pipe"))
        input.partSize = OSSFixture.partSize
        input.parallel = 1
        let error = await failure { [input] in _ = try await fixture.client.uploadFile(input) }
        #expect(error?.code == .fileUnreadable)
        #expect(error?.part == 2)
        #expect(error.map { String(reflecting: $0).contains("these bytes were read already") } == true)
        #expect(fixture.object("k") == nil)
        let second = fixture.server.wireLog.entries(of: .uploadPart).filter { $0.request.partNumber == 2 }
        #expect(second.first?.status == 503)
        #expect(second.dropFirst().allSatisfy { $0.status == nil })
        #expect(fixture.server.storage.uploads.isEmpty)
    }

    // MARK: FR-036

    @Test(
        "FR-036: Complete comes after every part was confirmed, also when the last part and Complete itself break",
        arguments: Flow.inParts, [false, true])
    func completeIsLast(flow: Flow, isStored: Bool) async throws {
        let fixture = try await FlowFixture(flow) { $0.parts = 4 }
        // With the part stored and its answer lost, or neither.
        fixture.server.faults.add(.on(flow.part).part(4).first(1), isStored ? .loseAnswer : .resetAfterBody)
        fixture.server.faults.add(.on(.completeMultipartUpload).first(1), .resetAfterBody)
        try await fixture.run()
        #expect(fixture.isDone)
        let completes = fixture.server.wireLog.entries(of: .completeMultipartUpload)
        #expect(completes.count == 2)
        let confirmed = fixture.partRequests.filter { $0.status == 200 }
        #expect(Set(confirmed.compactMap(\.request.partNumber)) == [1, 2, 3, 4])
        for complete in completes {
            #expect(confirmed.allSatisfy { $0.number < complete.number })
            let tags = complete.documentText.ranges(of: "ETag\"").count
            let elements = complete.documentText.ranges(of: "<ETag>").count
            #expect(max(tags, elements) == 4, "\(complete.documentText)")
        }
    }

    // MARK: FR-037

    @Test("FR-037: pauses after SlowDown grow and are random", arguments: Flow.allCases)
    func growingPauses(flow: Flow) async throws {
        let clock = ImpatientClock()
        let fixture = try await FlowFixture(flow) { setup in
            setup.clock = clock
            setup.parts = flow.partSize > 1 << 20 ? 4 : 16
            setup.retryPolicy.baseDelay = .milliseconds(200)
        }
        // Every part, so that not all pauses can be short by chance.
        for part in 1...fixture.setup.parts {
            fixture.server.faults.add(
                .on(flow.part).matching { fixture.partNumber(of: $0) == part }.first(4),
                .status(503, code: "SlowDown"))
        }
        try await fixture.run { $0.parallel = 1 }
        #expect(fixture.isDone)
        let pauses = clock.sleeps.filter { $0 > .zero }
        #expect(Set(pauses).count > pauses.count / 2)
        // Each attempt may wait twice as long as the one before it.
        for (number, pause) in pauses.prefix(4).enumerated() {
            #expect(pause <= .milliseconds(200) * (1 << number), "\(pauses)")
        }
        #expect(pauses.max().map { $0 > .milliseconds(200) } == true)
    }

    @Test("FR-037: no attempt comes before the time that the service names", arguments: Flow.allCases)
    func namedPause(flow: Flow) async throws {
        let clock = ImpatientClock()
        let fixture = try await FlowFixture(flow) { $0.clock = clock }
        fixture.server.faults.add(.on(flow.part).first(3), .status(503, code: "SlowDown", retryAfter: 2))
        try await fixture.run { $0.parallel = 3 }
        #expect(fixture.isDone)
        let pauses = clock.sleeps.filter { $0 >= .seconds(1) }
        #expect(pauses.count == 3)
        #expect(pauses.allSatisfy { $0 >= .seconds(2) })
        #expect(Set(pauses).count == 3)
    }

    @Test(
        "FR-037: requests at once are halved when the service asks to slow down, and rise again one by one",
        arguments: [Flow.ossUpload, .ossCopy, .vodUpload])
    func fewerAtOnce(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { $0.parts = 40 }
        let throttled = fixture.server.faults.add(.on(flow.part).first(16), .hold, .status(503, code: "SlowDown"))
        let held = fixture.server.faults.add(.on(flow.part).after(16), .hold)
        let task = try fixture.start { $0.parallel = 16 }
        try await throttled.waitUntilHeld(16)
        throttled.release()
        // Steps in which a storm would show: each lets one request go and waits for the next.
        for step in 0..<7 {
            try await held.waitUntilHeld(8 + step)
            held.release(1)
        }
        try await held.waitUntilHeld(15)
        let later = fixture.partRequests.dropFirst(16)
        let most = later.map { entry in
            later.count { $0.arrival <= entry.arrival && ($0.end.map { $0 > entry.arrival } ?? true) }
        }.max()
        #expect(most == 8)
        held.release()
        try await task.value()
        #expect(fixture.isDone)
    }

    // MARK: FR-038

    @Test(
        "FR-038: Retry-After is a floor under the own pause, cut to the cap, and nonsense is none",
        arguments: [Flow.ossUpload, .tosUpload, .tosS3Upload, .s3Upload],
        ["0", "1", "451", "-5", "soon", "in 3 s", "3 s ago", "99999999999999999999"])
    func retryAfter(flow: Flow, value: String) async throws {
        let clock = ImpatientClock(longest: .seconds(55))
        let fixture = try await FlowFixture(flow) { setup in
            setup.clock = clock
            setup.parts = 1
            setup.retryPolicy.baseDelay = .milliseconds(100)
            setup.retryPolicy.maxRetryAfter = .seconds(50)
        }
        let seconds = ["in 3 s": 3.0, "3 s ago": -3][value]
        let header = seconds.map { HTTPDate.format(clock.now.addingTimeInterval($0)) } ?? value
        fixture.server.faults.add(.on(.putObject).first(1), .status(503, headers: ["Retry-After": header]))
        try await fixture.run()
        #expect(fixture.isDone)
        let pauses = clock.sleeps
        let floor: Duration =
            switch value {
            case "1": .seconds(1)
            // A date has whole seconds, and some time passes before it is read.
            case "in 3 s": .milliseconds(500)
            case "451", "99999999999999999999": .seconds(50)
            default: .zero
            }
        let ceiling: Duration = value == "in 3 s" ? .milliseconds(3_100) : floor + .milliseconds(100)
        #expect(pauses.count == 1)
        #expect(pauses.allSatisfy { $0 >= floor && $0 <= ceiling }, "\(pauses)")
        #expect(RetryPolicy().maxRetryAfter == .seconds(60))
    }

    // MARK: FR-039

    @Test("FR-039: a Complete that says 200 and then an error is sent again", arguments: Flow.inParts)
    func lateErrorOfComplete(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow)
        fixture.server.faults.add(.on(.completeMultipartUpload).first(1), .lateError(code: "InternalError"))
        try await fixture.run()
        #expect(fixture.isDone)
        #expect(fixture.count(.completeMultipartUpload) == 2)
    }

    @Test(
        "FR-039: a Complete that always does fails with its code and request id, and what was done is kept",
        arguments: Flow.inParts)
    func lateErrorsOfComplete(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow)
        let fault = fixture.server.faults.add(.on(.completeMultipartUpload), .lateError(code: "InternalError"))
        let error = try await fixture.failure()
        let last = fixture.server.wireLog.entries(of: .completeMultipartUpload).last
        #expect(error?.code == .serviceUnavailable)
        #expect(error?.service?.code == "InternalError")
        #expect(error?.service?.requestID != nil && error?.service?.requestID == last?.requestID)
        #expect(error?.attempts == 4)
        #expect(fixture.count(.completeMultipartUpload) == 4)
        #expect(fixture.stored == nil)
        #expect(fixture.hasCheckpoint)

        fault.remove()
        try await fixture.run()
        #expect(fixture.isDone)
        #expect(fixture.server.wireLog.repeatedParts.isEmpty)
    }

    // MARK: FR-040

    @Test(
        "FR-040: a copy that says 200 and then an error is no success", arguments: Flow.copies,
        ["InternalError", "SlowDown", "AccessDenied"])
    func lateErrorOfCopy(flow: Flow, code: String) async throws {
        for blanks in [false, true] {
            let fixture = try await FlowFixture(flow) { $0.parts = 1 }
            fixture.server.faults.add(.on(.copyObject).first(1), .lateError(code: code))
            if blanks {
                fixture.server.faults.add(.on(.copyObject).first(1), .trickle(every: .milliseconds(1), count: 3))
            }
            if code == "AccessDenied" {
                let error = await StubFixtures.failure { _ = try await fixture.copyObject() }
                #expect(error?.code == .accessDenied)
                #expect(error?.service?.code == code)
                #expect(fixture.count(.copyObject) == 1)
                #expect(fixture.stored == nil)
            } else {
                let etag = try await fixture.copyObject()
                #expect(etag.lowercased().contains(fixture.stored?.etag ?? "-"))
                #expect(fixture.count(.copyObject) == 2)
                #expect(fixture.isDone)
            }
        }
    }

    @Test("FR-040: nor is one that always does", arguments: Flow.copies)
    func lateErrorsOfCopy(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { $0.parts = 1 }
        fixture.server.faults.add(.on(.copyObject), .lateError(code: "InternalError"))
        let error = await StubFixtures.failure { _ = try await fixture.copyObject() }
        #expect(error?.code == .serviceUnavailable)
        #expect(error?.service?.code == "InternalError")
        #expect(fixture.count(.copyObject) == 4)
    }

    // MARK: FR-041

    /// Answers under a 200 that tell too little.
    enum Scrap: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case empty, cutInETag, shorterThanSaid, withoutETag

        var testDescription: String { rawValue }

        /// The action is done, and its answer spoilt.
        var fault: Fault {
            switch self {
            case .empty: .emptyBody
            case .cutInETag:
                .edit { answer in
                    guard let text = answer.text, let tag = text.firstRange(of: "ETag") else { return }
                    answer.text = String(
                        text[..<(text.index(tag.upperBound, offsetBy: 6, limitedBy: text.endIndex) ?? tag.upperBound)])
                }
            case .shorterThanSaid: .truncatedAnswer(to: 12)
            case .withoutETag: .etag(nil)
            }
        }

        /// Nothing is done, and this is all there is to read.
        var idleFault: Fault {
            let xml = "<?xml version=\"1.0\"?><CompleteMultipartUploadResult><ETag>\"0123"
            return switch self {
            case .empty: .answer(200, contentType: "application/xml")
            case .cutInETag, .shorterThanSaid: .answer(200, contentType: "application/xml", body: xml)
            case .withoutETag:
                .answer(
                    200, contentType: "application/xml",
                    body: "<CompleteMultipartUploadResult><Key>k</Key></CompleteMultipartUploadResult>")
            }
        }
    }

    @Test(
        "FR-041: a part copy whose answer tells too little is copied again", arguments: Flow.copies, Scrap.allCases)
    func scrapOfPartCopy(flow: Flow, scrap: Scrap) async throws {
        let fixture = try await FlowFixture(flow)
        let fault = fixture.server.faults.add(.on(.uploadPartCopy).first(1).ofEachPart, scrap.fault)
        try await fixture.run()
        #expect(fixture.isDone)
        #expect(fixture.partRequests.count == 6)
        fault.remove()

        fixture.server.faults.add(.on(.uploadPartCopy), scrap.fault)
        let error = try await fixture.failure()
        #expect(error?.attempts == 4)
        #expect(error.map { [.serviceUnavailable, .connectionFailed, .malformedResponse].contains($0.code) } == true)
    }

    @Test("FR-041: a copy whose answer tells too little is no success", arguments: Flow.copies, Scrap.allCases)
    func scrapOfCopy(flow: Flow, scrap: Scrap) async throws {
        let fixture = try await FlowFixture(flow) { $0.parts = 1 }
        let fault = fixture.server.faults.add(.on(.copyObject).first(1), scrap.fault)
        #expect(try await fixture.copyObject().lowercased().contains(fixture.stored?.etag ?? "-"))
        #expect(fixture.count(.copyObject) == 2)
        fault.remove()
        fixture.server.faults.add(.on(.copyObject), scrap.fault)
        let error = await StubFixtures.failure { _ = try await fixture.copyObject() }
        #expect(error != nil)
        #expect(fixture.count(.copyObject) == 6)
    }

    @Test(
        "FR-041: a Complete whose answer tells too little is settled by a look at the object",
        arguments: Flow.inParts, Scrap.allCases)
    func scrapOfComplete(flow: Flow, scrap: Scrap) async throws {
        let fixture = try await FlowFixture(flow)
        fixture.server.faults.add(.on(.completeMultipartUpload), scrap.fault)
        try await fixture.run()
        #expect(fixture.isDone)
        #expect(
            fixture.server.wireLog.entries.last { [.headObject, .completeMultipartUpload].contains($0.operation) }?
                .operation == .headObject)
        #expect(fixture.count(.createMultipartUpload) == 1)
        #expect(fixture.server.wireLog.repeatedParts.isEmpty)
    }

    @Test("FR-041: and fails when there is none", arguments: Flow.inParts, Scrap.allCases)
    func scrapWithoutObject(flow: Flow, scrap: Scrap) async throws {
        let fixture = try await FlowFixture(flow)
        let fault = fixture.server.faults.add(.on(.completeMultipartUpload), scrap.idleFault)
        let heads = fixture.count(.headObject)
        let error = try await fixture.failure()
        #expect(error?.operation == "CompleteMultipartUpload" || error?.code == .outcomeUnknown)
        #expect(fixture.count(.headObject) > heads)
        #expect(fixture.server.wireLog.entries.last?.operation == .headObject)
        #expect(fixture.hasCheckpoint)
        #expect(fixture.stored == nil)
        fault.remove()
        try await fixture.run()
        #expect(fixture.isDone)
        #expect(fixture.server.wireLog.repeatedParts.isEmpty)
    }

    // MARK: FR-042

    @Test("FR-042: a Complete whose answer is lost is found to have succeeded", arguments: Flow.inParts)
    func lostComplete(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow)
        fixture.server.faults.add(.on(.completeMultipartUpload).first(1), .loseAnswer)
        let task = try fixture.start()
        try await task.value()
        #expect(fixture.isDone)
        let completes = fixture.server.wireLog.entries(of: .completeMultipartUpload)
        #expect(completes.map(\.code) == [nil, "NoSuchUpload"])
        #expect(fixture.count(.createMultipartUpload) == 1)
        #expect(!fixture.hasCheckpoint)
        #expect(task.events.turns.last == "completed")
        if case .completed(let receipt)? = task.events.all.last {
            #expect(receipt.etag.rawValue.lowercased().contains(fixture.stored?.etag ?? "-"))
        }
    }

    /// What stands in the place of the object when its upload is gone.
    enum Instead: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case nothing, otherSize, otherBytes

        var testDescription: String { rawValue }
    }

    @Test(
        "FR-042: an upload that is gone with no such object is begun again, once, and then fails",
        arguments: Flow.inParts,
        Instead.allCases)
    func goneUpload(flow: Flow, instead: Instead) async throws {
        for isForEver in [false, true] {
            let fixture = try await FlowFixture(flow)
            let other = ObjectContent.pretended(length: instead == .otherBytes ? UInt64(fixture.bytes.count) : 3)
            let complete = RequestMatch.on(.completeMultipartUpload)
            fixture.server.faults.add(
                (isForEver ? complete.first(1).ofEachPart : complete.first(1)).matching {
                    [server = fixture.server] request in
                    if instead != .nothing, let bucket = request.bucket, let key = request.key {
                        do { try server.storage.putObject(key, in: bucket, other) } catch {
                            Issue.record(error)
                        }
                    }
                    return true
                }, .expireUpload, .resetAfterBody)
            let task = try fixture.start()
            if isForEver {
                let error = await task.failure()
                #expect(error?.code == .uploadNotFound)
                #expect(fixture.stored?.content.crc64 == (instead == .nothing ? nil : other.crc64))
            } else {
                try await task.value()
                #expect(fixture.isDone)
            }
            #expect(task.events.turns.count { $0 == "restarted" } == 1)
            #expect(fixture.count(.createMultipartUpload) == 2)
            #expect(!fixture.hasCheckpoint || isForEver)
        }
    }

    // MARK: FR-043

    @Test(
        "FR-043: a connection that the server has given up costs no retry: 200 times a 400 on it",
        arguments: Flow.uploads)
    func staleConnection(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { setup in
            setup.parts = 1
            setup.retries = 0
        }
        // The first request is on a new connection, the second on a kept one, the third on a new one, and so on.
        let number = LockBox(0)
        fixture.server.faults.add(
            .on(.putObject).matching { _ in
                number.withLock { number in
                    number += 1
                    return number.isMultiple(of: 2)
                }
            }, .status(400, code: "RequestTimeout"), .closeAfterAnswer)
        let repeats = flow == .ossUpload ? 200 : 30
        for _ in 1...repeats { try await fixture.run() }
        #expect(fixture.isDone)
        let puts = fixture.server.wireLog.entries(of: .putObject)
        #expect(puts.count == 2 * repeats - 1)
        // The repeat never goes over the connection that was refused.
        for (refused, next) in zip(puts, puts.dropFirst()) where refused.status == 400 {
            #expect(refused.connection != next.connection)
        }
    }

    @Test("FR-043: on a new connection the same answer is an ordinary failure", arguments: Flow.uploads)
    func timeoutOnNewConnection(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { setup in
            setup.parts = 1
            setup.retries = 0
        }
        fixture.server.faults.add(.on(.putObject), .status(400, code: "RequestTimeout"), .closeAfterAnswer)
        let error = try await fixture.failure()
        #expect(error?.service?.code == "RequestTimeout")
        #expect(fixture.count(.putObject) == 1)
    }

    @Test("FR-043: connections that end without a word cost no retry either", arguments: Flow.allCases)
    func closedConnections(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { $0.retries = 0 }
        fixture.server.faults.add(.any, .closeAfterAnswer)
        for number in 1...5 { try await fixture.run { $0.number = number } }
        #expect(fixture.count(flow.part) == 15)
    }

    // MARK: FR-044

    @Test(
        "FR-044: connections that stop moving are given up and their parts sent again on others",
        arguments: Flow.allCases)
    func stuckConnections(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { setup in
            let size = flow.isUpload ? max(1 << 20, flow.partSize) : flow.partSize
            setup.parts = size < 5 << 20 ? 20 : 4
            setup.partSize = size
            setup.lastPart = size
            setup.silence = .milliseconds(400)
        }
        // A window that stays shut in mid-part, an answer of a byte a second, and one that never comes.
        fixture.server.faults.add(
            .on(flow.part).nth(2), flow.isUpload ? .stopReading(after: 100_000) : .writeSlowly(bytesPerSecond: 1))
        fixture.server.faults.add(.on(flow.part).nth(3), .stall)
        let task = try fixture.start()
        try await task.value()
        #expect(fixture.isDone)
        let count = fixture.setup.parts + 2
        #expect(fixture.partRequests.count == count)
        let stuck = fixture.partRequests.filter { !$0.faults.isEmpty }
        #expect(stuck.count == 2)
        // Nothing goes over their connections again.
        #expect(
            fixture.partRequests.suffix(2).allSatisfy { part in !stuck.contains { $0.connection == part.connection } })
        // What was stuck is not counted before it has moved.
        #expect(task.events.fractions == task.events.fractions.sorted())
        #expect(task.events.fractions.last == 1)
        #expect(TransportConfiguration().idleTimeout == .seconds(60))
    }

    // MARK: FR-045

    @Test("FR-045: a part that moves slowly but steadily is left in peace", arguments: Flow.uploads + Flow.downloads)
    func steadyPart(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { setup in
            setup.parts = 2
            setup.partSize = 5 << 20
            setup.retries = 0
            setup.silence = .milliseconds(2_400)
        }
        // Twice as long as the silence that is allowed.
        let rate: UInt64 = 1 << 20
        fixture.server.faults.add(
            .on(flow.part), flow.isUpload ? .readSlowly(bytesPerSecond: rate) : .writeSlowly(bytesPerSecond: rate))
        try await fixture.run()
        #expect(fixture.isDone)
        #expect(fixture.partRequests.count == 2)
    }

    // MARK: FR-046

    /// Fails as a resolver does, a few times, and then knows the way.
    private final class FailingResolver: HostResolver {
        private let calls = LockBox(0)
        private let failures: Int

        init(failures: Int) { self.failures = failures }

        var count: Int { calls.withLock { $0 } }

        func addresses(of host: String) async throws -> [String] {
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            guard number > failures else {
                throw HostResolutionError(host: host, message: number.isMultiple(of: 2) ? "NXDOMAIN" : "SERVFAIL")
            }
            return ["127.0.0.1"]
        }
    }

    @Test(
        "FR-046: a name that cannot be resolved for a while is tried again after growing pauses",
        arguments: Flow.allCases.filter { $0 != .vodUpload })
    func shortResolverFailure(flow: Flow) async throws {
        let (resolver, clock) = (FailingResolver(failures: 2), ImpatientClock())
        let fixture = try await FlowFixture(flow) { setup in
            setup.clock = clock
            setup.server.serviceDomains = ["store.example"]
            setup.transport.resolver = resolver
        }
        try await fixture.run()
        #expect(fixture.isDone)
        #expect(resolver.count == 3)
        #expect(clock.sleeps.count == 2)
    }

    @Test(
        "FR-046: a name that never resolves is named in the error",
        arguments: Flow.allCases.filter { $0 != .vodUpload })
    func lastingResolverFailure(flow: Flow) async throws {
        let resolver = FailingResolver(failures: .max)
        let fixture = try await FlowFixture(flow) { setup in
            setup.server.serviceDomains = ["store.example"]
            setup.transport.resolver = resolver
        }
        let error = try await fixture.failure()
        #expect(error?.code == .hostNotFound)
        #expect(error?.attempts == 4)
        #expect(error?.message.contains("store.example could not be resolved") == true)
        #expect(error.map { String(reflecting: $0).contains("NXDOMAIN") } == true)
        #expect(fixture.log.isEmpty)
    }

    // MARK: FR-047

    /// Where a connection breaks.
    enum Break: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case atOnce, inTheBody, afterTheBody, afterTheStatusLine, inTheAnswer, answerLost

        var testDescription: String { rawValue }

        func fault(half: UInt64) -> Fault {
            switch self {
            case .atOnce: .resetBeforeBody
            case .inTheBody: .resetInBody(after: half)
            case .afterTheBody: .resetAfterBody
            case .afterTheStatusLine: .resetAfterStatusLine
            case .inTheAnswer: .resetInAnswer(after: 5)
            case .answerLost: .loseAnswer
            }
        }
    }

    @Test("FR-047: a part whose connection breaks anywhere is sent again", arguments: Flow.allCases, Break.allCases)
    func brokenParts(flow: Flow, place: Break) async throws {
        let fixture = try await FlowFixture(flow) { $0.parts = flow.partSize > 1 << 20 ? 3 : 10 }
        let fault = place.fault(half: UInt64(flow.partSize / 2))
        let match = RequestMatch.on(flow.part)
        fixture.server.faults.add(flow.isDownload ? match.first(3) : match.first(1).ofEachPart, fault)
        try await fixture.run()
        #expect(fixture.isDone)
        if !flow.isDownload {
            #expect(fixture.count(.createMultipartUpload) == 1)
            #expect(fixture.count(.completeMultipartUpload) == 1)
        }
    }

    @Test(
        "FR-047: so are Create, HEAD, Complete, and at most one upload is left without parts", arguments: Flow.inParts,
        Break.allCases)
    func brokenSteps(flow: Flow, place: Break) async throws {
        let fixture = try await FlowFixture(flow)
        for step in [StoreOperation.headObject, .createMultipartUpload, .completeMultipartUpload] {
            fixture.server.faults.add(.on(step).first(1), place.fault(half: 20))
        }
        try await fixture.run()
        #expect(fixture.isDone)
        #expect(fixture.server.wireLog.repeatedParts.isEmpty)
        #expect(fixture.count(.createMultipartUpload) <= 2)
        // Of a Create whose answer was lost: it holds nothing, and cannot be told from another worker's.
        #expect(fixture.server.storage.uploads.count <= 1)
        #expect(fixture.server.storage.uploads.allSatisfy { $0.parts.isEmpty })
    }

    @Test("FR-047: so are ListParts and Abort", arguments: Flow.inParts, Break.allCases)
    func brokenListAndAbort(flow: Flow, place: Break) async throws {
        for abort in [false, true] {
            let fixture = try await FlowFixture(flow)
            let stalled = fixture.server.faults.add(.on(flow.part).after(1), .stall)
            let first = try fixture.start { $0.parallel = 1 }
            try await fixture.server.wireLog.waitFor(count: 2, operation: flow.part)
            fixture.server.faults.add(.on(.listParts, .abortMultipartUpload).first(1), place.fault(half: 20))
            first.cancel(abort: abort)
            await (abort ? Stop.terminate : .keep).expectEnd(of: first)
            stalled.remove()
            #expect(fixture.server.storage.uploads.isEmpty == abort)
            try await fixture.run()
            #expect(fixture.isDone)
            #expect(fixture.count(.createMultipartUpload) == (abort ? 2 : 1))
            #expect(fixture.server.storage.uploads.isEmpty)
        }
    }

    // MARK: FR-048

    @Test(
        "FR-048: a refusal in the middle of the body is told as that, and nothing is repeated", arguments: Flow.uploads,
        [1, 2])
    func earlyRefusal(flow: Flow, parts: Int) async throws {
        let fixture = try await FlowFixture(flow) { setup in
            setup.parts = parts
            setup.partSize = 5 << 20
            setup.lastPart = 5 << 20
        }
        let step: StoreOperation = parts == 1 ? .putObject : .uploadPart
        fixture.server.faults.add(.on(step), .earlyAnswer(after: 16 << 10, status: 403, code: "AccessDenied"))
        let error = try await fixture.failure { $0.parallel = 1 }
        #expect(error?.code == .accessDenied)
        #expect(error?.service?.status == 403)
        #expect(error?.service?.code == "AccessDenied")
        let request = fixture.server.wireLog.entries(of: step).first
        #expect(error?.service?.requestID != nil && error?.service?.requestID == request?.requestID)
        #expect(error?.attempts == 1)
        #expect(fixture.count(step) == 1)
    }

    // MARK: FR-049

    @Test(
        "FR-049: what a network does by itself is tried again, what somebody decided is not",
        arguments: [
            ("resolve", TransferError.Code.hostNotFound, 4), ("connect", .connectionFailed, 4),
            ("timeout", .timedOut, 4),
            ("send", .connectionFailed, 4), ("receive", .connectionFailed, 4), ("got nothing", .connectionFailed, 4),
            ("partial file", .connectionFailed, 4),
            ("read callback", .fileUnreadable, 1),
        ])
    func results(kind: String, code: TransferError.Code, attempts: Int) async throws {
        let fixture = try await FlowFixture(kind == "partial file" ? .ossDownload : .ossUpload) { setup in
            setup.partSize = 1 << 20
            setup.parts = 2
            setup.lastPart = 1 << 20
            setup.silence = .milliseconds(200)
            if kind == "resolve" {
                setup.server.serviceDomains = ["store.example"]
                setup.transport.resolver = FailingResolver(failures: .max)
            }
        }
        let part = RequestMatch.on(.uploadPart, .getObject)
        switch kind {
        case "connect": fixture.server.stop()
        case "timeout": fixture.server.faults.add(part, .stall)
        case "send": fixture.server.faults.add(part, .resetInBody(after: 100_000))
        case "receive": fixture.server.faults.add(part, .resetAfterBody)
        case "got nothing": fixture.server.faults.add(part, .closeAfterBody)
        case "partial file": fixture.server.faults.add(part, .truncatedAnswer(to: 10))
        default: break
        }
        if kind == "read callback" {
            var configuration = OSSClientConfiguration(
                endpoint: OSSEndpoint(url: fixture.server.endpoint, region: "cn-shanghai"),
                credential: OSSCredential(accessKey: "a", secretKey: "s"))
            configuration.transport.proxy = .none
            configuration.retryPolicy.baseDelay = .milliseconds(1)
            let client = try OSSClient(configuration: configuration)
            let bytes = OneWaySource([UInt8](repeating: 1, count: 100_000))
            // The source is used up before the request is made.
            try withUnsafeTemporaryAllocation(byteCount: 100_000, alignment: 1) { _ = try bytes.read(at: 0, into: $0) }
            let error = await StubFixtures.failure {
                _ = try await client.putObject(OSSPutObjectInput(bucket: "target", key: "k", content: bytes))
            }
            #expect(error?.code == code)
            #expect(error?.attempts == attempts)
        } else {
            let error = try await fixture.failure { $0.parallel = 1 }
            #expect(error?.code == code)
            #expect(error?.attempts == attempts)
        }
    }

    @Test("FR-049: a sink of the caller's own that fails ends the download at once")
    func failingSink() async throws {
        struct Full: Error {}
        struct FullSink: PartSink {
            func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws { throw Full() }
        }
        let fixture = try await OSSFixture()
        try fixture.server.storage.putObject("k", in: OSSFixture.bucket, .pretended(length: 5_000))
        let error = await failure {
            _ = try await fixture.client.getObject(
                OSSGetObjectInput(bucket: OSSFixture.bucket, key: "k"), into: FullSink())
        }
        #expect(error?.code == .fileUnwritable)
        #expect(fixture.server.wireLog.count(of: .getObject) == 1)
    }

    @Test(
        "FR-049: the table of kinds is the one that the documentation shows", arguments: TransportFailure.Kind.allCases)
    func table(kind: TransportFailure.Kind) {
        let decided: Set<TransportFailure.Kind> = [
            .certificate, .proxy, .malformed, .tooLarge, .bodySource, .sink, .invalidRequest, .shutdown,
        ]
        #expect(kind.retry == (decided.contains(kind) ? .never : .backoff))
    }
}

@Suite("Field reports: retries and broken connections, by make test-slow", .slow) struct SlowRetryReports {
    @Test(
        "FR-037: 100 parts pass a bucket of 20 requests a second", arguments: [nil, 2])
    func tokenBucket(retryAfter: Int?) async throws {
        let fixture = try await FlowFixture(.ossUpload) { setup in
            setup.clock = SystemClock()
            setup.parts = 100
            setup.retries = 5
            setup.retryPolicy = RetryPolicy()
        }
        fixture.server.faults.add(.on(.uploadPart), .throttle(rate: 20, burst: 20, retryAfter: retryAfter))
        try await fixture.run { $0.parallel = 16 }
        #expect(fixture.isDone)
        if let retryAfter {
            for requests in Dictionary(grouping: fixture.partRequests, by: \.request.partNumber).values {
                for (earlier, later) in zip(requests, requests.dropFirst()) {
                    #expect(later.arrival - earlier.arrival >= .seconds(retryAfter))
                }
            }
        }
    }

    @Test(
        "FR-043: a client that rests 70 s uses no old connection")
    func longRest() async throws {
        let fixture = try await FlowFixture(.ossUpload) { setup in
            setup.parts = 1
            setup.retries = 0
        }
        try await fixture.run()
        try await Task.sleep(for: .seconds(70))
        try await fixture.run()
        let puts = fixture.server.wireLog.entries(of: .putObject)
        #expect(puts.count == 2 && puts[0].connection != puts[1].connection)
    }

    @Test(
        "FR-045: 5 MiB at 20 KiB/s with a limit of 60 s", .timeLimit(.minutes(10)),
        arguments: [Flow.ossUpload, .tosDownload])
    func fullSizeSteadyPart(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { setup in
            setup.parts = 2
            setup.partSize = 5 << 20
            setup.retries = 0
        }
        let rate: UInt64 = 20 << 10
        fixture.server.faults.add(
            .on(flow.part), flow.isUpload ? .readSlowly(bytesPerSecond: rate) : .writeSlowly(bytesPerSecond: rate))
        try await fixture.run()
        #expect(fixture.isDone)
        #expect(fixture.partRequests.count == 2)
    }
}
