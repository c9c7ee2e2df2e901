import Testing

@testable import ObjectStoreStub

@Suite struct FaultTests {
    private let body = [UInt8](repeating: 7, count: 300_000)

    // MARK: Instead of the action

    @Test func statusWithCodeAndRetryAfterForTheFirstTwo() async throws {
        let stub = try await StubFixture()
        let handle = stub.server.faults.add(
            .on(.putObject).key("a").first(2),
            .status(503, code: "SlowDown", retryAfter: 2, headers: ["x-tos-note": "n"]))
        for _ in 0..<2 {
            let reply = try stub.send("PUT", "/dst-bucket/a", body: [1])
            #expect(reply.status == 503)
            #expect(try reply.member("Code") == "SlowDown")
            #expect(reply.headers["retry-after"] == "2")
            #expect(reply.headers["x-tos-note"] == "n")
            #expect(reply.headers["x-tos-request-id"]?.isEmpty == false)
        }
        #expect(try stub.send("PUT", "/dst-bucket/b", body: [1]).status == 200)
        #expect(try stub.send("PUT", "/dst-bucket/a", body: [1]).status == 200)
        #expect(handle.hits == 2)
        let entries = stub.server.wireLog.entries(of: .putObject)
        #expect(entries.map(\.status) == [503, 503, 200, 200])
        #expect(entries[0].faults == ["status 503"])
        #expect(entries[0].code == "SlowDown")
    }

    @Test func aWrongSignatureIsFoundThroughAFault() async throws {
        var stub = try await StubFixture()
        stub.server.faults.add(.any, .status(500))
        stub.signer.secretKey = "wrong"
        #expect(try stub.send("PUT", "/dst-bucket/a", body: [1]).status == 403)
    }

    @Test func countsByNumberAndByPart() async throws {
        let stub = try await StubFixture()
        let upload = try stub.createUpload("/dst-bucket/a")
        stub.server.faults.add(.on(.uploadPart).first(1).ofEachPart, .status(500))
        stub.server.faults.add(.on(.uploadPart).nth(6), .status(429))
        stub.server.faults.add(.on(.uploadPart).after(6).parts(3...9), .status(404, code: "NoSuchUpload"))
        func part(_ number: Int) throws -> Int {
            try stub.send(
                "PUT", "/dst-bucket/a", query: [("partNumber", "\(number)"), ("uploadId", upload)], body: [1]
            ).status
        }
        #expect(try [1, 2, 1, 2, 3, 3, 3].map(part) == [500, 500, 200, 200, 500, 429, 200])
    }

