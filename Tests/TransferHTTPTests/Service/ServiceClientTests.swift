import Foundation
import TestSupport
import Testing
import TransferHTTP
import TransferPrimitives

@Suite struct ServiceClientTests {
    private let ok = answer(200)

    @Test func signsWhatTheBuilderMade() async throws {
        let fixture = try ClientFixture(ScriptedTransport(ok))
        try await fixture.send(ServiceOperation("PutObject"))
        let request = try #require(fixture.transport.sent.first)
        #expect(request.operation == "PutObject")
        #expect(request.headers["x-tos-date"] == "20250701T080000Z")
        #expect(request.headers["x-tos-security-token"] == "session/a")
        #expect(request.headers["Authorization"]?.contains("Credential=a/20250701/cn-beijing/tos/request") == true)
    }

    @Test func everyAttemptIsBuiltAndSignedAfresh() async throws {
        let machine = ManualClock()
        let transport = ScriptedTransport { number, _ in
            machine.advance(by: .seconds(60))
            return try [answer(500), answer(200)][number].get()
        }
        let fixture = try ClientFixture(transport, machine: machine)
        let built = LockBox(0)
        _ = try await fixture.client.send(ServiceOperation("Op")) { access in
            built.withLock { $0 += 1 }
            return HTTPRequest(.put, at: access.endpoint)
        } decode: {
            $0
        }
        #expect(built.withLock { $0 } == 2)
        #expect(transport.sent.map { $0.headers["x-tos-date"] } == ["20250701T080000Z", "20250701T080100Z"])
        #expect(transport.sent[0].headers["Authorization"] != transport.sent[1].headers["Authorization"])
    }

    @Test func aRefusalSaysWhatTheServiceSaid() async throws {
        let fixture = try ClientFixture(
            ScriptedTransport(answer(403, ["x-code": "AccessDenied", "x-message": "no", "x-request-id": "r1"])))
        let failure = try #require(await fixture.serviceFailure())
        #expect(failure.status == 403 && failure.code == "AccessDenied" && failure.requestID == "r1")
        #expect(failure.operation == "Op" && failure.attempts == 1)
        #expect(fixture.transport.sent.count == 1)
        #expect(failure.description == "Op: 403 AccessDenied: no (request id r1)")
    }

