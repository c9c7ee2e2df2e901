import Foundation
import TestSupport
import Testing
import TransferHTTP
import TransferPrimitives

/// Answers when the test says so, and counts.
final class GatedProvider: CredentialsProvider {
    private struct State {
        var calls = 0
        var answers: [Result<Credentials, any Error>] = []
        var waiting: [CheckedContinuation<Credentials, any Error>] = []
        var arrivals: [(Int, CheckedContinuation<Void, Never>)] = []
    }

    private let state = LockBox(State())

    var calls: Int { state.withLock { $0.calls } }

    func credentials() async throws -> Credentials {
        try await withCheckedThrowingContinuation { continuation in
            let (answer, arrived) = state.withLock { state in
                state.calls += 1
                let arrived = state.arrivals.filter { $0.0 <= state.calls }.map(\.1)
                state.arrivals.removeAll { $0.0 <= state.calls }
                if state.answers.isEmpty {
                    state.waiting.append(continuation)
                    return (nil as Result<Credentials, any Error>?, arrived)
                }
                return (state.answers.removeFirst(), arrived)
            }
            for arrival in arrived { arrival.resume() }
            if let answer { continuation.resume(with: answer) }
        }
    }

    /// Answers a call that waits, or the next one.
    func answer(_ answer: Result<Credentials, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Credentials, any Error>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.answers.append(answer)
            return nil
        }
        waiting?.resume(with: answer)
    }

    func waitForCalls(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let hasCome = state.withLock { state in
                if state.calls >= count { return true }
                state.arrivals.append((count, continuation))
                return false
            }
            if hasCome { continuation.resume() }
        }
    }
}

func credentials(_ name: String, expires: Date? = nil) -> Credentials {
    Credentials(accessKey: name, secretKey: "secret-\(name)", securityToken: "session/\(name)", expiration: expires)
}

struct Refusal: Error, Equatable {}

@Suite struct AccessCacheTests {
    private let provider = GatedProvider()
    private let clock = ManualClock()
    private let cache: AccessCache

    init() throws {
        let endpoint = try HTTPEndpoint(parsing: "http://h")
        cache = AccessCache(
            FixedEndpointAccess(endpoint: endpoint, credentials: provider), clock: clock, timeout: .seconds(60))
    }

    private func key() async throws -> String { try await cache.access().access.credentials.accessKey }