    @Test func bodiesThatAreNoDocument() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(
            .on(.createMultipartUpload).nth(1), .answer(502, contentType: "text/html", body: "<html>"))
        stub.server.faults.add(.on(.createMultipartUpload).nth(2), .answer(200))
        let first = try stub.send("POST", "/dst-bucket/a", query: [("uploads", "")])
        #expect((first.status, first.text, first.headers["content-type"]) == (502, "<html>", "text/html"))
        let second = try stub.send("POST", "/dst-bucket/a", query: [("uploads", "")])
        #expect((second.status, second.body) == (200, []))
        #expect(stub.server.storage.uploads.isEmpty)
    }

    @Test func lateErrorsFlatAndWrapped() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("s", in: "src-bucket", .text("x"))
        stub.server.faults.add(.on(.copyObject), .lateError(code: "InternalError"))
        let flat = try stub.send("PUT", "/dst-bucket/a", headers: [("x-tos-copy-source", "/src-bucket/s")])
        #expect(flat.status == 200)
        #expect(flat.text.hasPrefix("{\"Code\":\"InternalError\""))
        stub.server.quirks.wrapsErrors = true
        let wrapped = try stub.send("PUT", "/dst-bucket/a", headers: [("x-tos-copy-source", "/src-bucket/s")])
        #expect(wrapped.status == 200)
        #expect(wrapped.text.hasPrefix("{\"Error\":{\"Code\":\"InternalError\""))
        #expect(stub.server.storage.object("a", in: "dst-bucket") == nil)
    }

    @Test func anExpiredUploadIsGone() async throws {
        let stub = try await StubFixture()
        let upload = try stub.createUpload("/dst-bucket/a")
        stub.server.faults.add(.on(.uploadPart).part(2).first(1), .expireUpload)
        for (number, status) in [(1, 200), (2, 404), (1, 404)] {
            let reply = try stub.send(
                "PUT", "/dst-bucket/a", query: [("partNumber", "\(number)"), ("uploadId", upload)], body: [1])
            #expect(reply.status == status)
        }
    }

    @Test func expiredTokenAndSkewedClock() async throws {
        var stub = try await StubFixture()
        stub.server.accounts.add(StubAccount(accessKey: "STS", secretKey: "s", sessionToken: "tok"))
        stub.server.faults.add(.any.nth(1), .expiredToken)
        stub.server.faults.add(.any.nth(2), .skewedClock(by: .seconds(3_600)))
        stub.signer.accessKey = "STS"
        stub.signer.secretKey = "s"
        stub.signer.token = "tok"
        let expired = try stub.send("GET", "/src-bucket/x")
        #expect(expired.status == 403)
        #expect(try expired.member("Message").hasSuffix("tok"))
        let skewed = try stub.send("GET", "/src-bucket/x")
        #expect(try skewed.member("Code") == "RequestTimeTooSkewed")
        #expect(skewed.headers["date"] == "Tue, 01 Jul 2025 09:00:00 GMT")
        #expect(try stub.send("GET", "/src-bucket/x").status == 404)
    }

    @Test func throttlingRefusesWhatComesTooFast() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.on(.headObject), .throttle(rate: 0, burst: 3, status: 429))
        let statuses = try (0..<5).map { _ in try stub.send("HEAD", "/src-bucket/x").status }
        #expect(statuses == [404, 404, 404, 429, 429])
    }

    @Test func oneRequestOfEachUploadHasItsTurn() {
        let turns = UploadTurns()
        #expect(turns.take("a"))
        #expect(!turns.take("a"))
        #expect(turns.take("b"))
        turns.give("a")
        #expect(turns.take("a"))
    }

    @Test func aTokenBucketRefillsAtItsRate() {
        let bucket = TokenBucket(rate: 10, burst: 2)
        let start = ContinuousClock.now
        #expect(bucket.admit(at: start))
        #expect(bucket.admit(at: start))
        #expect(!bucket.admit(at: start + .milliseconds(50)))
        #expect(bucket.admit(at: start + .milliseconds(150)))
        #expect(!bucket.admit(at: start + .milliseconds(160)))
        #expect(bucket.admit(at: start + .seconds(60)))
        #expect(bucket.admit(at: start + .seconds(60)))
        #expect(!bucket.admit(at: start + .seconds(60)))
    }

    // MARK: Waits

    @Test func aHeldRequestWaitsForTheTest() async throws {
        let stub = try await StubFixture()
        let handle = stub.server.faults.add(.on(.putObject), .hold)
        let client = try stub.connect()
        try client.send(stub.signer.request("PUT", "/dst-bucket/a", host: "127.0.0.1:\(stub.server.port)", body: [1]))
        try await handle.waitUntilHeld()
        #expect(handle.heldCount == 1)
        #expect(stub.server.storage.object("a", in: "dst-bucket") == nil)
        handle.release(1)
        #expect(try client.receive().status == 200)
        #expect(stub.server.storage.object("a", in: "dst-bucket") != nil)
        handle.release(1)
        #expect(try stub.send("PUT", "/dst-bucket/b", body: [1]).status == 200)
    }

    @Test func aHeldAnswerComesAfterTheAction() async throws {
        let stub = try await StubFixture()
        let handle = stub.server.faults.add(.on(.putObject), .holdAnswer)
        let client = try stub.connect()
        try client.send(stub.signer.request("PUT", "/dst-bucket/a", host: "127.0.0.1:\(stub.server.port)", body: [1]))
        try await handle.waitUntilHeld()
        #expect(stub.server.storage.object("a", in: "dst-bucket") != nil)
        handle.remove()
        #expect(try client.receive().status == 200)
    }

    @Test func theLogTellsOfAClientThatGivesUp() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.on(.getObject), .stall)
        var client: RawClient? = try stub.connect()
        try client?.send(stub.signer.request("GET", "/src-bucket/x", host: "127.0.0.1:\(stub.server.port)"))
        try await stub.server.wireLog.waitFor(operation: .getObject)
        client = nil
        try await stub.server.wireLog.waitFor(operation: .getObject, phase: .ended)
        let entry = try #require(stub.server.wireLog.entries.first)
        #expect(entry.peerClosedEarly)
        #expect(entry.answerWasCut)
        #expect(entry.status == nil)
    }

    @Test func aDelayHoldsUpNobodyElse() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.on(.getObject), .delay(.seconds(3_600)))
        let waiting = try stub.connect()
        try waiting.send(stub.signer.request("GET", "/src-bucket/x", host: "127.0.0.1:\(stub.server.port)"))
        try await stub.server.wireLog.waitFor(operation: .getObject)
        #expect(try stub.send("HEAD", "/src-bucket/x").status == 404)
        stub.server.stop()
        #expect(throws: RawClient.Failure.closed) { try waiting.receive() }
    }

    @Test func waitsOfTheTestEndWithTheirTask() async throws {
        let stub = try await StubFixture()
        let log = stub.server.wireLog
        let handle = stub.server.faults.add(.any, .hold)
        let tasks = [
            Task { try await log.waitFor(operation: .getObject) }, Task { try await handle.waitUntilHeld() },
        ]
        for task in tasks {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    // MARK: Broken connections

    @Test(arguments: [Fault.resetBeforeBody, .resetInBody(after: 100_000), .resetAfterBody])
    func resetsWithNothingDone(fault: Fault) async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.on(.putObject), fault)
        #expect(throws: RawClient.Failure.reset) { try stub.send("PUT", "/dst-bucket/a", body: body) }
        try await stub.server.wireLog.waitFor(operation: .putObject, phase: .ended)
        #expect(stub.server.storage.object("a", in: "dst-bucket") == nil)
        #expect(stub.server.wireLog.entries.first?.answerWasCut == true)
    }

    @Test func resetsAndClosesInTheAnswer() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("x", in: "src-bucket", .bytes(body))
        stub.server.faults.add(.on(.getObject).nth(1), .resetAfterStatusLine)
        stub.server.faults.add(.on(.getObject).nth(2), .resetInAnswer(after: 1_000))
        stub.server.faults.add(.on(.getObject).nth(3), .truncatedAnswer(to: 1_000))
        let host = "127.0.0.1:\(stub.server.port)"

        let first = try stub.connect()
        try first.send(stub.signer.request("GET", "/src-bucket/x", host: host))
        #expect(throws: RawClient.Failure.reset) { try first.receiveHead() }

        let second = try stub.connect()
        try second.send(stub.signer.request("GET", "/src-bucket/x", host: host))
        #expect(try second.receiveHead().headers["content-length"] == "300000")
        #expect(throws: RawClient.Failure.reset) { try second.receiveToEnd() }

        let third = try stub.connect()
        try third.send(stub.signer.request("GET", "/src-bucket/x", host: host))
        #expect(try third.receiveHead().headers["content-length"] == "300000")
        #expect(try third.receiveToEnd().count == 1_000)
    }

    @Test(arguments: [(Fault.loseAnswer, RawClient.Failure.reset), (.closeInsteadOfAnswer, .closed)])
    func losesTheAnswerOfADoneAction(fault: Fault, failure: RawClient.Failure) async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.on(.putObject), fault)
        #expect(throws: failure) { try stub.send("PUT", "/dst-bucket/a", body: [1]) }
        #expect(stub.server.storage.object("a", in: "dst-bucket") != nil)
    }

    @Test func answersWhileTheClientStillWrites() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.on(.putObject), .earlyAnswer(after: 16_384, status: 403, code: "AccessDenied"))
        let client = try stub.connect()
        let request = stub.signer.request(
            "PUT", "/dst-bucket/a", host: "127.0.0.1:\(stub.server.port)", body: [UInt8](repeating: 1, count: 65_536),
            contentLength: 64 << 20)
        try client.send(request)
        let reply = try client.receive()
        #expect(reply.status == 403)
        #expect(reply.headers["connection"] == "close")
        // What is written on is taken, so that the answer is not lost to a reset.
        try client.send([UInt8](repeating: 2, count: 4 << 20))
        client.shutDownSending()
        #expect(throws: RawClient.Failure.closed) { try client.receive() }
        #expect(stub.server.storage.object("a", in: "dst-bucket") == nil)
    }

    @Test func closesAConnectionThatLookedAlive() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.on(.headObject), .closeAfterAnswer)
        let client = try stub.connect()
        let reply = try stub.send("HEAD", "/src-bucket/x", on: client)
        #expect(reply.headers["connection"] == nil)
        #expect(throws: RawClient.Failure.closed) { try client.receive() }
    }

    // MARK: Wrong answers

    @Test func wrongAndMissingETagsAndChecksums() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.on(.putObject).nth(1), .etag("beef"), .crc64(5))
        stub.server.faults.add(.on(.putObject).nth(2), .etag(nil), .crc64(nil))
        let wrong = try stub.send("PUT", "/dst-bucket/a", body: [1])
        #expect(wrong.headers["etag"] == "\"beef\"")
        #expect(wrong.headers["x-tos-hash-crc64ecma"] == "5")
        let missing = try stub.send("PUT", "/dst-bucket/a", body: [1])
        #expect(missing.headers["etag"] == nil)
        #expect(missing.headers["x-tos-hash-crc64ecma"] == nil)
        let upload = try stub.createUpload("/dst-bucket/c")
        stub.server.faults.add(.on(.uploadPartCopy), .etag(""))
        let copy = try stub.send(
            "PUT", "/dst-bucket/c", query: [("partNumber", "1"), ("uploadId", upload)],
            headers: [("x-tos-copy-source", "/dst-bucket/a")])
        #expect(copy.text.hasPrefix("{\"ETag\":\"\\\"\\\"\""))
    }

    @Test func aCorruptedBodyShowsInItsChecksum() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.on(.putObject), .corruptBody(at: 200_000))
        let reply = try stub.send("PUT", "/dst-bucket/a", body: body)
        let stored = try #require(stub.server.storage.object("a", in: "dst-bucket"))
        #expect(stored.content.firstDifference(from: .bytes(body)) == 200_000)
        #expect(reply.headers["x-tos-hash-crc64ecma"] == stored.crc64.map { String($0) })
    }

    @Test func aFlippedByteDoesNotShowInTheReportedChecksum() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("x", in: "src-bucket", .bytes(body))
        try stub.server.storage.flipByte(at: 9, of: "x", in: "src-bucket")
        let reply = try stub.send("GET", "/src-bucket/x")
        #expect(reply.body[9] == 248)
        #expect(reply.headers["x-tos-hash-crc64ecma"] == ObjectContent.bytes(body).crc64.map { String($0) })
    }

    @Test func blanksComeBeforeATrickledBody() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("s", in: "src-bucket", .text("x"))
        stub.server.faults.add(.on(.copyObject), .trickle(every: .milliseconds(1), count: 20))
        let reply = try stub.send("PUT", "/dst-bucket/a", headers: [("x-tos-copy-source", "/src-bucket/s")])
        #expect(reply.text.hasPrefix(String(repeating: " ", count: 20) + "{"))
        #expect(reply.text.hasSuffix("}"))
    }

    @Test func theAnswerOfAFaultCanBeEditedToo() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.on(.getObject), .status(503), .header("x-tos-request-id", nil), .truncatedAnswer(to: 4))
        let client = try stub.connect()
        try client.send(stub.signer.request("GET", "/src-bucket/x", host: "127.0.0.1:\(stub.server.port)"))
        let reply = try client.receiveHead()
        #expect(reply.status == 503)
        #expect(reply.headers["x-tos-request-id"] == nil)
        #expect(try client.receiveToEnd() == Array("{\"Co".utf8))
    }

    @Test func anyAnswerCanBeEdited() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(
            .on(.headObject),
            .edit { answer in
                answer.status = 200
                answer["Content-Type"] = "x/y"
            }, .header("x-tos-request-id", nil))
        let reply = try stub.send("HEAD", "/src-bucket/x")
        #expect(reply.status == 200)
        #expect(reply.headers["content-type"] == "x/y")
        #expect(reply.headers["x-tos-request-id"] == nil)
    }

    // MARK: Slow connections

    @Test func slowReadingAndWritingTakeTheirTime() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.any, .readSlowly(bytesPerSecond: 100_000), .writeSlowly(bytesPerSecond: 100_000))
        let start = ContinuousClock.now
        #expect(try stub.send("PUT", "/dst-bucket/a", body: [UInt8](repeating: 1, count: 20_000)).status == 200)
        #expect(try stub.send("GET", "/dst-bucket/a").body.count == 20_000)
        // A fifth of a second for each, less the pause behind the last piece of the answer.
        #expect(start.duration(to: .now) >= .milliseconds(340))
    }

    @Test func aServerThatStopsReadingKeepsTheConnection() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.on(.putObject), .stopReading(after: 1_000))
        let client = try stub.connect()
        try client.send(
            stub.signer.request(
                "PUT", "/dst-bucket/a", host: "127.0.0.1:\(stub.server.port)",
                body: [UInt8](repeating: 1, count: 2_000),
                contentLength: 100_000))
        try await stub.server.wireLog.waitFor(operation: .putObject)
        stub.server.stop()
        #expect(stub.server.wireLog.entries.first?.bodyLength == 1_000)
    }
}
