import CCurl

/// Owns one multi handle of libcurl. Everything but `wake` belongs to the loop's thread.
final class MultiHandle: @unchecked Sendable {
    // Sendable by hand: neither pointer nor reference changes, and `curl_multi_wakeup` is made for other threads.
    let pointer: UnsafeMutableRawPointer
    /// Told by connections when they close, the last ones in `deinit`.
    let lastWords = LastWords()

    init(maxIdleConnections: Int) throws(CurlSetupError) {
        guard let pointer = curl_multi_init() else { throw CurlSetupError("curl_multi_init", CURLE_OUT_OF_MEMORY) }
        self.pointer = pointer
        let result = transfer_curl_multi_setopt_long(pointer, CURLMOPT_MAXCONNECTS, maxIdleConnections)
        guard result == CURLM_OK else { throw CurlSetupError("CURLMOPT_MAXCONNECTS", result) }
    }

    deinit { curl_multi_cleanup(pointer) }

    /// Makes a running or the next poll return at once.
    func wake() -> Bool { curl_multi_wakeup(pointer) == CURLM_OK }
}

/// libcurl refused to be set up.
struct CurlSetupError: Error, Sendable {
    let step: String
    let code: Int32
    let message: String

    init(_ step: String, _ code: CURLcode) {
        self.step = step
        self.code = Int32(truncatingIfNeeded: code.rawValue)
        message = String(cString: curl_easy_strerror(code))
    }

    init(_ step: String, _ code: CURLMcode) {
        self.step = step
        self.code = code.rawValue
        message = String(cString: curl_multi_strerror(code))
    }
}
