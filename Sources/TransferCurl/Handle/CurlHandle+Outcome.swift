import CCurl
import TransferHTTP
import TransferPrimitives

extension CurlHandle {
    var counters: IdleTimer.Counters {
        IdleTimer.Counters(sent: offset(CURLINFO_SIZE_UPLOAD_T), received: offset(CURLINFO_SIZE_DOWNLOAD_T))
    }

    /// What has become of the exchange that ended with `code`.
    func outcome(_ code: CURLcode) -> Result<HTTPResponse, any Error> {
        guard let exchange else { return .failure(CancellationError()) }
        // No new connection had to be made.
        let isReused = information(CURLINFO_NUM_CONNECTS) == 0
        if exchange.cutBy == nil, isBreak(code), !exchange.head.hasBegun { readLastWords(exchange) }
        if isAnswer(exchange, code) { return .success(exchange.response(reusedConnection: isReused)) }
        return .failure(failure(exchange, code, isReused: isReused))
    }

    private func isAnswer(_ exchange: Exchange, _ code: CURLcode) -> Bool {
        let head = exchange.head
        guard proxy.isEmpty || head.status != 407 else { return false }
        if code == CURLE_OK || exchange.isCutShort { return true }
        // The server refused, perhaps in the middle of the request, and closed: what counts is what it said.
        return head.isComplete && !head.isSuccess && exchange.cutBy == nil
    }

    private func isBreak(_ code: CURLcode) -> Bool {
        code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR || code == CURLE_GOT_NOTHING
    }

    private func readLastWords(_ exchange: Exchange) {
        guard exchange.request.endpoint.scheme == .http,
            let words = lastWords.take(port: information(CURLINFO_LOCAL_PORT))
        else { return }
        words.withUnsafeBytes { exchange.receiveAll($0) }
    }

    private func failure(_ exchange: Exchange, _ code: CURLcode, isReused: Bool) -> TransportFailure {
        let wasSent = information(CURLINFO_REQUEST_SIZE) > 0
        var failure = exchange.failure(.other, "")
        failure.mayHaveReachedServer = wasSent || exchange.bodyOffset > 0

        if let kind = exchange.cutBy {
            failure.kind = kind == .idle && !wasSent ? .connectTimeout : kind
            failure.message =
                switch kind {
                case .shutdown: "the client was shut down"
                case .deadline: "no complete answer within the deadline"
                default: wasSent ? "nothing moved for too long" : "no connection in time"
                }
        } else if let error = exchange.bodyError {
            failure.kind = .bodySource
            failure.message = "the body could not be read"
            failure.underlying = error
        } else if let error = exchange.sinkError {
            failure.kind = .sink
            failure.message = "the answer could not be taken"
            failure.underlying = error
        } else if exchange.isTooLarge {
            failure.kind = .tooLarge
            failure.message = "the answer is longer than \(exchange.request.bodyLimit) bytes"
        } else {
            let proxyStatus = code == CURLE_OK ? exchange.head.status : information(CURLINFO_HTTP_CONNECTCODE)
            let meaning = CurlMeaning(code, proxyStatus: proxyStatus)
            failure.kind = meaning.kind
            failure.retry = meaning.retry
            failure.code = Int32(truncatingIfNeeded: code.rawValue)
            failure.codeName = meaning.name
            failure.message = meaning.kind == .proxy ? "the proxy answered \(proxyStatus)" : message(code)
            // What was sent went no further than the proxy.
            if meaning.kind == .proxy { failure.mayHaveReachedServer = false }
            failure.isStaleConnection = isReused && isBreak(code) && !exchange.head.hasBegun
            return failure
        }
        failure.retry = failure.kind.retry
        return failure
    }
}

extension Exchange {
    func failure(_ kind: TransportFailure.Kind, _ message: String) -> TransportFailure {
        TransportFailure(kind, operation: request.operation, host: request.endpoint.host, message: message)
    }

    func failure(_ error: CurlSetupError) -> TransportFailure {
        var failure = failure(.other, "\(error.step): \(error.message)")
        failure.code = error.code
        return failure
    }
}
