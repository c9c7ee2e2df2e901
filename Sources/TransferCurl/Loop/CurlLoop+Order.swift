import TransferHTTP

extension CurlLoop {
    /// A request as it is handed over to its loop.
    struct Order: Sendable {
        let exchange: Int
        let request: HTTPRequest
        let route: Route
        let continuation: CheckedContinuation<HTTPResponse, any Error>
    }
}
