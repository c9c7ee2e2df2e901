/// How a client repeats requests that failed for a passing reason.
///
/// Between attempts it waits a random time up to `baseDelay`, doubled with every repeat up to `maxDelay`. Some repairs are
/// no repeats in this sense and happen also with `maxRetries` 0: signing again with the service's clock or with fresh
/// credentials, once each, and leaving a kept-alive connection that the server had already closed.
public struct RetryPolicy: Sendable, Hashable {
    /// Repeats after errors, so that a request is sent at most once more than this. Default 3; 0 switches them off.
    public var maxRetries = 3
    /// Repeats after the service asked to slow down (429, or a 503 that says so), counted apart. Default 10; 0 with
    /// `maxRetries` 0.
    public var maxThrottleRetries = 10
    /// The longest wait before the first repeat. Default 100 ms.
    public var baseDelay: Duration = .milliseconds(100)
    /// The longest wait before any repeat, unless the service asks for more. Default 20 s.
    public var maxDelay: Duration = .seconds(20)
    /// The longest wait that the service can ask for with `Retry-After`; longer ones are cut to it. Default 60 s.
    public var maxRetryAfter: Duration = .seconds(60)
    /// No repeat starts later than this after the first failure. Default 15 minutes.
    public var totalTime: Duration = .seconds(900)

    /// Every field at its default.
    public init() {}

    /// The defaults, with at most `maxRetries` repeats; 0 for none at all.
    public init(maxRetries: Int) { self.maxRetries = maxRetries }

    /// No repeats.
    public static let none = RetryPolicy(maxRetries: 0)
}
