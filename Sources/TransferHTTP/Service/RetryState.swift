package import TransferPrimitives

/// Decides, after each failed attempt of one operation, what comes next. A pure value: time and randomness are given.
package struct RetryState: Sendable {
    /// What there is to know of a failed attempt.
    package struct Failure: Sendable {
        package var advice: RetryAdvice
        /// The shortest pause the service asked for.
        package var retryAfter: Duration?
        /// Whether it died on a kept-alive connection that the server had given up.
        package var isStaleConnection: Bool
        /// Whether the service may have acted on the request.
        package var mayHaveActed: Bool
        /// Whether bytes of a body that exists once only may be gone.
        package var consumedBody: Bool

        package init(
            _ advice: RetryAdvice, retryAfter: Duration? = nil, isStaleConnection: Bool = false,
            mayHaveActed: Bool = false, consumedBody: Bool = false
        ) {
            self.advice = advice
            self.retryAfter = retryAfter
            self.isStaleConnection = isStaleConnection
            self.mayHaveActed = mayHaveActed
            self.consumedBody = consumedBody
        }
    }

    package enum Step: Sendable, Hashable {
        case fail
        case wait(Duration)
        /// Again at once, on a connection of its own.
        case reconnect
        /// Again with the service's time.
        case adjustClock
        /// Again with other credentials.
        case refreshCredentials
    }

    private let policy: RetryPolicy
    private let isIdempotent: Bool
    private var retries = 0
    private var throttleRetries = 0
    private var credentialRepairs = 0
    private var hasAdjustedClock = false
    private var hasReconnected = false
    private var firstFailure: Duration?

    package init(_ policy: RetryPolicy, isIdempotent: Bool = true) {
        self.policy = policy
        self.isIdempotent = isIdempotent
    }

    /// What to do after `failure`, which was seen at `uptime`.
    package mutating func step(
        after failure: Failure, at uptime: Duration, random: some RandomSource
    ) -> Step {
        guard !failure.consumedBody, isIdempotent || !failure.mayHaveActed else { return .fail }
        let begin = firstFailure ?? uptime
        firstFailure = begin
        let remaining = policy.totalTime - (uptime - begin)
        guard remaining >= .zero else { return .fail }

        if failure.isStaleConnection, !hasReconnected {
            hasReconnected = true
            return .reconnect
        }
        switch failure.advice {
        case .never, .restartUpload: return .fail
        case .adjustClock:
            guard !hasAdjustedClock else { return .fail }
            hasAdjustedClock = true
            return .adjustClock
        case .refreshCredentials:
            guard credentialRepairs < max(1, policy.maxRetries) else { return .fail }
            credentialRepairs += 1
            return .refreshCredentials
        case .throttled:
            guard policy.maxRetries > 0, throttleRetries < policy.maxThrottleRetries else { return .fail }
            defer { throttleRetries += 1 }
            return wait(throttleRetries, atLeast: failure.retryAfter, within: remaining, random)
        case .backoff:
            guard retries < policy.maxRetries else { return .fail }
            defer { retries += 1 }
            return wait(retries, atLeast: failure.retryAfter, within: remaining, random)
        case .after(let pause):
            guard retries < policy.maxRetries else { return .fail }
            defer { retries += 1 }
            return wait(retries, atLeast: max(pause, failure.retryAfter ?? .zero), within: remaining, random)
        }
    }

    private func wait(
        _ retry: Int, atLeast floor: Duration?, within remaining: Duration, _ random: some RandomSource
    ) -> Step {
        let backoff = Backoff(base: policy.baseDelay, cap: policy.maxDelay)
        let floor = min(floor ?? .zero, policy.maxRetryAfter)
        let pause = backoff.delay(retry: retry, floor: floor, random: random)
        return pause <= remaining ? .wait(pause) : .fail
    }
}
