package import TransferPrimitives

/// Sends the operations of one service through the layers that all of them need.
///
/// Outermost first:
///
///     Observe(operation) → Retry → Limit → Resolve access → Sign → Service error → Observe(attempt) → Transport
///
/// Orders that look right and are not:
/// * Sign outside Retry: repeats carry an old date and old credentials, and the service refuses them after 15 minutes.
/// * Resolve outside Retry: an expired token is never replaced.
/// * Limit outside Retry: requests that sleep before their next try keep others from running, and a throttled client
///   stops altogether.
/// * Service error outside Retry: a refusal counts as success and is never repeated; late refusals, inside a 200 answer,
///   are lost the same way unless the answer is decoded inside Retry, as it is here.
///
/// A cheap value over shared parts, which are one reference: copies with another `policy` share limit, credentials and clock.
package struct ServiceClient: Sendable {
    package var transport: any HTTPTransport { parts.transport }
    package var access: AccessCache { parts.access }
    package var signer: any RequestSigner { parts.signer }
    package var failures: any ServiceFailureReader { parts.failures }
    package var limiter: ConcurrencyLimiter { parts.limiter }
    package var clock: ServiceClock { parts.clock }
    package var random: any RandomSource { parts.random }
    package var observer: (any HTTPObserver)? { parts.observer }
    package var policy: RetryPolicy

    private let parts: Parts

    private final class Parts: Sendable {
        let transport: any HTTPTransport
        let access: AccessCache
        let signer: any RequestSigner
        let failures: any ServiceFailureReader
        let limiter: ConcurrencyLimiter
        let clock: ServiceClock
        let random: any RandomSource
        let observer: (any HTTPObserver)?

        init(
            transport: any HTTPTransport, access: AccessCache, signer: any RequestSigner,
            failures: any ServiceFailureReader, limiter: ConcurrencyLimiter, clock: ServiceClock,
            random: any RandomSource, observer: (any HTTPObserver)?
        ) {
            self.transport = transport
            self.access = access
            self.signer = signer
            self.failures = failures
            self.limiter = limiter
            self.clock = clock
            self.random = random
            self.observer = observer
        }
    }

    /// - Parameters:
    ///   - access: Where endpoint and credentials come from. Should count time on `clock`.
    ///   - limiter: Shared by everything that goes over `transport`.
    package init(
        transport: any HTTPTransport, access: AccessCache, signer: any RequestSigner,
        failures: any ServiceFailureReader, limiter: ConcurrencyLimiter, clock: ServiceClock,
        policy: RetryPolicy = RetryPolicy(), random: any RandomSource = SystemRandomSource(),
        observer: (any HTTPObserver)? = nil
    ) {
        parts = Parts(
            transport: transport, access: access, signer: signer, failures: failures, limiter: limiter, clock: clock,
            random: random, observer: observer)
        self.policy = policy
    }

    /// Sends `operation` until an attempt succeeds or nothing more can help.
    ///
    /// - Parameters:
    ///   - build: Makes the request, without signature, afresh for every attempt.
    ///   - decode: Reads a 2xx answer. Throws a `ServiceFailure` for a refusal that came under a good status.
    /// - Throws: `ServiceFailure`, `TransportFailure` (both with the number of attempts), `CredentialsFailure`,
    ///   `CancellationError`, and whatever `build` and `decode` throw.
    package func send<Output: Sendable>(
        _ operation: ServiceOperation, build: @Sendable (ServiceAccess) throws -> HTTPRequest,
        decode: @Sendable (HTTPResponse) throws -> Output
    ) async throws -> Output {
        guard let observer else {
            var attempts = 0
            return try await retrying(operation, &attempts, build, decode)
        }
        let start = clock.uptime
        var attempts = 0
        func report(_ failure: (any Error)?) {
            observer.operationEnded(
                HTTPOperationRecord(
                    operation: operation.name, attempts: attempts, duration: clock.uptime - start, failure: failure))
        }
        do {
            let output = try await retrying(operation, &attempts, build, decode)
            report(nil)
            return output
        } catch {
            report(error)
            throw error
        }
    }

    /// Ends running requests and frees what the client holds. Later requests fail with kind `shutdown`.
    package func shutdown() async {
        access.shutdown()
        await transport.shutdown()
    }
}
