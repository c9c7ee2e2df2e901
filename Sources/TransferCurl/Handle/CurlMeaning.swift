import CCurl
import TransferHTTP
import TransferPrimitives

/// What a result of libcurl means here. Certificates, protocols and aborted callbacks are not repeated; everything else
/// may be the network's passing mood.
struct CurlMeaning {
    let kind: TransportFailure.Kind
    let retry: RetryAdvice
    /// As libcurl's manual lists it; nil for codes that no exchange here can end with.
    let name: String?

    /// - Parameter proxyStatus: What a proxy answered to CONNECT, or in place of the server; 0 for none.
    init(_ code: CURLcode, proxyStatus: Int) {
        let entry = Self.table[code.rawValue]
        name = entry?.name
        if proxyStatus >= 300 {
            kind = .proxy
            // 407 asks for a password, other refusals below 500 are meant as well.
            retry = proxyStatus >= 500 || proxyStatus == 429 ? .backoff : .never
        } else {
            kind = entry?.kind ?? .other
            retry = entry?.retry ?? kind.retry
        }
    }

    private struct Entry {
        let name: String
        let kind: TransportFailure.Kind
        /// Where it differs from the kind's own.
        var retry: RetryAdvice?
    }

    private static let table: [UInt32: Entry] = [
        CURLE_UNSUPPORTED_PROTOCOL.rawValue: Entry(name: "CURLE_UNSUPPORTED_PROTOCOL", kind: .malformed),
        CURLE_FAILED_INIT.rawValue: Entry(name: "CURLE_FAILED_INIT", kind: .other),
        CURLE_URL_MALFORMAT.rawValue: Entry(name: "CURLE_URL_MALFORMAT", kind: .invalidRequest),
        CURLE_COULDNT_RESOLVE_PROXY.rawValue: Entry(name: "CURLE_COULDNT_RESOLVE_PROXY", kind: .resolve),
        CURLE_COULDNT_RESOLVE_HOST.rawValue: Entry(name: "CURLE_COULDNT_RESOLVE_HOST", kind: .resolve),
        CURLE_COULDNT_CONNECT.rawValue: Entry(name: "CURLE_COULDNT_CONNECT", kind: .connect),
        CURLE_WEIRD_SERVER_REPLY.rawValue: Entry(name: "CURLE_WEIRD_SERVER_REPLY", kind: .malformed, retry: .backoff),
        CURLE_HTTP2.rawValue: Entry(name: "CURLE_HTTP2", kind: .receive),
        CURLE_PARTIAL_FILE.rawValue: Entry(name: "CURLE_PARTIAL_FILE", kind: .partialBody),
        CURLE_WRITE_ERROR.rawValue: Entry(name: "CURLE_WRITE_ERROR", kind: .malformed),
        CURLE_READ_ERROR.rawValue: Entry(name: "CURLE_READ_ERROR", kind: .bodySource),
        CURLE_OUT_OF_MEMORY.rawValue: Entry(name: "CURLE_OUT_OF_MEMORY", kind: .other),
        // The only time limit that libcurl itself is given is that for connecting.
        CURLE_OPERATION_TIMEDOUT.rawValue: Entry(name: "CURLE_OPERATION_TIMEDOUT", kind: .connectTimeout),
        CURLE_SSL_CONNECT_ERROR.rawValue: Entry(name: "CURLE_SSL_CONNECT_ERROR", kind: .tls),
        CURLE_ABORTED_BY_CALLBACK.rawValue: Entry(name: "CURLE_ABORTED_BY_CALLBACK", kind: .bodySource),
        CURLE_INTERFACE_FAILED.rawValue: Entry(name: "CURLE_INTERFACE_FAILED", kind: .connect),
        CURLE_GOT_NOTHING.rawValue: Entry(name: "CURLE_GOT_NOTHING", kind: .emptyReply),
        CURLE_SEND_ERROR.rawValue: Entry(name: "CURLE_SEND_ERROR", kind: .send),
        CURLE_RECV_ERROR.rawValue: Entry(name: "CURLE_RECV_ERROR", kind: .receive),
        CURLE_SSL_CERTPROBLEM.rawValue: Entry(name: "CURLE_SSL_CERTPROBLEM", kind: .certificate),
        CURLE_SSL_CIPHER.rawValue: Entry(name: "CURLE_SSL_CIPHER", kind: .certificate),
        CURLE_PEER_FAILED_VERIFICATION.rawValue: Entry(name: "CURLE_PEER_FAILED_VERIFICATION", kind: .certificate),
        CURLE_SEND_FAIL_REWIND.rawValue: Entry(name: "CURLE_SEND_FAIL_REWIND", kind: .send),
        CURLE_SSL_CACERT_BADFILE.rawValue: Entry(name: "CURLE_SSL_CACERT_BADFILE", kind: .certificate),
        CURLE_SSL_ISSUER_ERROR.rawValue: Entry(name: "CURLE_SSL_ISSUER_ERROR", kind: .certificate),
        CURLE_SSL_INVALIDCERTSTATUS.rawValue: Entry(name: "CURLE_SSL_INVALIDCERTSTATUS", kind: .certificate),
        CURLE_HTTP2_STREAM.rawValue: Entry(name: "CURLE_HTTP2_STREAM", kind: .receive),
        97: Entry(name: "CURLE_PROXY", kind: .proxy),
    ]
}
