internal import TransferCore
package import TransferHTTP
package import TransferService

/// The operations of OSS, in the values of the engine. What the public client and the backends share.
///
/// A cheap value over a shared HTTP client; a copy with another retry policy shares everything else.
package struct OSSService: Sendable {
    let address: AddressRule
    let timeouts: ServiceTimeouts
    /// Whether the caller pays for requests to a bucket of somebody else's.
    let requesterPays: Bool
    var client: ServiceClient
    /// The region that requests are signed for, for errors.
    let region: @Sendable () -> String?

    package init(
        address: AddressRule, timeouts: ServiceTimeouts, requesterPays: Bool = false, client: ServiceClient,
        region: @escaping @Sendable () -> String? = { nil }
    ) {
        self.address = address
        self.timeouts = timeouts
        self.requesterPays = requesterPays
        self.client = client
        self.region = region
    }

    /// The same service, repeating failed requests as `policy` says.
    func retrying(_ policy: RetryPolicy) -> OSSService {
        var service = self
        service.client.policy = policy
        return service
    }

    /// Sends `request` until it succeeds or nothing more can help. `decode` reads a good answer, and throws a
    /// `ServiceFailure` when what it reads is a refusal after all.
    func send<Output: Sendable>(
        _ request: OSSRequest, _ context: FailureContext, sink: (any ResponseSink)? = nil,
        decode: @Sendable (HTTPResponse) throws -> Output
    ) async throws -> Output {
        do {
            return try await client.send(
                ServiceOperation(request.operation.rawValue),
                build: { access in
                    var http = try self.unsigned(request, at: access.endpoint)
                    http.sink = sink
                    timeouts.apply(request.operation.timeoutKind, to: &http)
                    return http
                }, decode: decode)
        } catch {
            throw context.error(error, signedFor: region())
        }
    }

    /// The request with everything but its date and signature.
    func unsigned(_ request: OSSRequest, at endpoint: HTTPEndpoint) throws -> HTTPRequest {
        var http = try request.httpRequest(at: endpoint, by: address)
        if requesterPays { try http.headers.set(OSSHeader.requestPayer, "requester") }
        return http
    }
}

/// An answer's result, with what the service's support asks for.
struct Answer<Value: Sendable>: Sendable {
    let value: Value
    let info: OSSResponseInfo

    init(_ value: Value, _ response: HTTPResponse) {
        self.value = value
        info = OSSResponseInfo(response)
    }
}
