import Foundation
import TestSupport
import Testing
import TransferHTTP
import TransferPrimitives

@Suite struct ClockSkewTests {
    private static let skewed = ["x-code": "Skewed", "Date": "Wed, 02 Jul 2025 08:00:00 GMT"] as KeyValuePairs

    /// Refuses whatever is not signed for a day later than the machine's clock says.
    private func dayAhead() -> ScriptedTransport {
        ScriptedTransport { _, request in
            try (request.headers["x-tos-date"] == "20250702T080000Z" ? answer(200) : answer(403, Self.skewed)).get()
        }
    }

    @Test func learnsTheServicesTimeAndKeepsIt() async throws {
        let fixture = try ClientFixture(dayAhead(), policy: .none)
        try await fixture.send()
        #expect(fixture.transport.sent.count == 2)
        try await fixture.send()
        #expect(fixture.transport.sent.count == 3)
        #expect(fixture.clock.ahead == 86_400)
    }

    @Test func manyRequestsAreAllRepaired() async throws {
        let fixture = try ClientFixture(dayAhead(), policy: .none)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 { group.addTask { try await fixture.send() } }
            try await group.waitForAll()
        }
    }

    @Test func aDocumentsTimeComesBeforeTheHeaders() async throws {
        struct Reader: ServiceFailureReader {
            func failure(in response: HTTPResponse) -> ServiceFailure? {
                response.isSuccess
                    ? nil
                    : ServiceFailure(
                        status: 403, retry: .adjustClock, serverTime: Date(timeIntervalSince1970: 1_751_443_200))
            }
        }
        let transport = ScriptedTransport { _, request in
            try
                (request.headers["x-tos-date"] == "20250702T080000Z"
                ? answer(200) : answer(403, ["Date": "Thu, 01 Jan 1970 00:00:00 GMT"])).get()
        }
        let base = try ClientFixture(transport, policy: .none)
        let client = ServiceClient(
            transport: transport, access: base.client.access, signer: base.client.signer, failures: Reader(),
            limiter: base.limiter, clock: base.clock, policy: .none)
        _ = try await client.send(ServiceOperation("Op")) {
            HTTPRequest(.put, at: $0.endpoint)
        } decode: {
            $0
        }
        #expect(base.clock.ahead == 86_400)
    }

    /// Field report 55.
    @Test(arguments: ["Thu, 01 Jan 1970 00:00:00 GMT", "nonsense", "Fri, 01 Jan 2400 00:00:00 GMT"])
    func anImplausibleTimeIsNotBelieved(_ date: String) async throws {
        let fixture = try ClientFixture(ScriptedTransport(answer(403, ["x-code": "Skewed", "Date": date])))
        #expect(await fixture.serviceFailure()?.code == "Skewed")
        #expect(fixture.transport.sent.count == 1)
        #expect(fixture.clock.ahead == 0)
    }

    /// A request that took long to arrive, or that met a server whose own clock is wrong.
    @Test func aRefusalOfARightClockIsSignedOnceMore() async throws {
        let right = ["x-code": "Skewed", "Date": "Tue, 01 Jul 2025 08:00:00 GMT"] as KeyValuePairs
        let fixture = try ClientFixture(ScriptedTransport(answer(403, right), answer(200)), policy: .none)
        try await fixture.send()
        #expect(fixture.transport.sent.count == 2)
        #expect(fixture.clock.ahead == 0)
    }

    @Test func aCorrectionThatDoesNotHelpIsForgotten() async throws {
        let fixture = try ClientFixture(ScriptedTransport(answer(403, Self.skewed)))
        #expect(await fixture.serviceFailure()?.code == "Skewed")
        #expect(fixture.transport.sent.count == 2)
        #expect(fixture.clock.ahead == 0)
    }

    /// Field report 56: the repeat after a correction carries the whole body.
    @Test func theRepeatCarriesTheBody() async throws {
        let fixture = try ClientFixture(dayAhead(), policy: .none)
        try await fixture.send(body: .bytes(Array(repeating: 7, count: 1000)))
        #expect(fixture.transport.sent.map(\.body.length) == [1000, 1000])
    }
}
