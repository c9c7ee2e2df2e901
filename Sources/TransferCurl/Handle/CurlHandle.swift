import CCurl
import TransferHTTP

/// Owns one easy handle of libcurl and the memory it reads and writes. Used on its loop's thread only.
///
/// A handle serves requests of one kind for all its life: what differs between kinds is set once, what differs between
/// requests every time, and nothing is ever reset.
final class CurlHandle {
    /// What cannot be changed once a handle is set up.
    struct Kind: Hashable {
        /// How much passes through its buffers.
        enum Load: Hashable { case none, small, bulk }

        let method: HTTPMethod
        let load: Load

        init(_ request: HTTPRequest) {
            method = request.method
            if request.body.length > Self.bulkThreshold || request.sink != nil {
                load = .bulk
            } else {
                load = request.body.length == 0 ? .none : .small
            }
        }

        /// Bytes; libcurl's own buffer holds that much.
        private static let bulkThreshold: UInt64 = 64 << 10
    }

    let kind: Kind
    /// The request under way, if any.
    private(set) var exchange: Exchange?
    let easy: UnsafeMutableRawPointer
    let errorText: UnsafeMutablePointer<CChar>
    let lastWords: LastWords
    private var headers: HeaderList
    private var url: [UInt8] = []

    // What was set for the last request.
    private(set) var proxy = ""
    private var resolutions: [String] = []
    private var resolutionList: UnsafeMutablePointer<curl_slist>?
    private var isFresh = false

    /// - Parameter lastWords: Must outlive every connection that the handle opens.
    init(_ kind: Kind, _ settings: CurlSettings, _ lastWords: LastWords) throws(CurlSetupError) {
        guard let easy = curl_easy_init() else { throw CurlSetupError("curl_easy_init", CURLE_FAILED_INIT) }
        self.kind = kind
        self.easy = easy
        self.lastWords = lastWords
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        headers = HeaderList(constant: settings.constantHeaders.list)
        try setUp(settings)
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(resolutionList)
        errorText.deallocate()
    }

    /// Makes the handle ready for a request.
    func begin(_ exchange: Exchange, _ route: Route) throws(CurlSetupError) {
        let request = exchange.request
        errorText[0] = 0

        url.removeAll(keepingCapacity: true)
        url.append(contentsOf: request.endpoint.scheme.rawValue.utf8)
        url.append(contentsOf: "://".utf8)
        url.append(contentsOf: request.endpoint.authority.utf8)
        request.appendTarget(to: &url)
        url.append(0)
        let urlResult = url.withUnsafeBytes { bytes in
            transfer_curl_setopt_string(easy, CURLOPT_URL, bytes.assumingMemoryBound(to: CChar.self).baseAddress)
        }
        try check(urlResult, "CURLOPT_URL")
        try check(
            transfer_curl_setopt_list(easy, CURLOPT_HTTPHEADER, headers.fill(request.headers)), "CURLOPT_HTTPHEADER")
        if kind.method.takesBody {
            // More than an offset can count is refused by the source's own file system long before.
            let length = curl_off_t(clamping: exchange.bodyLength)
            try check(
                transfer_curl_setopt_offset(easy, CURLOPT_INFILESIZE_LARGE, length), "CURLOPT_INFILESIZE_LARGE")
        }
        if request.needsFreshConnection != isFresh {
            try set(CURLOPT_FRESH_CONNECT, request.needsFreshConnection ? 1 : 0, "CURLOPT_FRESH_CONNECT")
            isFresh = request.needsFreshConnection
        }
        if route.proxy != proxy {
            try set(CURLOPT_PROXY, route.proxy, "CURLOPT_PROXY")
            proxy = route.proxy
        }
        if route.resolutions != resolutions { try resolve(route.resolutions) }
        self.exchange = exchange
    }

    /// The request is over; the handle can serve the next one.
    func end() { exchange = nil }

    /// Stops the answer until `resume`; false when libcurl refused.
    func pause() -> Bool {
        exchange?.isPaused = true
        return curl_easy_pause(easy, CURLPAUSE_RECV) == CURLE_OK
    }

    /// Lets a paused answer go on.
    func resume() -> CURLcode {
        guard let exchange, exchange.isPaused else { return CURLE_OK }
        exchange.isPaused = false
        return curl_easy_pause(easy, transfer_curl_pause_cont)
    }

    /// What libcurl says of the last failure, on one line.
    func message(_ code: CURLcode) -> String {
        let detail = String(cString: errorText)
        return (detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail)
            .replacing("\n", with: " ").replacing("\r", with: " ")
    }

    func information(_ info: CURLINFO) -> Int {
        var value = 0
        // Every one asked for exists since 7.55, and an unknown one reads as zero.
        return transfer_curl_getinfo_long(easy, info, &value) == CURLE_OK ? value : 0
    }

    func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        return transfer_curl_getinfo_offset(easy, info, &value) == CURLE_OK ? Int(value) : 0
    }

    /// Addresses of names, which libcurl keeps for all handles of the loop from the next request on.
    private func resolve(_ entries: [String]) throws(CurlSetupError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for entry in entries {
            guard let longer = curl_slist_append(list, entry) else {
                curl_slist_free_all(list)
                throw CurlSetupError("CURLOPT_RESOLVE", CURLE_OUT_OF_MEMORY)
            }
            list = longer
        }
        let result = transfer_curl_setopt_list(easy, CURLOPT_RESOLVE, list)
        if result == CURLE_OK { swap(&list, &resolutionList) }
        curl_slist_free_all(list)
        try check(result, "CURLOPT_RESOLVE")
        resolutions = entries
    }
}
