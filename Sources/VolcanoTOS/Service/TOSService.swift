internal import TransferCore
internal import TransferHTTP
internal import TransferService

/// The operations of TOS on one endpoint, in the values of the engine. What the public client and the backend share.
///
/// A cheap value over a shared HTTP client; a copy with another retry policy shares everything else.
struct TOSService: Sendable {
    let rules: EndpointRules
    let timeouts: ServiceTimeouts
    var client: ServiceClient

    /// The same service, repeating failed requests as `policy` says.
    func retrying(_ policy: RetryPolicy) -> TOSService {
        var service = self
        service.client.policy = policy
        return service
    }

    /// Sends `request` until it succeeds or nothing more can help. `decode` reads a good answer, and throws a
    /// `ServiceFailure` when what it reads is a refusal after all.
    func send<Output: Sendable>(
        _ request: TOSRequest, _ context: FailureContext, sink: (any ResponseSink)? = nil,
        decode: @Sendable (HTTPResponse) throws -> Output
    ) async throws -> Output {
        var http = try request.httpRequest(at: rules)
        http.sink = sink
        timeouts.apply(request.operation.timeoutKind, to: &http)
        let operation = ServiceOperation(request.operation.rawValue, isIdempotent: request.isIdempotent)
        do {
            return try await client.send(operation, build: { [http] _ in http }, decode: decode)
        } catch {
            throw context.error(error)
        }
    }
}
