internal import TransferCore
package import TransferHTTP
package import TransferService

/// The operations of an S3-speaking service on one endpoint, in the values of the engine. What clients and backends share.
///
/// A cheap value over a shared HTTP client; a copy with another retry policy shares everything else.
package struct S3Service: Sendable {
    package let dialect: S3Dialect
    package let address: AddressRule
    let timeouts: ServiceTimeouts
    package var client: ServiceClient

    package init(_ dialect: S3Dialect, at address: AddressRule, timeouts: ServiceTimeouts, client: ServiceClient) {
        self.dialect = dialect
        self.address = address
        self.timeouts = timeouts
        self.client = client
    }

    /// The same service, repeating failed requests as `policy` says.
    package func retrying(_ policy: RetryPolicy) -> S3Service {
        var service = self
        service.client.policy = policy
        return service
    }

    /// Sends `request` until it succeeds or nothing more can help. `decode` reads a good answer, and throws a
    /// `ServiceFailure` when what it reads is a refusal after all.
    func send<Output: Sendable>(
        _ request: S3Request, _ context: FailureContext, sink: (any ResponseSink)? = nil,
        decode: @Sendable (HTTPResponse) throws -> Output
    ) async throws -> Output {
        let http = try unsigned(request, sink)
        do {
            return try await client.send(
                ServiceOperation(request.operation.rawValue, isIdempotent: request.isIdempotent), build: { _ in http },
                decode: decode)
        } catch {
            throw context.error(error, dialect)
        }
    }

    /// The request with everything but its date and signature. Apart, so that a task keeps no room for the making of it.
    @inline(never)
    private func unsigned(_ request: S3Request, _ sink: (any ResponseSink)?) throws -> HTTPRequest {
        var http = try request.httpRequest(at: address, dialect)
        http.sink = sink
        timeouts.apply(request.operation.timeoutKind, to: &http)
        return http
    }

    /// An answer's result, with what the service's support asks for.
    func answer<Value: Sendable>(_ value: Value, _ response: HTTPResponse) -> Answer<Value> {
        Answer(value: value, info: ResponseInfo(response, dialect.headers))
    }
}

/// What identifies an answer, for the service's support, and its headers as they came.
package struct ResponseInfo: Sendable, Hashable {
    package let requestID: String?
    package let id2: String?
    package let ec: String?
    package let status: Int
    package let headers: HTTPHeaders

    init(_ response: HTTPResponse, _ names: S3HeaderNames) {
        requestID = response.headers.text(names.requestID)
        id2 = response.headers.text(names.id2)
        ec = response.headers.text(names.ec)
        status = response.status
        headers = response.headers
    }

    /// Of a refusal that is as good as success.
    init(_ service: ServiceInfo?) {
        requestID = service?.requestID
        id2 = service?.hostID
        ec = service?.ec
        status = service?.status ?? 0
        headers = HTTPHeaders()
    }
}

/// An answer's result, with what the service's support asks for.
package struct Answer<Value: Sendable>: Sendable {
    package let value: Value
    package let info: ResponseInfo
}
