import Testing
import TransferHTTP
import TransferPrimitives

struct FixedRandom: RandomSource {
    var value: UInt64 = 0
    func next() -> UInt64 { value }
}

@Suite struct RetryStateTests {
    private let none = FixedRandom(value: 0)
    private let most = FixedRandom(value: .max)

    private func steps(
        _ advice: RetryAdvice, _ policy: RetryPolicy, count: Int, retryAfter: Duration? = nil
    ) -> [RetryState.Step] {
        var state = RetryState(policy)
        return (0..<count).map { _ in
            state.step(after: .init(advice, retryAfter: retryAfter), at: .zero, random: none)
        }
    }

    @Test func repeatsAsOftenAsAllowed() {
        #expect(steps(.backoff, RetryPolicy(), count: 4) == [.wait(.zero), .wait(.zero), .wait(.zero), .fail])
        #expect(steps(.backoff, .none, count: 1) == [.fail])
        #expect(steps(.never, RetryPolicy(), count: 1) == [.fail])
        #expect(steps(.restartUpload, RetryPolicy(), count: 1) == [.fail])
    }

    @Test func pausesGrowUpToTheCap() {
        var policy = RetryPolicy(maxRetries: 12)
        policy.maxDelay = .seconds(5)
        var state = RetryState(policy)
        var longest: [Duration] = []
        for _ in 0..<12 {
            if case .wait(let pause) = state.step(after: .init(.backoff), at: .zero, random: most) {
                longest.append(pause)
            }
        }
        #expect(longest.count == 12)
        #expect(longest[0] > .milliseconds(99) && longest[0] <= .milliseconds(100))
        #expect(zip(longest, longest.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(longest.allSatisfy { $0 <= .seconds(5) })
        #expect(longest[11] > .seconds(4.9))
    }

    @Test func throttlingHasABudgetOfItsOwn() {
        var policy = RetryPolicy(maxRetries: 1)
        policy.maxThrottleRetries = 2
        var state = RetryState(policy)
        let advices: [RetryAdvice] = [.throttled, .backoff, .throttled, .throttled]
        let steps = advices.map { state.step(after: .init($0), at: .zero, random: none) }
        #expect(steps == [.wait(.zero), .wait(.zero), .wait(.zero), .fail])
        #expect(self.steps(.throttled, .none, count: 1) == [.fail])
    }

    /// Field report 38: a wait that the service asks for is a floor, cut to a documented cap.
    @Test(
        arguments: [
            (nil, Duration.zero), (.zero, .zero), (.seconds(1), .seconds(1)), (.seconds(451), .seconds(60)),
        ] as [(Duration?, Duration)])
    func retryAfterIsAFloorWithACap(_ asked: Duration?, _ waited: Duration) {
        #expect(steps(.backoff, RetryPolicy(), count: 1, retryAfter: asked) == [.wait(waited)])
        #expect(steps(.throttled, RetryPolicy(), count: 1, retryAfter: asked) == [.wait(waited)])
    }

    @Test func theLongerOfTwoAskedWaitsCounts() {
        #expect(steps(.after(.seconds(3)), RetryPolicy(), count: 1) == [.wait(.seconds(3))])
        #expect(steps(.after(.seconds(3)), RetryPolicy(), count: 1, retryAfter: .seconds(5)) == [.wait(.seconds(5))])
    }

    @Test func noRepeatStartsAfterTheTotalTime() {
        var policy = RetryPolicy(maxRetries: 100)
        policy.totalTime = .seconds(10)
        var state = RetryState(policy)
        #expect(state.step(after: .init(.backoff), at: .seconds(1000), random: none) == .wait(.zero))
        #expect(state.step(after: .init(.backoff), at: .seconds(1009), random: none) == .wait(.zero))
        #expect(state.step(after: .init(.after(.seconds(2))), at: .seconds(1009), random: none) == .fail)
        #expect(state.step(after: .init(.backoff), at: .seconds(1011), random: none) == .fail)
    }

    @Test func repairsHappenWithoutRetriesButOnce() {
        #expect(steps(.adjustClock, .none, count: 2) == [.adjustClock, .fail])
        #expect(steps(.refreshCredentials, .none, count: 2) == [.refreshCredentials, .fail])
        #expect(
            steps(.refreshCredentials, RetryPolicy(maxRetries: 2), count: 3)
                == [.refreshCredentials, .refreshCredentials, .fail])
    }

    @Test func repairsDoNotUseUpRetries() {
        var state = RetryState(RetryPolicy(maxRetries: 1))
        let advices: [RetryAdvice] = [.adjustClock, .refreshCredentials, .backoff, .backoff]
        let steps = advices.map { state.step(after: .init($0), at: .zero, random: none) }
        #expect(steps == [.adjustClock, .refreshCredentials, .wait(.zero), .fail])
    }

    @Test func aStaleConnectionIsLeftOnceForFree() {
        var state = RetryState(.none)
        let failure = RetryState.Failure(.backoff, isStaleConnection: true, mayHaveActed: true)
        #expect(state.step(after: failure, at: .zero, random: none) == .reconnect)
        #expect(state.step(after: failure, at: .zero, random: none) == .fail)
    }

    @Test func aBodyThatIsGoneIsNeverSentAgain() {
        var state = RetryState(RetryPolicy())
        for advice in [RetryAdvice.backoff, .throttled, .adjustClock, .refreshCredentials, .after(.zero)] {
            let failure = RetryState.Failure(advice, isStaleConnection: true, consumedBody: true)
            #expect(state.step(after: failure, at: .zero, random: none) == .fail)
        }
    }

    @Test func whatMustNotHappenTwiceIsRepeatedOnlyWhenItDidNotHappen() {
        var state = RetryState(RetryPolicy(), isIdempotent: false)
        #expect(state.step(after: .init(.backoff), at: .zero, random: none) == .wait(.zero))
        #expect(state.step(after: .init(.backoff, mayHaveActed: true), at: .zero, random: none) == .fail)
        let stale = RetryState.Failure(.backoff, isStaleConnection: true, mayHaveActed: true)
        #expect(state.step(after: stale, at: .zero, random: none) == .fail)
    }
}
