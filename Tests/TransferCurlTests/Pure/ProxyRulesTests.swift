import Testing
import TransferHTTP

@testable import TransferCurl

@Suite struct ProxyRulesTests {
    private func proxy(_ url: String, _ environment: [String: String], _ setting: TransportProxy = .environment) throws
        -> String?
    {
        ProxyRules(setting, environment: environment).proxy(for: try HTTPEndpoint(parsing: url))?.url
    }

    @Test(
        arguments: [
            ("http://h", ["http_proxy": "http://p:1"], "http://p:1"),
            ("https://h", ["http_proxy": "http://p:1"], nil),
            ("https://h", ["https_proxy": "http://p:2"], "http://p:2"),
            ("http://h", ["https_proxy": "http://p:2"], nil),
            ("https://h", ["HTTPS_PROXY": "http://p:3"], "http://p:3"),
            ("https://h", ["https_proxy": "http://lower", "HTTPS_PROXY": "http://upper"], "http://lower"),
            ("http://h", ["HTTP_PROXY": "http://p:4"], "http://p:4"),
            ("http://h", ["HTTP_PROXY": "http://p:4", "REQUEST_METHOD": "GET"], nil),
            ("http://h", ["http_proxy": "http://p:4", "REQUEST_METHOD": "GET"], "http://p:4"),
            ("http://h", ["all_proxy": "socks5h://p"], "socks5h://p"),
            ("https://h", ["ALL_PROXY": "socks5h://p"], "socks5h://p"),
            ("https://h", ["https_proxy": "http://own", "all_proxy": "http://all"], "http://own"),
            ("https://h", ["https_proxy": "", "all_proxy": "http://all"], "http://all"),
            ("http://h", ["http_proxy": "p:8080"], "http://p:8080"),
            ("https://h", ["https_proxy": "nonsense://x", "all_proxy": "http://all"], "http://all"),
            ("http://h", [:], nil),
            ("http://h", ["no_proxy": "x"], nil),
        ] as [(String, [String: String], String?)])
    func environmentNamesTheProxy(_ url: String, _ environment: [String: String], _ expected: String?) throws {
        #expect(try proxy(url, environment) == expected)
    }

    @Test(arguments: [
        ("http://store.example", "*", true),
        ("http://store.example", "store.example", true),
        ("http://store.example", "STORE.Example", true),
        ("http://bucket.store.example", "store.example", true),
        ("http://bucket.store.example", ".store.example", true),
        ("http://bucket.store.example", "*.store.example", true),
        ("http://store.example", ".store.example", true),
        ("http://mystore.example", "store.example", false),
        ("http://store.example", "bucket.store.example", false),
        ("http://store.example", "other, store.example", true),
        ("http://store.example", "other store.example", true),
        ("http://store.example", "other,,  ,", false),
        ("http://store.example", "store.example:80", true),
        ("http://store.example", "store.example:8080", false),
        ("http://store.example:8080", "store.example:8080", true),
        ("https://store.example", "store.example:443", true),
        ("http://store.example", "store.example.", true),
        ("http://127.0.0.1:9000", "127.0.0.1", true),
        ("http://127.0.0.1:9000", "127.0.0.1:9000", true),
        ("http://127.0.0.1:9000", "0.0.1", false),
        ("http://[::1]:9000", "::1", true),
        ("http://[::1]:9000", "[::1]", true),
        ("http://[::1]:9000", "[::1]:9000", true),
        ("http://[::1]:9000", "[::1]:80", false),
        ("http://store.example", "", false),
        ("http://store.example", ".", false),
    ])
    func exceptions(_ url: String, _ list: String, _ isDirect: Bool) throws {
        for name in ["no_proxy", "NO_PROXY"] {
            let found = try proxy(url, ["http_proxy": "http://p", "https_proxy": "http://p", name: list])
            #expect((found == nil) == isDirect)
        }
    }

    @Test func settingsComeBeforeTheEnvironment() throws {
        let environment = ["http_proxy": "http://p", "no_proxy": "*"]
        #expect(try proxy("http://h", environment, .url("http://mine:1")) == "http://mine:1")
        #expect(try proxy("http://h", ["http_proxy": "http://p"], .none) == nil)
    }

    @Test(
        arguments: [
            ("http://proxy.example", "proxy.example", 1080, false),
            ("https://proxy.example", "proxy.example", 443, false),
            ("HTTP://u:p@ss@Proxy.Example:3128/path", "proxy.example", 3128, false),
            ("proxy.example:8080", "proxy.example", 8080, false),
            ("socks5://10.0.0.1", "10.0.0.1", 1080, true),
            ("socks5h://[::1]:9050", "::1", 9050, false),
            ("http://[::1]", "::1", 1080, false),
        ] as [(String, String, UInt16, Bool)])
    func takesProxiesApart(_ url: String, _ host: String, _ port: UInt16, _ leavesNames: Bool) throws {
        let server = try #require(ProxyServer(url))
        #expect(server.host == host && server.port == port && server.leavesNamesToClient == leavesNames)
    }

    @Test(arguments: [
        "", "http://", "ftp://h", "http://h:0", "http://h:x", "http://h:99999", "http://a b", "http://u:p@",
    ])
    func whatIsNoProxy(_ url: String) { #expect(ProxyServer(url) == nil) }

    @Test func passwordsAreNotPrinted() {
        let setting = TransportProxy.url("http://u:secretpass@h")
        var dumped = ""
        dump(setting, to: &dumped)
        for text in ["\(setting)", String(reflecting: setting), dumped] {
            #expect(!text.contains("secretpass"), "\(text)")
        }
        var configuration = TransportConfiguration()
        configuration.proxy = setting
        #expect(!"\(configuration)".contains("secretpass"))
    }
}
