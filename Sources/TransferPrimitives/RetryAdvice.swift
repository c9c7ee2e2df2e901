/// What to do after a failure; a fact of its own, apart from what failed.
public enum RetryAdvice: Sendable, Hashable {
    /// Repeating the same request cannot help.
    case never
    /// Transient: repeat after a growing, jittered pause.
    case backoff
    /// The service is under pressure: slow down, then repeat.
    case throttled
    /// The service named the shortest pause.
    case after(Duration)
    /// The credentials have expired: take fresh ones, sign again.
    case refreshCredentials
    /// The clocks differ: sign again with the service's time.
    case adjustClock
    /// The multipart upload is gone: start it over.
    case restartUpload
}
