import CCurl
import TransferHTTP

/// A configuration in libcurl's terms.
struct CurlSettings: Sendable {
    let connectTimeout: Int
    let idleConnectionLifetime: Int
    let idleLimit: Duration
    let certificateAuthority: CertificateAuthority
    let httpVersion: HTTPVersion
    let uploadBufferSize: Int
    let constantHeaders: ConstantHeaders

    init(_ configuration: TransportConfiguration) throws {
        connectTimeout = max(1, Self.milliseconds(configuration.connectTimeout))
        idleConnectionLifetime = max(1, Self.milliseconds(configuration.idleConnectionLifetime) / 1000)
        idleLimit = configuration.idleTimeout
        certificateAuthority = configuration.certificateAuthority
        httpVersion = configuration.httpVersion
        uploadBufferSize = configuration.uploadBufferSize
        constantHeaders = try ConstantHeaders(userAgent: configuration.userAgent)
    }

    /// At most what a 32-bit `long` holds.
    private static func milliseconds(_ duration: Duration) -> Int {
        let milliseconds = duration / .milliseconds(1)
        return Int(min(max(milliseconds, 0), Double(Int32.max)))
    }
}

/// The header lines that every request has.
final class ConstantHeaders: @unchecked Sendable {
    // Sendable by hand: nobody writes after `init`.
    let list: UnsafeMutablePointer<curl_slist>?

    init(userAgent: String) throws {
        var list: UnsafeMutablePointer<curl_slist>?
        // Without a value a line keeps libcurl from sending that header: a pause before large bodies, and noise.
        for line in ["Expect:", "Accept:", "User-Agent: \(userAgent)"] {
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                throw CurlSetupError("curl_slist_append", CURLE_OUT_OF_MEMORY)
            }
            list = longer
        }
        self.list = list
    }

    deinit { curl_slist_free_all(list) }
}
