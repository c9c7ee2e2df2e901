/// Sends one request and reads its answer; no retries, no signing, no meaning.
///
/// Every status is an answer, not an error. A complete conformance:
///
///     struct CannedTransport: HTTPTransport {
///         func send(_ request: HTTPRequest) async throws -> HTTPResponse { HTTPResponse(status: 204) }
///         func shutdown() async {}
///     }
package protocol HTTPTransport: Sendable {
    /// Throws `TransportFailure`, or `CancellationError` as soon as the task is cancelled; the exchange is then cut.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
    /// Cuts what is running, with a failure of kind `shutdown`, and frees threads and connections. Later requests fail
    /// in the same way.
    func shutdown() async
}
