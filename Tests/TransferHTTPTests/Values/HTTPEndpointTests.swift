import Testing
import TransferHTTP

@Suite struct HTTPEndpointTests {
    @Test(
        arguments: [
            ("tos-cn-beijing.volces.com", "https", "tos-cn-beijing.volces.com", nil, "tos-cn-beijing.volces.com"),
            ("http://Example.COM", "http", "example.com", nil, "example.com"),
            ("http://example.com:80/", "http", "example.com", nil, "example.com"),
            ("https://example.com:8443", "https", "example.com", 8443, "example.com:8443"),
            ("http://127.0.0.1:9000", "http", "127.0.0.1", 9000, "127.0.0.1:9000"),
            ("http://[::1]:9000", "http", "::1", 9000, "[::1]:9000"),
            ("https://[fe80::2]", "https", "fe80::2", nil, "[fe80::2]"),
            ("https://::1", "https", "::1", nil, "[::1]"),
        ] as [(String, String, String, UInt16?, String)])
    func reads(_ text: String, _ scheme: String, _ host: String, _ port: UInt16?, _ authority: String) throws {
        let endpoint = try HTTPEndpoint(parsing: text)
        #expect(endpoint.scheme.rawValue == scheme)
        #expect(endpoint.host == host)
        #expect(endpoint.port == port)
        #expect(endpoint.authority == authority)
    }

    @Test(arguments: [
        "", "ftp://a", "http://", "http://a b", "http://a/b", "http://u@a", "http://a?x", "http://a:0",
        "http://a:65536",
        "http://a:b", "a\r\nb", "http://ä.example", "http://[::1", "http://[zz::1]",
    ])
    func refuses(_ text: String) { #expect(throws: HTTPEndpointError.self) { try HTTPEndpoint(parsing: text) } }

    /// TLS would be tried in vain, for as long as connecting may take.
    @Test(arguments: ["127.0.0.1:9000", "localhost", "LOCALHOST:80", "::1", "[fe80::2]:9000"])
    func httpsIsNotAssumedOfAddresses(_ text: String) throws {
        let error = #expect(throws: HTTPEndpointError.self) { try HTTPEndpoint(parsing: text) }
        #expect(error?.description.contains("write http://\(text)") == true)
        #expect(try HTTPEndpoint(parsing: text, assuming: .http).scheme == .http)
    }

    @Test func tellsAddressesFromNames() throws {
        for (text, isAddress) in [
            ("1.2.3.4", true), ("1.2.3.256", false), ("1.2.3", false), ("::1", true), ("a.b", false),
        ] {
            #expect(try HTTPEndpoint(scheme: .http, host: text).isIPLiteral == isAddress, "\(text)")
        }
    }

    @Test func writesTheTarget() throws {
        var request = HTTPRequest(
            .get, at: try HTTPEndpoint(parsing: "http://h:1"), path: "/a/../b%20c//",
            query: [.init("uploads"), .init("empty", ""), .init("k/ ", "v&=中")])
        #expect(request.url == "http://h:1/a/../b%20c//?uploads&empty=&k%2F%20=v%26%3D%E4%B8%AD")
        request.query = []
        #expect(request.url == "http://h:1/a/../b%20c//")
    }
}