    @Test func failuresCountTheirAttempts() async throws {
        let refused = try ClientFixture(ScriptedTransport(answer(500)))
        #expect(await refused.serviceFailure()?.attempts == 4)
        #expect(refused.transport.sent.count == 4)
        let cut = try ClientFixture(ScriptedTransport(broken(.receive)))
        await #expect {
            try await cut.send()
        } throws: { ($0 as? TransportFailure)?.attempts == 4 }
    }

    @Test func noRetriesMeansOneRequest() async throws {
        let fixture = try ClientFixture(ScriptedTransport(answer(500)), policy: .none)
        #expect(await fixture.serviceFailure()?.attempts == 1)
        #expect(fixture.transport.sent.count == 1)
    }

    @Test func aRefusalUnderAGoodStatusIsRepeated() async throws {
        let fixture = try ClientFixture(ScriptedTransport(ok))
        let decoded = LockBox(0)
        let result = try await fixture.client.send(ServiceOperation("CompleteMultipartUpload")) { access in
            HTTPRequest(.post, at: access.endpoint)
        } decode: { response in
            let number = decoded.withLock { count in
                count += 1
                return count
            }
            if number < 3 { throw ServiceFailure(status: 200, code: "InternalError", retry: .backoff) }
            return number
        }
        #expect(result == 3)
        #expect(fixture.transport.sent.count == 3)
    }

    @Test func otherErrorsOfTheDecoderPassThrough() async throws {
        let fixture = try ClientFixture(ScriptedTransport(ok))
        await #expect(throws: Refusal()) {
            _ = try await fixture.client.send(ServiceOperation("Op")) { access in
                HTTPRequest(.get, at: access.endpoint)
            } decode: { _ -> Int in
                throw Refusal()
            }
        }
        #expect(fixture.transport.sent.count == 1)
    }

    /// Services echo tokens and strings to sign.
    @Test func secretsInMessagesAreTakenOut() async throws {
        let echo = "token session/a (session%2Fa) key secret-a is expired " + String(repeating: "x", count: 5000)
        let fixture = try ClientFixture(ScriptedTransport(answer(403, ["x-message": echo])))
        let message = try #require(await fixture.serviceFailure()?.message)
        #expect(message.hasPrefix("token [redacted] ([redacted]) key [redacted] is expired"))
        #expect(message.count == 1024)
    }

    @Test func waitsAsLongAsTheServiceAsks() async throws {
        let fixture = try ClientFixture(ScriptedTransport(answer(503, ["Retry-After": "2"]), ok))
        let sending = Task { try await fixture.send() }
        await fixture.machine.waitForSleepers()
        #expect(fixture.machine.sleeps == [.seconds(2)])
        #expect(fixture.transport.sent.count == 1)
        fixture.machine.advance(by: .seconds(2))
        _ = try await sending.value
        #expect(fixture.transport.sent.count == 2)
    }

    @Test func waitsUntilADate() async throws {
        let fixture = try ClientFixture(
            ScriptedTransport(answer(503, ["Retry-After": "Tue, 01 Jul 2025 08:00:03 GMT"]), ok))
        let sending = Task { try await fixture.send() }
        await fixture.machine.waitForSleepers()
        #expect(fixture.machine.sleeps == [.seconds(3)])
        fixture.machine.advance(by: .seconds(3))
        _ = try await sending.value
    }

    @Test func cancellingEndsAWaitAtOnce() async throws {
        let fixture = try ClientFixture(ScriptedTransport(answer(503, ["Retry-After": "30"]), ok))
        let sending = Task { try await fixture.send() }
        await fixture.machine.waitForSleepers()
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
        #expect(fixture.transport.sent.count == 1)
        #expect(fixture.limiter.inUse == 0)
    }

    /// A transfer that stops lets a request on the wire go on, but begins no other.
    @Test(arguments: [false, true]) func aStopEndsAWaitAndSparesARequest(_ isOnTheWire: Bool) async throws {
        let (sent, answered) = (Gate(), Gate())
        let fixture = try ClientFixture(
            ScriptedTransport { _, _ in
                sent.open()
                if isOnTheWire { await answered.wait() }
                return try answer(503, ["Retry-After": "30"]).get()
            })
        let signal = StopSignal()
        let outcome = LockBox<(any Error)?>(nil)
        let task = StopSignal.$current.withValue(signal) {
            Task {
                do { try await fixture.send() } catch { outcome.withLock { $0 = error } }
            }
        }
        await sent.wait()
        if !isOnTheWire { await fixture.machine.waitForSleepers { $0 >= .seconds(30) } }
        signal.stop()
        answered.open()
        await task.value
        // What the last attempt came to is what there is to know.
        #expect(outcome.withLock { ($0 as? ServiceFailure)?.status == 503 })
        #expect(signal.hasEndedWait)
        #expect(fixture.transport.sent.count == 1)
        #expect(fixture.machine.uptime == .zero)
        #expect(fixture.limiter.inUse == 0)
    }

    /// Credentials are fetched for all; the one who asked first may stop.
    @Test func aStopDoesNotReachAFetchForOthers() async throws {
        /// Makes a request of its own, as providers do.
        struct Asking: CredentialsProvider {
            let asked = Gate()
            let answered = Gate()
            func credentials() async throws -> Credentials {
                asked.open()
                await answered.wait()
                return try await StopSignal.waiting { Credentials(accessKey: "a", secretKey: "s") }
            }
        }
        let provider = Asking()
        let fixture = try ClientFixture(ScriptedTransport(ok), credentials: provider)
        let signal = StopSignal()
        let task = StopSignal.$current.withValue(signal) {
            Task {
                do { try await fixture.send() } catch { #expect(error is CancellationError) }
            }
        }
        await provider.asked.wait()
        let other = Task { try await fixture.send() }
        signal.stop()
        await task.value
        provider.answered.open()
        _ = try await other.value
        #expect(fixture.transport.sent.count == 1)
    }

    @Test func aSleepingRetryHoldsNoPermit() async throws {
        let fixture = try ClientFixture(
            ScriptedTransport { _, request in
                try (request.path == "/slow" ? answer(503, ["Retry-After": "30"]) : answer(200)).get()
            }, limit: 1)
        let sleeping = Task {
            try await fixture.client.send(ServiceOperation("Op")) { access in
                HTTPRequest(.get, at: access.endpoint, path: "/slow")
            } decode: {
                $0
            }
        }
        await fixture.machine.waitForSleepers()
        #expect(fixture.limiter.inUse == 0)
        try await fixture.send()
        sleeping.cancel()
        _ = await sleeping.result
    }

    @Test func pressureLowersTheBound() async throws {
        let fixture = try ClientFixture(ScriptedTransport(answer(429, ["x-code": "SlowDown"]), ok), limit: 8)
        var others: [ConcurrencyLimiter.Permit] = []
        for _ in 0..<3 { others.append(try await fixture.limiter.acquire()) }
        let sending = Task { try await fixture.send() }
        // Four were under way, two may go on: the repeat waits for its turn.
        while fixture.limiter.waiting == 0 { await Task.yield() }
        #expect(fixture.limiter.bound == 2)
        for permit in others { fixture.limiter.release(permit, .unknown) }
        _ = try await sending.value
        #expect(fixture.transport.sent.count == 2)
    }

    /// FR-106: a 503 that meets several requests at once is taken for crowding; one that meets a request alone is a failure.
    @Test func aCrowdedServiceIsNoFailingOne() async throws {
        let alone = try ClientFixture(ScriptedTransport(answer(503)))
        #expect(await alone.serviceFailure()?.attempts == 4)
        #expect(alone.client.limiter.bound == alone.client.limiter.maximum)

        let together = Gate()
        let crowd = ScriptedTransport { number, _ in
            if number == 1 { together.open() }
            await together.wait()
            return try answer(number < 2 ? 503 : 200).get()
        }
        let fixture = try ClientFixture(crowd, policy: RetryPolicy(maxRetries: 1))
        async let first = fixture.send()
        async let second = fixture.send()
        _ = try await (first, second)
        #expect(fixture.client.limiter.bound < fixture.client.limiter.maximum)
    }

    @Test func aStaleConnectionIsLeftForAFreshOneWithoutUsingRetries() async throws {
        let fixture = try ClientFixture(ScriptedTransport(broken(.send, isStale: true), ok), policy: .none)
        try await fixture.send()
        #expect(fixture.transport.sent.map(\.needsFreshConnection) == [false, true])
        #expect(fixture.machine.sleeps.isEmpty)
    }

    /// Field report 43: on a connection it has given up, the server may also answer 400 RequestTimeout.
    @Test func aTimeoutAnswerOnAReusedConnectionIsStaleToo() async throws {
        var reused = try answer(400, ["x-code": "RequestTimeout"]).get()
        reused.reusedConnection = true
        let fixture = try ClientFixture(ScriptedTransport(.success(reused), ok), policy: .none)
        try await fixture.send()
        #expect(fixture.transport.sent.map(\.needsFreshConnection) == [false, true])
    }

    @Test func aBodyThatExistsOnceIsSentOnce() async throws {
        let body = HTTPBody.source(MemorySource([1, 2, 3]), isReplayable: false)
        let fixture = try ClientFixture(ScriptedTransport(answer(500)))
        await #expect(throws: ServiceFailure.self) { try await fixture.send(body: body) }
        #expect(fixture.transport.sent.count == 1)
        // Nothing of it was sent: no harm in trying again.
        let unsent = try ClientFixture(ScriptedTransport(broken(.connect, wasSent: false), ok))
        try await unsent.send(body: body)
        #expect(unsent.transport.sent.count == 2)
    }

    @Test func whatMustNotHappenTwiceIsNotRepeatedBlindly() async throws {
        let operation = ServiceOperation("CopyObject", isIdempotent: false)
        let lost = try ClientFixture(ScriptedTransport(broken(.receive)))
        await #expect(throws: TransportFailure.self) { try await lost.send(operation) }
        #expect(lost.transport.sent.count == 1)
        let refused = try ClientFixture(ScriptedTransport(answer(503, ["x-code": "SlowDown"]), ok))
        try await refused.send(operation)
        #expect(refused.transport.sent.count == 2)
    }

    @Test func shutdownReachesTheTransport() async throws {
        let fixture = try ClientFixture(ScriptedTransport(ok))
        await fixture.client.shutdown()
        #expect(fixture.transport.isShutDown)
        await #expect(throws: CredentialsFailure.self) { try await fixture.send() }
    }
}
