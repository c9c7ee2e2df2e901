import CCurl
import Testing
import TransferHTTP
import TransferPrimitives

@testable import TransferCurl

/// Field report 49: which results of libcurl are repeated.
@Suite struct CurlMeaningTests {
    @Test(
        arguments: [
            (CURLE_COULDNT_RESOLVE_HOST, .resolve, .backoff),
            (CURLE_COULDNT_RESOLVE_PROXY, .resolve, .backoff),
            (CURLE_COULDNT_CONNECT, .connect, .backoff),
            (CURLE_OPERATION_TIMEDOUT, .connectTimeout, .backoff),
            (CURLE_SEND_ERROR, .send, .backoff),
            (CURLE_RECV_ERROR, .receive, .backoff),
            (CURLE_GOT_NOTHING, .emptyReply, .backoff),
            (CURLE_PARTIAL_FILE, .partialBody, .backoff),
            (CURLE_SSL_CONNECT_ERROR, .tls, .backoff),
            (CURLE_OUT_OF_MEMORY, .other, .backoff),
            (CURLE_WEIRD_SERVER_REPLY, .malformed, .backoff),
            (CURLE_HTTP2_STREAM, .receive, .backoff),
            (CURLE_PEER_FAILED_VERIFICATION, .certificate, .never),
            (CURLE_SSL_CACERT_BADFILE, .certificate, .never),
            (CURLE_UNSUPPORTED_PROTOCOL, .malformed, .never),
            (CURLE_ABORTED_BY_CALLBACK, .bodySource, .never),
            (CURLE_URL_MALFORMAT, .invalidRequest, .never),
            // One that no exchange here can end with.
            (CURLE_LDAP_CANNOT_BIND, .other, .backoff),
        ] as [(CURLcode, TransportFailure.Kind, RetryAdvice)])
    func means(_ code: CURLcode, _ kind: TransportFailure.Kind, _ retry: RetryAdvice) {
        let meaning = CurlMeaning(code, proxyStatus: 0)
        #expect(meaning.kind == kind && meaning.retry == retry)
        #expect(meaning.name?.hasPrefix("CURLE_") ?? (code == CURLE_LDAP_CANNOT_BIND))
    }

    @Test(arguments: [(407, RetryAdvice.never), (403, .never), (502, .backoff), (429, .backoff)])
    func proxyAnswers(_ status: Int, _ retry: RetryAdvice) {
        let meaning = CurlMeaning(CURLE_RECV_ERROR, proxyStatus: status)
        #expect(meaning.kind == .proxy && meaning.retry == retry)
    }

    @Test func aTunnelThatWasMadeIsNoProxyFailure() {
        #expect(CurlMeaning(CURLE_RECV_ERROR, proxyStatus: 200).kind == .receive)
    }
}