    @Test func oneFetchServesEveryone() async throws {
        async let keys = withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<64 { group.addTask { try await key() } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        await provider.waitForCalls(1)
        provider.answer(.success(credentials("a")))
        #expect(try await keys == ["a"])
        #expect(try await key() == "a")
        #expect(provider.calls == 1)
    }

    @Test func aRefusalFetchesAgainOnceForAll() async throws {
        provider.answer(.success(credentials("a")))
        let first = try await cache.access()
        cache.invalidate(first.generation)
        provider.answer(.success(credentials("b")))
        #expect(try await key() == "b")
        // Requests that were under way with the old ones are refused late.
        for _ in 0..<63 { cache.invalidate(first.generation) }
        #expect(try await key() == "b")
        #expect(provider.calls == 2)
    }

    @Test func renewsEarlyWhileRequestsGoOn() async throws {
        provider.answer(.success(credentials("a", expires: clock.now.addingTimeInterval(3600))))
        #expect(try await key() == "a")
        clock.advance(by: .seconds(3600 - 61))
        #expect(try await key() == "a")
        #expect(provider.calls == 1)
        clock.advance(by: .seconds(1))
        #expect(try await key() == "a")
        await provider.waitForCalls(2)
        #expect(try await key() == "a")
        provider.answer(.success(credentials("b", expires: clock.now.addingTimeInterval(3600))))
        while try await key() == "a" { await Task.yield() }
        #expect(try await key() == "b")
        #expect(provider.calls == 2)
    }

    @Test func aShortLifeIsRenewedInItsLastTenth() async throws {
        provider.answer(.success(credentials("a", expires: clock.now.addingTimeInterval(50))))
        #expect(try await key() == "a")
        clock.advance(by: .seconds(44.9))
        #expect(try await key() == "a")
        #expect(provider.calls == 1)
        clock.advance(by: .seconds(0.2))
        #expect(try await key() == "a")
        await provider.waitForCalls(2)
        provider.answer(.success(credentials("b")))
    }

    /// A service may hand the same token out again while it is still good.
    @Test func credentialsThatComeBackAreNotRenewedEarlyAgain() async throws {
        let end = clock.now.addingTimeInterval(3600)
        provider.answer(.success(credentials("a", expires: end)))
        #expect(try await key() == "a")
        clock.advance(by: .seconds(3550))
        provider.answer(.success(credentials("a", expires: end)))
        while try await cache.access().generation == 1 { await Task.yield() }
        for _ in 0..<49 {
            clock.advance(by: .seconds(1))
            #expect(try await key() == "a")
        }
        #expect(provider.calls == 2)
        clock.advance(by: .seconds(1))
        provider.answer(.success(credentials("b")))
        #expect(try await key() == "b")
        #expect(provider.calls == 3)
    }

    @Test func whatIsInForceCanBeDropped() async throws {
        cache.invalidate()
        provider.answer(.success(credentials("a")))
        #expect(try await key() == "a")
        cache.invalidate()
        provider.answer(.success(credentials("b")))
        #expect(try await key() == "b")
    }

    @Test func afterTheEndEveryoneWaits() async throws {
        provider.answer(.success(credentials("a", expires: clock.now.addingTimeInterval(600))))
        #expect(try await key() == "a")
        clock.advance(by: .seconds(600))
        async let late = key()
        await provider.waitForCalls(2)
        provider.answer(.success(credentials("b")))
        #expect(try await late == "b")
    }

    @Test func anEndInThePastIsNotFetchedInALoop() async throws {
        provider.answer(.success(credentials("a", expires: clock.now.addingTimeInterval(-10))))
        for _ in 0..<200 { #expect(try await key() == "a") }
        #expect(provider.calls == 1)
    }

    @Test func aJumpOfTheWallClockChangesNothing() async throws {
        provider.answer(.success(credentials("a", expires: clock.now.addingTimeInterval(3600))))
        #expect(try await key() == "a")
        clock.jumpWallClock(by: 86_400)
        #expect(try await key() == "a")
        #expect(provider.calls == 1)
    }

    @Test func aFailedEarlyRenewalIsTriedAgainLater() async throws {
        provider.answer(.success(credentials("a", expires: clock.now.addingTimeInterval(1000))))
        #expect(try await key() == "a")
        clock.advance(by: .seconds(950))
        provider.answer(.failure(Refusal()))
        #expect(try await key() == "a")
        await provider.waitForCalls(2)
        clock.advance(by: .seconds(2))
        provider.answer(.success(credentials("b")))
        while try await key() == "a" { await Task.yield() }
        #expect(try await key() == "b")
    }

    @Test func theProvidersErrorIsInside() async throws {
        provider.answer(.failure(Refusal()))
        await #expect {
            _ = try await cache.access()
        } throws: { error in
            guard case CredentialsFailure.provider(let inner) = error else { return false }
            return inner as? Refusal == Refusal()
        }
        provider.answer(.success(credentials("a")))
        #expect(try await key() == "a")
    }

    @Test func aProviderThatNeverAnswersIsGivenUp() async throws {
        let pending = Task { try await key() }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        await #expect {
            _ = try await pending.value
        } throws: { error in
            if case CredentialsFailure.timedOut(.seconds(60)) = error { true } else { false }
        }
        // It answers after all, when nobody asks any more; the next caller gets what was fetched since.
        provider.answer(.success(credentials("late")))
        provider.answer(.success(credentials("b")))
        let next = try await key()
        #expect(next == "b" || next == "late")
    }

    @Test func cancellingOneCallerDisturbsNobody() async throws {
        let patient = Task { try await key() }
        await provider.waitForCalls(1)
        let hasty = Task { try await key() }
        hasty.cancel()
        await #expect(throws: CancellationError.self) { try await hasty.value }
        provider.answer(.success(credentials("a")))
        #expect(try await patient.value == "a")
        #expect(provider.calls == 1)
    }

    @Test func shutdownFailsWhoWaitsAndWhoComes() async throws {
        let waiting = Task { try await key() }
        await provider.waitForCalls(1)
        cache.shutdown()
        await #expect(throws: CredentialsFailure.self) { try await waiting.value }
        await #expect(throws: CredentialsFailure.self) { try await key() }
        provider.answer(.success(credentials("a")))
    }
}
