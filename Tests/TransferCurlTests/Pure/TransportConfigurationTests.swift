import Testing

@testable import TransferCurl

@Suite struct TransportConfigurationTests {
    struct BadSetting: Sendable, CustomTestStringConvertible {
        let field: String
        let change: @Sendable (inout TransportConfiguration) -> Void

        init(_ field: String, _ change: @escaping @Sendable (inout TransportConfiguration) -> Void) {
            self.field = field
            self.change = change
        }

        var testDescription: String { field }
    }

    private static let bad = [
        BadSetting("connectTimeout") { $0.connectTimeout = .zero },
        BadSetting("idleTimeout") { $0.idleTimeout = .seconds(-1) },
        BadSetting("idleConnectionLifetime") { $0.idleConnectionLifetime = .zero },
        BadSetting("addressLifetime") { $0.addressLifetime = .seconds(-1) },
        BadSetting("maxConnections") { $0.maxConnections = 0 },
        BadSetting("maxConnections") { $0.maxConnections = .max },
        BadSetting("eventLoops") { $0.eventLoops = 0 },
        BadSetting("eventLoops") { $0.eventLoops = 17 },
        BadSetting("uploadBufferSize") { $0.uploadBufferSize = 1 },
        BadSetting("uploadBufferSize") { $0.uploadBufferSize = 3 << 20 },
        BadSetting("userAgent") { $0.userAgent = "a\r\nb: c" },
        BadSetting("proxy") { $0.proxy = .url("ftp://h") },
        BadSetting("proxy") { $0.proxy = .url("http://") },
        BadSetting("proxy") { $0.proxy = .url("http://a b") },
        BadSetting("certificateAuthority") { $0.certificateAuthority = .file("/no/such/file") },
        BadSetting("certificateAuthority") { $0.certificateAuthority = .file("/") },
        BadSetting("certificateAuthority") { $0.certificateAuthority = .directory("/etc/passwd") },
        BadSetting("certificateAuthority") { $0.certificateAuthority = .bytes([]) },
    ]

    @Test func defaultsAreFine() throws { try TransportConfiguration().validate() }

    @Test(arguments: bad) func namesTheFieldAtFault(_ bad: BadSetting) throws {
        var configuration = TransportConfiguration()
        bad.change(&configuration)
        #expect {
            _ = try CurlTransport(configuration)
        } throws: { error in
            (error as? TransportConfigurationError)?.field == bad.field
        }
    }

    @Test func whatCanBeUsedIsAccepted() throws {
        var configuration = TransportConfiguration()
        configuration.certificateAuthority = .directory("/")
        configuration.proxy = .url("SOCKS5h://user:pw@host:1080")
        configuration.maxConnections = 1
        configuration.idleTimeout = .seconds(Int64.max)
        configuration.connectTimeout = .seconds(Int64.max)
        try configuration.validate()
        #expect(try CurlTransport(configuration).connectionLimit == 1)
    }
}
