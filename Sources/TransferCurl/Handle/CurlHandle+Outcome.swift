import CCurl
import TransferHTTP
import TransferPrimitives

extension CurlHandle {
    /// What has moved so far, as far as libcurl and the kernel tell.
    var counters: IdleTimer.Counters {
        IdleTimer.Counters(
            sent: offset(CURLINFO_SIZE_UPLOAD_T), received: offset(CURLINFO_SIZE_DOWNLOAD_T),
            queued: unsentBytes(socket))
    }

    /// What has become of the exchange that ended with `code`.
    func outcome(_ code: CURLcode) -> Result<HTTPResponse, any Error> {
        guard let exchange else { return .failure(CancellationError()) }
        // A connection that no new one had to be made for.
        let isReused = information(CURLINFO_NUM_CONNECTS) == 0
        let head = exchange.head
        let failure: TransportFailure
        switch code {
        case CURLE_OK where proxy.isEmpty || head.status != 407:
            return .success(exchange.response(reusedConnection: isReused))
        case _ where exchange.isCutShort:
            return .success(exchange.response(reusedConnection: isReused))
        case _ where head.isComplete && !head.isSuccess && exchange.cutBy == nil && head.status != 407:
            // The server refused, perhaps in the middle of the request, and closed: what counts is what it said.
            return .success(exchange.response(reusedConnection: isReused))
        default: failure = self.failure(exchange, code, isReused: isReused)
        }
        return .failure(failure)
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
            let isBreak = meaning.kind == .send || meaning.kind == .receive || meaning.kind == .emptyReply
            failure.isStaleConnection = isReused && isBreak && !exchange.head.hasBegun
            return failure
        }
        failure.retry = failure.kind.retry
        return failure
    }

    private var socket: Int32 {
        var socket = curl_socket_t(-1)
        return transfer_curl_getinfo_socket(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : -1
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
