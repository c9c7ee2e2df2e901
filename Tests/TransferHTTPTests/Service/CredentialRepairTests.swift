import Foundation
import TestSupport
import Testing
import TransferHTTP
import TransferPrimitives

/// Hands out numbered credentials.
final class NumberedProvider: CredentialsProvider {
    private let count = LockBox(0)
    var calls: Int { count.withLock { $0 } }

    func credentials() async throws -> Credentials {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return TransferHTTPTests.credentials("k\(number)")
    }
}

@Suite struct CredentialRepairTests {
    private static let expired = ["x-code": "Expired"] as KeyValuePairs

    private func accepting(_ key: String) -> ScriptedTransport {
        ScriptedTransport { _, request in
            let accepted = request.headers["Authorization"]?.contains("Credential=\(key)/") == true
            return try (accepted ? answer(200) : answer(403, Self.expired)).get()
        }
    }

    @Test func expiredCredentialsAreFetchedOnceForAllParts() async throws {
        let provider = NumberedProvider()
        let fixture = try ClientFixture(accepting("k2"), policy: .none, limit: 64, credentials: provider)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { try await fixture.send() } }
            try await group.waitForAll()
        }
        #expect(provider.calls == 2)
        #expect(fixture.transport.sent.count <= 128)
    }

    @Test func theSameCredentialsAgainEndWithTheServicesError() async throws {
        let fixture = try ClientFixture(accepting("other"))
        let failure = await fixture.serviceFailure()
        #expect(failure?.code == "Expired" && failure?.attempts == 1)
        #expect(fixture.transport.sent.count == 1)
    }

    @Test func credentialsThatNeverWorkAreFetchedABoundedNumberOfTimes() async throws {
        let provider = NumberedProvider()
        let fixture = try ClientFixture(accepting("none"), policy: RetryPolicy(maxRetries: 2), credentials: provider)
        #expect(await fixture.serviceFailure()?.attempts == 3)
        #expect(provider.calls == 3)
    }

    /// What the service said tells more than that there are no other credentials.
    @Test func anExhaustedProviderEndsWithTheServicesError() async throws {
        struct GivenUp: Error {}
        let provider = GatedProvider()
        provider.answer(.success(credentials("a")))
        provider.answer(.failure(CredentialsFailure.exhausted(GivenUp())))
        let fixture = try ClientFixture(accepting("b"), credentials: provider)
        let failure = await fixture.serviceFailure()
        #expect(failure?.code == "Expired" && failure?.attempts == 1)
    }

    @Test func aFailingProviderEndsTheOperationWithItsError() async throws {
        let provider = GatedProvider()
        provider.answer(.success(credentials("a")))
        provider.answer(.failure(Refusal()))
        let fixture = try ClientFixture(accepting("b"), credentials: provider)
        await #expect {
            try await fixture.send()
        } throws: { error in
            guard case CredentialsFailure.provider(let inner) = error else { return false }
            return inner is Refusal
        }
        #expect(fixture.transport.sent.count == 1)
    }

    @Test func cancellingEndsAWaitForCredentials() async throws {
        let provider = GatedProvider()
        let fixture = try ClientFixture(accepting("a"), credentials: provider)
        let sending = Task { try await fixture.send() }
        await provider.waitForCalls(1)
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
        #expect(fixture.transport.sent.isEmpty)
        #expect(fixture.limiter.inUse == 0)
        provider.answer(.success(credentials("a")))
    }
}
