import CCurl
import TransferHTTP

extension CurlHandle {
    /// Sets what stays the same for all requests of the handle's kind.
    func setUp(_ settings: CurlSettings) throws(CurlSetupError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(transfer_curl_setopt_pointer(easy, CURLOPT_PRIVATE, context), "CURLOPT_PRIVATE")
        try check(transfer_curl_setopt_pointer(easy, CURLOPT_ERRORBUFFER, errorText), "CURLOPT_ERRORBUFFER")
        // Signals belong to the host; without this libcurl raises SIGALRM for time limits.
        try set(CURLOPT_NOSIGNAL, 1, "CURLOPT_NOSIGNAL")

        // Keys with dots and doubled slashes are what they are.
        try set(CURLOPT_PATH_AS_IS, 1, "CURLOPT_PATH_AS_IS")
        // A redirect would carry the old signature to another host.
        try set(CURLOPT_FOLLOWLOCATION, 0, "CURLOPT_FOLLOWLOCATION")
        try set(CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeout, "CURLOPT_CONNECTTIMEOUT_MS")
        try set(CURLOPT_MAXAGE_CONN, settings.idleConnectionLifetime, "CURLOPT_MAXAGE_CONN")
        // Connections wait in silence for server-side copies; what stands between may forget them.
        try set(CURLOPT_TCP_KEEPALIVE, 1, "CURLOPT_TCP_KEEPALIVE")

        // Always said, so that libcurl's own reading of the environment has no part; `begin` sets another one.
        try set(CURLOPT_PROXY, "", "CURLOPT_PROXY")
        try set(CURLOPT_NOPROXY, "", "CURLOPT_NOPROXY")
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1, "CURLOPT_SUPPRESS_CONNECT_HEADERS")

