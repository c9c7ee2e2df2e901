import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferCurl
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Field reports about credentials that end, and clocks that are wrong.
@Suite("Field reports: credentials and clock", .timeLimit(.minutes(2))) struct CredentialReports {
    private struct Refused: Error, CustomStringConvertible { let description = "the backend is on holiday" }

    // MARK: One refresh for all

    @Test("FR-050: eight parts that meet an expired token wait for one refresh and use it", arguments: Service.allCases)
    func oneRefreshForPartsThatStartTogether(_ service: Service) async throws {
        let refresh = Gate()
        let offices = LockBox<TokenOffice?>(nil)
        let fixture = try await ServiceFixture(service, { $0.quirks.minimumPartLength = 1 }) { server in
            let office = TokenOffice(server) { if $0.number == 2 { await refresh.wait() } }
            offices.withLock { $0 = office }
            return office
        }
        let office = try #require(offices.withLock { $0 })
        let backend = fixture.backend
        let upload = try await backend.createMultipartUpload(at: fixture.target, options: ObjectOptions())
        fixture.server.accounts.expire(TokenOffice.key(1))
        let refusals = fixture.server.faults.add(.on(.uploadPart).first(8), .holdAnswer)
        let parts = try await withThrowingTaskGroup(of: CompletedPart.self) { group in
            for number in 1...8 {
                group.addTask {
                    try await backend.uploadPart(number, of: upload, body: PartBody(MadeUpSource(length: 1000)))
                }
            }
            try await refusals.waitUntilHeld(8)
            refusals.release()
            // The refresh takes until all of them have been told.
            try await fixture.log.waitFor(count: 8, phase: .ended) { $0.operation == .uploadPart && $0.isRefused }
            refresh.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        _ = try await backend.completeMultipartUpload(upload, parts: parts.sorted { $0.number < $1.number })
        #expect(office.count == 2)
        let sent = fixture.log.entries(of: .uploadPart)
        #expect(sent.count == 16)
        #expect(sent.prefix(8).allSatisfy { $0.isSigned(with: 1) && $0.isRefused })
        #expect(sent.dropFirst(8).allSatisfy { $0.isSigned(with: 2) && $0.status == 200 })
        #expect(fixture.stored?.length == 8000)
    }

    @Test("FR-050: eight parts of a video wait for one refresh")
    func oneRefreshForPartsOfAVideo() async throws {
        let fixture = try await VODFixture()
        let openAPI = try fixture.openAPI()
        let refresh = Gate()
        let getAuth = VODGetAuth { context in
            guard let video = context.videoId else {
                return try await openAPI.createUploadVideo(fileName: context.fileName)
            }
            await refresh.wait()
            return try await openAPI.refreshUploadVideo(videoId: video)
        }
        let created = fixture.server.faults.add(.on(.createMultipartUpload), .holdAnswer)
        let refusals = fixture.server.faults.add(.on(.uploadPart).first(8), .holdAnswer)
        let path = try fixture.file(size: 8 * VODFixture.partSize)
        let task = try fixture.uploader(getAuth) { $0.parallel = 8 }.uploadTask(path)
        task.events.ignore()
        try await created.waitUntilHeld()
        fixture.server.accounts.expire(try #require(fixture.server.vod.videos.first?.accessKeys.first))
        created.release()
        try await refusals.waitUntilHeld(8)
        refusals.release()
        try await fixture.server.wireLog.waitFor(count: 8, phase: .ended) {
            $0.operation == .uploadPart && $0.isRefused
        }
        refresh.open()
        #expect(try await task.value.verification == .crc64)
        #expect(fixture.count(.refreshUploadVideo) == 1)
        #expect(fixture.count(.uploadPart) == 16)
        #expect(fixture.holds(VODFixture.bytes(8 * VODFixture.partSize)))
    }

    @Test(
        "FR-053: 64 parts of four uploads that are refused at once cause one refresh, and a late refusal none",
        arguments: [Service.tos, .oss, .s3])
    func oneRefreshForManyUploads(_ service: Service) async throws {
        let offices = LockBox<TokenOffice?>(nil)
        let fixture = try await ServiceFixture(service, { $0.quirks.minimumPartLength = 1 }) { server in
            let office = TokenOffice(server)
            offices.withLock { $0 = office }
            return office
        }
        let office = try #require(offices.withLock { $0 })
        let backend = fixture.backend
        let first = try await backend.createMultipartUpload(at: fixture.target, options: ObjectOptions())
        var uploads = [first]
        for number in 2...4 {
            let target = ObjectLocation(bucket: "dst-bucket", key: "film \(number)")
            uploads.append(try await backend.createMultipartUpload(at: target, options: ObjectOptions()))
        }
        fixture.server.accounts.expire(TokenOffice.key(1))
        let late = fixture.server.faults.add(.on(.uploadPart).part(16).upload(first.id).first(1), .holdAnswer)
        let others = fixture.server.faults.add(
            .on(.uploadPart).matching { $0.uploadID != first.id || $0.partNumber != 16 }.first(63), .holdAnswer)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for upload in uploads {
                for number in 1...16 {
                    group.addTask {
                        _ = try await backend.uploadPart(number, of: upload, body: PartBody(MadeUpSource(length: 100)))
                    }
                }
            }
            try await others.waitUntilHeld(63)
            try await late.waitUntilHeld(1)
            others.release()
            for _ in 1...63 { try await group.next() }
            #expect(office.count == 2)
            // The last refusal is about keys that have been replaced by now.
            late.release()
            try await group.next()
        }
        #expect(office.count == 2)
        let sent = fixture.log.entries(of: .uploadPart)
        #expect(sent.count == 128)
        #expect(sent.count { $0.isSigned(with: 1) && $0.isRefused } == 64)
        #expect(sent.count { $0.isSigned(with: 2) && $0.status == 200 } == 64)
    }

    @Test("FR-053: four videos refresh once each, for each has keys of its own")
    func oneRefreshForEachVideo() async throws {
        let fixture = try await VODFixture()
        let created = fixture.server.faults.add(.on(.createMultipartUpload), .holdAnswer)
        let refusals = fixture.server.faults.add(.on(.uploadPart).first(64), .holdAnswer)
        let uploader = try fixture.uploader { $0.parallel = 16 }
        let tasks = try (1...4).map { number in
            let path = try fixture.file("film-\(number).mp4", size: 16 * VODFixture.partSize, seed: UInt64(number))
            let task = uploader.uploadTask(path)
            task.events.ignore()
            return task
        }
        try await created.waitUntilHeld(4)
        for key in fixture.server.vod.videos.flatMap(\.accessKeys) { fixture.server.accounts.expire(key) }
        created.release()
        try await refusals.waitUntilHeld(64)
        refusals.release()
        for task in tasks { #expect(try await task.value.verification == .crc64) }
        #expect(fixture.server.vod.videos.map(\.refreshCount) == [1, 1, 1, 1])
        #expect(fixture.count(.uploadPart) == 128)
    }

    // MARK: Keys that never work

    /// What a provider does wrong, and how often it may be asked by one request of a client that repeats three times.
    enum Provider: CaseIterable, Sendable {
        case alwaysBad
        case alwaysTheSame
        case failing
        case failingLater
    }

    @Test(
        "FR-051: a provider whose keys never work is asked a few times, and the call ends with what was said",
        arguments: Service.allCases, Provider.allCases)
    func providersThatNeverWork(_ service: Service, _ provider: Provider) async throws {
        let offices = LockBox<TokenOffice?>(nil)
        let fixture = try await ServiceFixture(service, { _ in }) { server in
            let office = TokenOffice(server) { terms in
                terms.isKnown = false
                switch provider {
                case .alwaysBad: break
                case .alwaysTheSame: terms.number = 1
                case .failing: throw Refused()
                case .failingLater: if terms.number > 1 { throw Refused() }
                }
            }
            offices.withLock { $0 = office }
            return office
        }
        let office = try #require(offices.withLock { $0 })
        let source = UploadSource(MadeUpSource(length: 3 * service.leastPart), name: "film")
        let error = await failure { _ = try await fixture.upload(source) { $0.concurrency = 8 } }
        let requests = fixture.log.entries.count
        switch provider {
        case .alwaysBad:
            #expect(error?.code == .credentialsInvalid)
            #expect(error?.service?.code == "InvalidAccessKeyId")
            #expect(office.count == 4 && requests == 4)
        case .alwaysTheSame:
            #expect(error?.service?.code == "InvalidAccessKeyId")
            #expect(office.count == 2 && requests == 1)
        case .failing:
            #expect(error?.code == .credentialsUnavailable)
            #expect(error?.message.contains("on holiday") == true)
            #expect(office.count == 1 && requests == 0)
        case .failingLater:
            #expect(error?.code == .credentialsUnavailable)
            #expect(error?.message.contains("on holiday") == true)
            #expect(office.count == 2 && requests == 1)
        }
    }

    @Test("FR-051: an endpoint that is not there asks for no other keys", arguments: Service.allCases)
    func wrongEndpoint(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        let office = TokenOffice(fixture.server)
        // A port that nobody is given, unlike one that a server has left.
        let backend = try service.backend(of: fixture.server, credentials: office, url: "http://127.0.0.1:1")
        let error = await failure { _ = try await backend.headObject(fixture.target) }
        #expect(error?.code == .connectionFailed)
        #expect(office.count == 1)
    }

    @Test(
        "FR-051: a video whose keys never work refreshes twice, whatever the number of parts and repeats",
        arguments: ["InvalidAccessKeyId", "SecurityTokenExpired", "AccessDenied"], [0, 8])
    func videoWhoseKeysNeverWork(_ code: String, retries: Int) async throws {
        let fixture = try await VODFixture()
        fixture.server.faults.add(.on(.uploadPart), .status(403, code: code))
        let path = try fixture.file(size: 8 * VODFixture.partSize)
        let uploader = try fixture.uploader {
            $0.parallel = 8
            $0.maxRetryCount = retries
        }
        let error = await uploadFailure { _ = try await uploader.uploadFile(path) }
        #expect(error?.errorCode == code)
        #expect(error?.requestId != nil)
        #expect(fixture.server.vod.videos.count == 1)
        // Without repeats the first part that is refused again ends the upload, before or after another asks once more.
        let expected = code == "AccessDenied" ? 0...0 : retries == 0 ? 1...2 : 2...2
        #expect(expected.contains(fixture.count(.refreshUploadVideo)))
    }

    // MARK: A life that is too short

    /// Keys of three seconds, and a server whose clock goes on by a fifth of a second with every part that it stores.
    private func shortLife(
        _ change: (inout StubConfiguration) -> Void = { _ in }
    ) -> (configure: @Sendable (inout StubConfiguration) -> Void, clock: ManualClock) {
        let clock = ManualClock(start: Date())
        return (
            { configuration in
                configuration.clock = clock
                configuration.onRequest = { entry in
                    let isPart = [.uploadPart, .uploadPartCopy].contains(entry.operation)
                    if isPart, entry.status == 200 { clock.advance(by: .milliseconds(200)) }
                }
            }, clock
        )
    }

    @Test(
        "FR-052: a copy of 100 parts outlives its keys six times, under one upload id",
        arguments: Service.allCases.flatMap { service in
            // The client that is told an end needs the server's clock, which that of S3 cannot have.
            service == .s3 ? [(service, false)] : [(service, false), (service, true)]
        })
    func copyOutlivesItsKeys(_ service: Service, tellsEnd: Bool) async throws {
        let (configure, clock) = shortLife()
        let offices = LockBox<TokenOffice?>(nil)
        let own: (any TransferClock)? = tellsEnd ? clock : nil
        let fixture = try await ServiceFixture(service, clock: own, { configure(&$0) }) { server in
            let office = TokenOffice(server, clock: clock) {
                $0.life = .seconds(3)
                $0.tellsEnd = tellsEnd
            }
            offices.withLock { $0 = office }
            return office
        }
        let source = try fixture.server.storage.putObject(
            "film", in: "src-bucket", .pretended(length: 100 * service.leastPart))
        _ = try await fixture.copy(from: ObjectLocation(bucket: "src-bucket", key: "film"))
        #expect(fixture.stored?.content.firstDifference(from: source.content) == nil)
        #expect(fixture.log.count(of: .createMultipartUpload) == 1)
        let parts = fixture.server.storage.storedPartCounts["dst-bucket/\(fixture.target.key)"] ?? [:]
        #expect(parts.count == 100 && parts.values.allSatisfy { $0 == 1 })
        // 20 s in lives of 3 s.
        #expect((7...8).contains(try #require(offices.withLock { $0 }).count))
    }

    @Test("FR-052: a video of 100 parts outlives its keys six times, under one video and upload id")
    func videoOutlivesItsKeys() async throws {
        let (configure, clock) = shortLife()
        let fixture = try await VODFixture {
            configure(&$0)
            $0.vod.tokenLife = .seconds(3)
        }
        let path = try fixture.file(size: 100 * VODFixture.partSize)
        let result = try await uploader(fixture, .openAPI(fixture.openAPI()), clock: clock).uploadFile(path)
        #expect(result.verification == .crc64)
        #expect(fixture.server.vod.videos.count == 1)
        #expect(fixture.count(.createMultipartUpload) == 1)
        #expect(fixture.partsStored.count == 100 && fixture.partsStored.values.allSatisfy { $0 == 1 })
        // 20 s in lives of 3 to 4 s, for the wire tells whole seconds.
        #expect((5...7).contains(fixture.count(.refreshUploadVideo)))
    }

    @Test(
        "FR-054: the window for early renewal shrinks with the life of the keys",
        arguments: [Service.tos, .tosS3, .oss, .ossV1], [5, 60, 900, -60])
    func earlyRenewalIsBounded(_ service: Service, life: Int) async throws {
        let clock = ManualClock()
        let offices = LockBox<TokenOffice?>(nil)
        let fixture = try await ServiceFixture(service, clock: clock, { $0.clock = clock }) { server in
            let office = TokenOffice(server, clock: clock) {
                $0.life = .seconds(life)
                $0.tellsEnd = true
            }
            offices.withLock { $0 = office }
            return office
        }
        try fixture.server.storage.putObject(fixture.target.key, in: fixture.target.bucket, .text("a"))
        let office = try #require(offices.withLock { $0 })
        if life < 0 {
            // The server knows it too: one refresh after the other would not help.
            let error = await failure { _ = try await fixture.backend.headObject(fixture.target) }
            #expect(error?.code == .credentialsExpired)
            #expect(office.count <= 8, "HEAD has no body, so its reason is asked for by a GET")
            return
        }
        for _ in 1...200 {
            _ = try await fixture.backend.headObject(fixture.target)
            clock.advance(by: .milliseconds(100))
        }
        // 20 s: keys of 5 s are renewed after 4.5.
        #expect(life == 5 ? (4...6).contains(office.count) : office.count == 1)
        #expect(fixture.log.entries.allSatisfy { $0.status == 200 } || life == 5)
    }

    @Test(
        "FR-054: an end in the past is no reason to fetch again, while the service takes the keys",
        arguments: Service.allCases)
    func anEndInThePastThatIsNone(_ service: Service) async throws {
        let asked = LockBox(0)
        let fixture = try await ServiceFixture(service, { _ in }) { server in
            RefreshingCredentialsProvider {
                asked.withLock { $0 += 1 }
                return Credentials(
                    accessKey: server.accessKey, secretKey: server.secretKey,
                    expiration: Date(timeIntervalSinceNow: -60))
            }
        }
        try fixture.server.storage.putObject(fixture.target.key, in: fixture.target.bucket, .text("a"))
        for _ in 1...200 { _ = try await fixture.backend.headObject(fixture.target) }
        #expect(asked.withLock { $0 } == 1)
    }

    // MARK: Clocks

    private static let longAgo = "Thu, 01 Jan 1970 00:00:00 GMT"

    /// Refuses a request as too far from the server's time, with the `Date` of 1970 and perhaps the right time in the document.
    private static func skewed(_ service: Service, tellsTime: Bool) -> [Fault] {
        [
            .status(403, code: "RequestTimeTooSkewed"), .header("Date", longAgo),
            .edit { answer in
                guard tellsTime, let text = answer.text else { return }
                var time = Date().formatted(.iso8601)
                if time.hasSuffix("Z") { time.replaceSubrange(time.index(before: time.endIndex)..., with: ".000Z") }
                answer.text =
                    service == .tos
                    ? text.replacing("{", with: "{\"ServerTime\":\"\(time)\",", maxReplacements: 1)
                    : text.replacing("</Error>", with: "<ServerTime>\(time)</ServerTime></Error>")
            },
        ]
    }

    @Test("FR-055: the service's time comes from its document, not from a Date of 1970", arguments: Service.allCases)
    func timeOfTheDocument(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service, retries: 0)
        let faults = Self.skewed(service, tellsTime: true)
        fixture.server.faults.add(.on(.putObject).first(1), faults[0], faults[1], faults[2])
        let source = MadeUpSource(length: 1000)
        _ = try await fixture.backend.putObject(PartBody(source), at: fixture.target, options: ObjectOptions())
        #expect(fixture.log.entries.map(\.status) == [403, 200])
        #expect(fixture.stored?.content.read() == (try source.bytes))
    }

    @Test(
        "FR-055: a clock that is a day off is corrected by the document, whatever the Date says",
        arguments: Service.allCases, [-86_400.0, 86_400])
    func timeOfTheDocumentWhenTheClockIsOff(_ service: Service, seconds: Double) async throws {
        let fixture = try await ServiceFixture(service, retries: 0, { $0.clock = ShiftedClock(by: seconds) })
        fixture.server.faults.add(.any, .header("Date", Self.longAgo))
        for _ in 1...3 {
            _ = try await fixture.backend.createMultipartUpload(at: fixture.target, options: ObjectOptions())
        }
        #expect(fixture.log.entries.map(\.status) == [403, 200, 200, 200])
    }

    @Test("FR-055: a Date of 1970 alone is an error, and harms no later request", arguments: Service.allCases)
    func implausibleDate(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        let faults = Self.skewed(service, tellsTime: false)
        fixture.server.faults.add(.on(.putObject).first(1), faults[0], faults[1])
        let body = PartBody(MadeUpSource(length: 1000))
        let error = await failure {
            _ = try await fixture.backend.putObject(body, at: fixture.target, options: ObjectOptions())
        }
        #expect(error?.code == .clockSkew)
        #expect(error?.service?.code == "RequestTimeTooSkewed")
        _ = try await fixture.backend.putObject(body, at: fixture.target, options: ObjectOptions())
        #expect(fixture.log.entries.map(\.status) == [403, 200])
    }

    @Test("FR-055: a time that is plausible and wrong is given up after one attempt", arguments: Service.allCases)
    func wrongTimeIsForgotten(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        fixture.server.faults.add(.on(.putObject).first(1), .skewedClock(by: .seconds(86_400)))
        let body = PartBody(MadeUpSource(length: 1000))
        let error = await failure {
            _ = try await fixture.backend.putObject(body, at: fixture.target, options: ObjectOptions())
        }
        #expect(error?.code == .clockSkew)
        _ = try await fixture.backend.putObject(body, at: fixture.target, options: ObjectOptions())
        #expect(fixture.log.entries.map(\.status) == [403, 403, 200])
    }

    /// Where the bytes of a request come from.
    enum Kind: CaseIterable, Sendable {
        case memory
        case file
        case ownStruct
        case ownClass
    }

    private func source(_ kind: Kind, in directory: TemporaryDirectory) throws -> any ByteSource {
        let made = MadeUpSource(length: 1 << 20, seed: 3)
        switch kind {
        case .memory: return MemorySource(try made.bytes)
        case .file:
            try directory.write(try made.bytes, to: "film")
            return try FileSource(path: directory.path("film"))
        case .ownStruct: return made
        case .ownClass: return CountingSource(length: 1 << 20, seed: 3)
        }
    }

    @Test(
        "FR-056: what is sent again after a correction of the clock has its whole body",
        arguments: Service.allCases, Kind.allCases)
    func repeatAfterACorrectionHasItsBody(_ service: Service, _ kind: Kind) async throws {
        let fixture = try await ServiceFixture(service, { $0.clock = ShiftedClock(by: -86_400) })
        let source = try source(kind, in: fixture.directory)
        let bytes = try source.bytes
        let receipt = try await fixture.backend.putObject(
            PartBody(source), at: fixture.target, options: ObjectOptions())
        #expect(fixture.log.entries(of: .putObject).map(\.status) == [403, 200])
        #expect(fixture.log.entries(of: .putObject).last?.bodyLength == 1 << 20)
        #expect(fixture.stored?.content.read() == bytes)
        if service.tellsCRC64 { #expect(receipt.verification == .crc64) }

        let upload = try await fixture.backend.createMultipartUpload(at: fixture.target, options: ObjectOptions())
        // A client that has not learnt the time yet.
        let other = try service.backend(of: fixture.server)
        let part = try await other.uploadPart(1, of: upload, body: PartBody(source))
        #expect(fixture.log.entries(of: .uploadPart).map(\.status) == [403, 200])
        _ = try await other.completeMultipartUpload(upload, parts: [part])
        #expect(fixture.stored?.content.read() == bytes)
    }

    // MARK: Tokens that cannot be had

    /// An uploader with a clock of the test's own.
    private func uploader(
        _ fixture: VODFixture, _ getAuth: VODGetAuth, clock: any TransferClock
    ) throws -> VODUploader {
        var config = VODUploadConfig(getAuth: getAuth)
        config.checkpointDirectory = fixture.directory.path("records")
        config.partSize = VODFixture.partSize
        var transport = TransportConfiguration()
        transport.proxy = .none
        return try VODUploader(config, transport: CurlTransport(transport), clock: clock)
    }

    private func videoFailure(
        _ fixture: VODFixture, clock: any TransferClock = SystemClock(), _ getAuth: VODGetAuth,
        _ meanwhile: (VODUploadTask) async throws -> Void = { _ in }
    ) async throws -> VODUploadError? {
        let task = try uploader(fixture, getAuth, clock: clock).uploadTask(try fixture.file(size: 1000))
        task.events.ignore()
        try await meanwhile(task)
        return await uploadFailure { _ = try await task.value }
    }

    @Test("FR-057 (a): the error of getAuth is the error of the upload", arguments: [false, true])
    func getAuthFails(callsBack: Bool) async throws {
        let fixture = try await VODFixture()
        let getAuth =
            callsBack
            ? VODGetAuth(completion: { _, completion in completion(.failure(Refused())) })
            : VODGetAuth { _ in throw Refused() }
        let error = try await videoFailure(fixture, getAuth)
        #expect(error?.errorCode == "GetUploadAuthFailed")
        #expect(error?.errorMessage.contains("the backend is on holiday") == true)
        #expect(error?.underlying.underlying is Refused)
        #expect(fixture.server.wireLog.entries.isEmpty)
    }

    @Test(
        "FR-057 (b): a member that is missing, or is spelt in another case, is named",
        arguments: [
            ("VideoId", nil), ("VideoId", "videoId"), ("UploadAddress", nil), ("UploadAddress", "uploadAddress"),
            ("UploadAuth", nil), ("UploadAuth", "UPLOADAUTH"),
        ] as [(String, String?)])
    func membersOfTheAnswer(name: String, written: String?) async throws {
        let fixture = try await VODFixture()
        let answer = try await fixture.openAPI().createUploadVideo(fileName: "a.mp4").authAnswerJSON()
        let text = String(decoding: answer, as: UTF8.self)
        #expect(text.contains("\"\(name)\""))
        let changed = text.replacing("\"\(name)\"", with: "\"\(written ?? "Other")\"")
        let before = fixture.server.wireLog.entries.count
        let error = try await videoFailure(fixture, VODGetAuth { _ in changed })
        #expect(error?.errorCode == "InvalidParameter.TokenInvalid")
        #expect(error?.errorMessage.contains(name) == true, "\(error?.errorMessage ?? "")")
        #expect(fixture.server.wireLog.entries.count == before)
    }

    @Test("FR-057 (c): what a closure says after its first word is ignored")
    func getAuthCallsBackTwice() async throws {
        let fixture = try await VODFixture()
        let openAPI = try fixture.openAPI()
        let getAuth = VODGetAuth(completion: { context, completion in
            Task {
                let answer = try await openAPI.createUploadVideo(fileName: context.fileName)
                completion(.success(answer))
                completion(.failure(Refused()))
                completion(.success(answer))
            }
        })
        let result = try await fixture.uploader(getAuth).uploadFile(try fixture.file(size: 1000))
        #expect(result.videoId == fixture.server.vod.videos.first?.id)
        #expect(fixture.count(.putObject) == 1)
        #expect(fixture.holds(VODFixture.bytes(1000)))
    }

    @Test("FR-057 (d): a closure that never answers is waited for as long as authTimeout says")
    func getAuthNeverAnswers() async throws {
        let fixture = try await VODFixture()
        let clock = ManualClock()
        let error = try await videoFailure(fixture, clock: clock, VODGetAuth(completion: { _, _ in })) { _ in
            await clock.waitForSleepers()
            clock.advance(by: .seconds(60))
        }
        #expect(error?.errorCode == "GetUploadAuthFailed")
        #expect(error?.errorMessage.contains("did not answer within 60") == true)
        #expect(fixture.server.wireLog.entries.isEmpty)
    }

    @Test("FR-057 (d, e): the wait is cancelled at once, and an answer from another thread after it is ignored")
    func getAuthAnswersAfterTheEnd() async throws {
        let fixture = try await VODFixture()
        let answer = try await fixture.openAPI().createUploadVideo(fileName: "a.mp4")
        let before = fixture.server.wireLog.entries.count
        typealias Completion = @Sendable (Result<any VODAuthAnswer, any Error>) -> Void
        let late = LockBox<Completion?>(nil)
        let asked = Gate()
        let getAuth = VODGetAuth(completion: { _, completion in
            late.withLock { $0 = completion }
            asked.open()
        })
        let error = try await videoFailure(fixture, getAuth) { task in
            await asked.wait()
            task.cancel()
        }
        #expect(error?.errorCode == "FileAlreadyCancel")
        let complete = try #require(late.withLock { $0 })
        runThreads(4) { number in complete(number % 2 == 0 ? .success(answer) : .failure(Refused())) }
        #expect(fixture.server.wireLog.entries.count == before)
    }

    @Test(
        "FR-057: a client's provider that never answers is waited for a minute, or until the caller gives up",
        arguments: [Service.tos, .tosS3, .oss, .ossV1], [false, true])
    func providerNeverAnswers(_ service: Service, isCancelled: Bool) async throws {
        let clock = ManualClock()
        let asked = Gate()
        let fixture = try await ServiceFixture(service, clock: clock, { _ in }) { _ in
            RefreshingCredentialsProvider {
                asked.open()
                await Gate().wait()
                throw Refused()
            }
        }
        let call = Task { try await fixture.backend.headObject(fixture.target) }
        await asked.wait()
        if isCancelled {
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        } else {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(60))
            let error = await failure { _ = try await call.value }
            #expect(error?.code == .credentialsUnavailable)
            #expect(error?.message.contains("did not answer within 60") == true)
        }
        #expect(fixture.log.entries.isEmpty)
    }
}
