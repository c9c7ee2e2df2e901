import TransferHTTP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension TransportConfiguration {
    /// Throws for the first setting that cannot be used.
    package func validate() throws(TransportConfigurationError) {
        try require(connectTimeout > .zero, "connectTimeout", "must be longer than nothing")
        try require(idleTimeout > .zero, "idleTimeout", "must be longer than nothing")
        try require(idleConnectionLifetime > .zero, "idleConnectionLifetime", "must be longer than nothing")
        try require(addressLifetime >= .zero, "addressLifetime", "must not be negative")
        try require(maxConnections.map { $0 >= 1 } ?? true, "maxConnections", "must be at least 1")
        try require((1...16).contains(eventLoops), "eventLoops", "must be 1 to 16")
        try require(
            (16 << 10...2 << 20).contains(uploadBufferSize), "uploadBufferSize", "must be 16 KiB to 2 MiB, in bytes")
        do { _ = try HTTPHeaders(["User-Agent": userAgent]) } catch {
            throw TransportConfigurationError("userAgent", "must not hold control characters")
        }
        try validateProxy()
        try validateAuthority()
    }

    private func validateProxy() throws(TransportConfigurationError) {
        guard case .url(let url) = proxy else { return }
        try require(
            url.contains("://") && ProxyServer(url) != nil, "proxy",
            "must be the URL of an http, https, socks5 or socks5h proxy, without blanks")
    }

    private func validateAuthority() throws(TransportConfigurationError) {
        switch certificateAuthority {
        case .system: break
        case .file(let path):
            try require(
                kind(of: path) == S_IFREG, "certificateAuthority", "\(path.debugDescription) is no readable file")
        case .directory(let path):
            try require(
                kind(of: path) == S_IFDIR, "certificateAuthority", "\(path.debugDescription) is no readable directory")
        case .bytes(let bytes):
            try require(!bytes.isEmpty, "certificateAuthority", "holds no certificate")
            try require(CurlLibrary.takesCertificateBytes, "certificateAuthority", "bytes need libcurl 7.77 or newer")
        }
    }

    /// The type of what `path` leads to; nil when this process cannot read it.
    private func kind(of path: String) -> mode_t? {
        var status = stat()
        guard !path.utf8.contains(0), stat(path, &status) == 0, access(path, R_OK) == 0 else { return nil }
        return status.st_mode & S_IFMT
    }

    private func require(
        _ condition: Bool, _ field: String, _ message: String
    ) throws(TransportConfigurationError) {
        if !condition { throw TransportConfigurationError(field, message) }
    }
}
