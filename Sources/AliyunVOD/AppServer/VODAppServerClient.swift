internal import TransferCore
public import TransferCurl
package import TransferHTTP
internal import TransferService

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Asks the application's own backend for upload credentials: `POST {url}/create-video`, `{url}/refresh-video` and
/// `{url}/create-image`, with `VODAuthContext.json()` as body. The backend answers with the raw JSON of the OpenAPI operation.
///
///     let backend = try VODAppServerClient(url: "https://api.example.com/vod", headers: ["Authorization": "Bearer \(session)"])
///     let uploader = try VODUploader(VODUploadConfig(getAuth: .appServer(backend)))
///
/// No request is repeated: one that was answered too late may have made a medium. So the advice of every error is `.never`, also
/// where the connection was refused or the status is 500 or above.
public final class VODAppServerClient: Sendable {
    private let server: ServerURL
    private let headers: HTTPHeaders
    private let transport: any HTTPTransport

    /// - Parameters:
    ///   - url: The common beginning of the three addresses, without a query, such as `https://api.example.com/vod`.
    ///   - headers: Sent with every request, such as `Authorization`; never printed.
    ///   - configuration: Timeouts, proxy, certificate authorities.
    /// - Throws: `TransferError`: `.invalidArgument` naming `url`, `headers` or the field of `transport`; `.unsupported` when
    ///   libcurl cannot be used.
    public convenience init(
        url: String, headers: [String: String] = [:], transport configuration: TransportConfiguration = .init()
    ) throws {
        try self.init(url: url, headers: headers, over: CurlTransport(checking: configuration))
    }

    package init(url: String, headers: [String: String] = [:], over transport: any HTTPTransport) throws {
        guard !url.contains("?") else { throw TransferError.invalidArgument("url", "expected no query") }
        server = try ServerURL(url)
        self.headers = try HTTPHeaders(json: headers)
        self.transport = transport
    }

    /// Ends running requests and frees connections. Later requests fail.
    public func shutdown() async { await transport.shutdown() }

    /// What the backend answers, unchanged.
    ///
    /// - Throws: `TransferError` with the HTTP status in `service` for an answer that is neither a success nor a refusal of the
    ///   OpenAPI; what the connection failed with; or `CancellationError`.
    func ask(_ context: VODAuthContext) async throws -> Data {
        let base = server.path.hasSuffix("/") ? server.path : server.path + "/"
        let path = base + context.kind.rawValue
        let request = HTTPRequest(
            .post, at: server.endpoint, path: path, headers: headers,
            body: .bytes([UInt8](try context.json())), operation: context.kind.operation)
        // Without query, user and password, which `ServerURL` and `init` have refused.
        let line = "POST \(server.endpoint.scheme)://\(server.endpoint.authority)\(path)"
        func failure(_ text: String) -> TransferError {
            TransferError(
                .credentialsUnavailable, line + text, operation: context.kind.operation, provider: VODProvider.name)
        }
        do {
            let response = try await transport.send(request)
            if response.isSuccess || JSONMembers(parsing: response.body)?["Code"] != nil { return Data(response.body) }
            let page = response.excerpt(ofPageInPlaceOf: "the OpenAPI").map { ": \($0)" } ?? ""
            var error = failure(" answered with status \(response.status)\(page)")
            error.service = ServiceInfo(status: response.status)
            throw error
        } catch let cause as TransportFailure {
            var error = failure(": \(cause.message)")
            error.underlying = cause
            throw error
        }
    }
}

extension VODGetAuth {
    /// Asks the application's own backend by HTTP.
    public static func appServer(_ client: VODAppServerClient) -> VODGetAuth {
        VODGetAuth { try await client.ask($0) }
    }
}
