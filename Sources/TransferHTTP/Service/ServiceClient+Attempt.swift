import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ServiceClient {
    /// What is known of the attempts of one operation.
    struct Attempt {
        let operation: ServiceOperation
        /// How many requests were sent or tried.
        var number = 0
        var needsFreshConnection = false
        /// What the last attempt was made with.
        var lease: AccessCache.Lease?
        /// Whether the body of the last attempt can be sent again.
        var isReplayable = true
        /// How far ahead of the machine's clock it was signed, in seconds.
        var ahead: TimeInterval = 0
        /// Whether the service may have acted on any attempt that failed.
        var mayHaveActed = false
    }

    /// One attempt: resolve, build, sign, send, read.
    func perform<Output: Sendable>(
        _ attempt: inout Attempt, _ build: @Sendable (ServiceAccess) throws -> HTTPRequest,
        _ decode: @Sendable (HTTPResponse) throws -> Output
    ) async throws -> Output {
        let lease = try await StopSignal.waiting(unless: access.held()) { [access] in try await access.access() }
        let request = try request(of: &attempt, lease, build)
        let response: HTTPResponse
        // A task keeps no room for what is told where nobody listens.
        if let observer {
            response = try await send(request, attempt.number, telling: observer)
        } else {
            response = try await transport.send(request)
        }
        return try read(response, attempt, lease.access.credentials, decode)
    }

    /// The request of the next attempt, signed.
    @inline(never) private func request(
        of attempt: inout Attempt, _ lease: AccessCache.Lease, _ build: (ServiceAccess) throws -> HTTPRequest
    ) throws -> HTTPRequest {
        attempt.lease = lease
        var request = try build(lease.access)
        request.operation = attempt.operation.name
        request.needsFreshConnection = attempt.needsFreshConnection
        attempt.needsFreshConnection = false
        attempt.isReplayable = request.body.isReplayable
        attempt.number += 1
        attempt.ahead = clock.ahead
        if !lease.access.credentials.isAnonymous {
            try signer.sign(&request, with: lease.access.credentials, at: clock.now)
        }
        return request
    }

    /// What an answer holds, or the refusal that it is.
    @inline(never) private func read<Output>(
        _ response: HTTPResponse, _ attempt: Attempt, _ credentials: Credentials,
        _ decode: (HTTPResponse) throws -> Output
    ) throws -> Output {
        do {
            if let failure = failures.failure(in: response) { throw failure }
            return try decode(response)
        } catch let failure as ServiceFailure {
            throw completed(failure, attempt, response, credentials)
        }
    }

    /// Adds what every refusal has in common, and takes out what must not be shown.
    private func completed(
        _ failure: ServiceFailure, _ attempt: Attempt, _ response: HTTPResponse, _ credentials: Credentials
    ) -> ServiceFailure {
        var failure = failure
        failure.operation = attempt.operation.name
        failure.attempts = attempt.number
        failure.retryAfter = response.headers["Retry-After"].flatMap { RetryAfter.parse($0, now: clock.now) }
        failure.serverTime = failure.serverTime ?? response.headers["Date"].flatMap { HTTPDate.parse($0) }
        failure.isStaleConnection = response.reusedConnection && failure.code == "RequestTimeout"
        failure.message = failure.message.map { redacted($0, credentials) }
        return failure
    }

    /// The innermost layer: the transport, seen by the observer.
    private func send(
        _ request: HTTPRequest, _ number: Int, telling observer: any HTTPObserver
    ) async throws -> HTTPResponse {
        let start = clock.uptime
        func report(_ status: Int?, _ failure: (any Error)?) {
            observer.attemptEnded(
                HTTPAttemptRecord(
                    operation: request.operation, attempt: number, host: request.endpoint.host, status: status,
                    duration: clock.uptime - start, requestBodyLength: request.body.length, failure: failure))
        }
        do {
            let response = try await transport.send(request)
            report(response.status, nil)
            return response
        } catch {
            report(nil, error)
            throw error
        }
    }
}

extension ServiceClient.Attempt {
    /// What the retry decision needs to know of `error`; nil when it is none that repeating is about.
    @inline(never) func facts(of error: any Error) -> RetryState.Failure? {
        switch error {
        case let failure as ServiceFailure:
            RetryState.Failure(
                failure.retry, retryAfter: failure.retryAfter, isStaleConnection: failure.isStaleConnection,
                mayHaveActed: failure.mayHaveActed,
                consumedBody: !isReplayable)
        case let failure as TransportFailure:
            RetryState.Failure(
                failure.retry, isStaleConnection: failure.isStaleConnection, mayHaveActed: failure.mayHaveReachedServer,
                consumedBody: !isReplayable && failure.mayHaveReachedServer)
        default: nil
        }
    }

    /// The same error, saying how many attempts were made, and what came of all of them.
    @inline(never) func numbered(_ error: any Error) -> any Error {
        switch error {
        case var failure as ServiceFailure:
            failure.attempts = number
            failure.mayHaveActed = mayHaveActed
            return failure
        case var failure as TransportFailure:
            failure.attempts = number
            failure.mayHaveReachedServer = mayHaveActed
            return failure
        default: return error
        }
    }
}