        try setUpTLS(settings.certificateAuthority)
        try setUpVersion(settings.httpVersion)
        try setUpMethod()
        try setUpCallbacks(context)
        try setUpBuffers(settings)
    }

    /// Once for each handle: setting a size again makes libcurl allocate again.
    private func setUpBuffers(_ settings: CurlSettings) throws(CurlSetupError) {
        switch kind.load {
        case .bulk where kind.method.takesBody:
            try set(CURLOPT_UPLOAD_BUFFERSIZE, settings.uploadBufferSize, "CURLOPT_UPLOAD_BUFFERSIZE")
        case .none where kind.method.takesBody:
            // The least that libcurl allows: a part copy sends nothing but its head.
            try set(CURLOPT_UPLOAD_BUFFERSIZE, 16 << 10, "CURLOPT_UPLOAD_BUFFERSIZE")
        case .none, .small, .bulk: break
        }
        // Answers to all but GET are short, and there may be a thousand of them at once.
        let receiveBufferSize = kind.method == .get ? kind.load == .bulk ? 256 << 10 : 16 << 10 : 4 << 10
        try set(CURLOPT_BUFFERSIZE, receiveBufferSize, "CURLOPT_BUFFERSIZE")
    }

    private func setUpMethod() throws(CurlSetupError) {
        switch kind.method {
        case .get: try set(CURLOPT_HTTPGET, 1, "CURLOPT_HTTPGET")
        case .head: try set(CURLOPT_NOBODY, 1, "CURLOPT_NOBODY")
        case .delete:
            try set(CURLOPT_HTTPGET, 1, "CURLOPT_HTTPGET")
            try set(CURLOPT_CUSTOMREQUEST, "DELETE", "CURLOPT_CUSTOMREQUEST")
        case .put, .post:
            // As an upload a POST gets no content type of libcurl's own, and both state a length, also of zero.
            try set(CURLOPT_UPLOAD, 1, "CURLOPT_UPLOAD")
            try set(CURLOPT_CUSTOMREQUEST, kind.method.rawValue, "CURLOPT_CUSTOMREQUEST")
        }
    }

    private func setUpCallbacks(_ context: UnsafeMutableRawPointer) throws(CurlSetupError) {
        try check(
            transfer_curl_setopt_callback(easy, CURLOPT_HEADERFUNCTION, receiveHeader), "CURLOPT_HEADERFUNCTION")
        try check(transfer_curl_setopt_pointer(easy, CURLOPT_HEADERDATA, context), "CURLOPT_HEADERDATA")
        try check(transfer_curl_setopt_callback(easy, CURLOPT_WRITEFUNCTION, receiveBody), "CURLOPT_WRITEFUNCTION")
        try check(transfer_curl_setopt_pointer(easy, CURLOPT_WRITEDATA, context), "CURLOPT_WRITEDATA")
        try check(transfer_curl_setopt_sockopt_callback(easy, tuneSocket), "CURLOPT_SOCKOPTFUNCTION")
        let listener = Unmanaged.passUnretained(lastWords).toOpaque()
        try check(transfer_curl_setopt_closesocket_callback(easy, closeSocket), "CURLOPT_CLOSESOCKETFUNCTION")
        try check(transfer_curl_setopt_pointer(easy, CURLOPT_CLOSESOCKETDATA, listener), "CURLOPT_CLOSESOCKETDATA")
        guard kind.method.takesBody else { return }
        try check(transfer_curl_setopt_callback(easy, CURLOPT_READFUNCTION, supplyBody), "CURLOPT_READFUNCTION")
        try check(transfer_curl_setopt_pointer(easy, CURLOPT_READDATA, context), "CURLOPT_READDATA")
        try check(transfer_curl_setopt_seek_callback(easy, rewindBody), "CURLOPT_SEEKFUNCTION")
        try check(transfer_curl_setopt_pointer(easy, CURLOPT_SEEKDATA, context), "CURLOPT_SEEKDATA")
    }

    private func setUpTLS(_ authority: CertificateAuthority) throws(CurlSetupError) {
        try set(CURLOPT_SSL_VERIFYPEER, 1, "CURLOPT_SSL_VERIFYPEER")
        try set(CURLOPT_SSL_VERIFYHOST, 2, "CURLOPT_SSL_VERIFYHOST")
        try set(CURLOPT_SSLVERSION, transfer_curl_tls_1_2, "CURLOPT_SSLVERSION")
        // The same of a proxy that is reached over TLS; it may be given a password.
        try set(CURLOPT_PROXY_SSL_VERIFYPEER, 1, "CURLOPT_PROXY_SSL_VERIFYPEER")
        try set(CURLOPT_PROXY_SSL_VERIFYHOST, 2, "CURLOPT_PROXY_SSL_VERIFYHOST")
        try set(CURLOPT_PROXY_SSLVERSION, transfer_curl_tls_1_2, "CURLOPT_PROXY_SSLVERSION")
        // libcurl's built-in file and directory are trusted besides, unless they are taken away.
        switch authority {
        case .system: break
        case .file(let path):
            try set(CURLOPT_CAINFO, path, "CURLOPT_CAINFO")
            try check(transfer_curl_setopt_string(easy, CURLOPT_CAPATH, nil), "CURLOPT_CAPATH")
        case .directory(let path):
            try check(transfer_curl_setopt_string(easy, CURLOPT_CAINFO, nil), "CURLOPT_CAINFO")
            try set(CURLOPT_CAPATH, path, "CURLOPT_CAPATH")
        case .bytes(let bytes):
            try check(transfer_curl_setopt_ca_bytes(easy, bytes, bytes.count), "CURLOPT_CAINFO_BLOB")
            try check(transfer_curl_setopt_string(easy, CURLOPT_CAPATH, nil), "CURLOPT_CAPATH")
        }
    }

    private func setUpVersion(_ version: HTTPVersion) throws(CurlSetupError) {
        switch version {
        case .http1: try set(CURLOPT_HTTP_VERSION, transfer_curl_http_version_1_1, "CURLOPT_HTTP_VERSION")
        case .http2:
            try set(CURLOPT_HTTP_VERSION, transfer_curl_http_version_2_tls, "CURLOPT_HTTP_VERSION")
            try set(CURLOPT_PIPEWAIT, 1, "CURLOPT_PIPEWAIT")
        }
    }

    func set(_ option: CURLoption, _ value: Int, _ name: StaticString) throws(CurlSetupError) {
        try check(transfer_curl_setopt_long(easy, option, value), name)
    }

    func set(_ option: CURLoption, _ value: String, _ name: StaticString) throws(CurlSetupError) {
        try check(transfer_curl_setopt_string(easy, option, value), name)
    }

    func check(_ result: CURLcode, _ name: StaticString) throws(CurlSetupError) {
        if result != CURLE_OK { throw CurlSetupError("\(name)", result) }
    }
}
