import Testing
import TransferCore
import TransferHTTP

@testable import AliyunOSS

/// Spec sections 2.1 and 6.1: where a bucket and a key are reached.
@Suite struct EndpointRulesTests {
    private func url(
        _ endpoint: OSSEndpoint, _ addressing: OSSAddressing = .auto, bucket: String = "films", key: String = "a b"
    ) throws -> String {
        let rules = try EndpointRules(endpoint, addressing: addressing)
        let location = try rules.address.location(bucket: bucket, key: key, at: rules.base)
        #expect(location.canonicalPath == "/films/a%20b")
        return "\(location.endpoint.scheme.rawValue)://\(location.endpoint.authority)\(location.path)"
    }

    private func refusal(_ endpoint: OSSEndpoint, _ addressing: OSSAddressing = .auto) -> TransferError? {
        do {
            _ = try EndpointRules(endpoint, addressing: addressing)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("cn-shanghai", OSSEndpoint.Network.public, "oss-cn-shanghai.aliyuncs.com"),
        ("cn-shanghai", .internal, "oss-cn-shanghai-internal.aliyuncs.com"),
        ("cn-shanghai", .dualStack, "cn-shanghai.oss.aliyuncs.com"),
        ("ap-southeast-5", .public, "oss-ap-southeast-5.aliyuncs.com"),
        ("cn-wuhan-lr", .public, "oss-cn-wuhan-lr.aliyuncs.com"),
        ("xx-newregion-9", .internal, "oss-xx-newregion-9-internal.aliyuncs.com"),
        ("rg-china-mainland", .public, "oss-rg-china-mainland.aliyuncs.com"),
        ("cn-hangzhou-finance", .public, "oss-cn-hzfinance.aliyuncs.com"),
        ("cn-hangzhou-finance", .internal, "oss-cn-hzfinance-internal.aliyuncs.com"),
        ("cn-shanghai-finance-1", .public, "oss-cn-shanghai-finance-1-pub.aliyuncs.com"),
        ("cn-shanghai-finance-1", .internal, "oss-cn-shanghai-finance-1-internal.aliyuncs.com"),
        ("cn-beijing-finance-1", .public, "oss-cn-beijing-finance-1-pub.aliyuncs.com"),
        ("cn-shenzhen-finance-1", .public, "oss-cn-szfinance.aliyuncs.com"),
        ("cn-shenzhen-finance-1", .internal, "oss-cn-shenzhen-finance-1-internal.aliyuncs.com"),
    ])
    func `a region has a host on each network, and a host names its region`(
        region: String, network: OSSEndpoint.Network, host: String
    ) throws {
        let endpoint = OSSEndpoint(region: region, network: network)
        #expect(endpoint.url == "https://\(host)")
        #expect(try url(endpoint) == "https://films.\(host)/a%20b")
        #expect(try EndpointRules(OSSEndpoint(url: host), addressing: .auto).region == region)
    }

    @Test(arguments: ["oss-cn-hzjbp-a-internal", "oss-cn-hzjbp-b-internal"])
    func `a finance region has more than one internal host`(label: String) throws {
        let rules = try EndpointRules(OSSEndpoint(url: "\(label).aliyuncs.com"), addressing: .auto)
        #expect(rules.region == "cn-hangzhou-finance")
    }

    @Test func `a host of acceleration does not name the region`() throws {
        #expect(
            try url(.accelerate(region: "cn-shanghai")) == "https://films.oss-accelerate.aliyuncs.com/a%20b")
        #expect(
            try url(.accelerate(region: "us-west-1", overseas: true))
                == "https://films.oss-accelerate-overseas.aliyuncs.com/a%20b")
        for host in [
            "oss-accelerate.aliyuncs.com", "oss-accelerate-overseas.aliyuncs.com", "media.example.com",
            "http://192.0.2.1", "https://[2001:db8::1]", "http://localhost:9000", "oss.aliyuncs.com",
        ] {
            #expect(refusal(OSSEndpoint(url: host))?.field == "endpoint.region", "\(host)")
            #expect(refusal(OSSEndpoint(url: host))?.code == .invalidArgument)
            #expect(refusal(OSSEndpoint(url: host, region: "cn-shanghai")) == nil)
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:9000", "http://127.0.0.1:9000/films/a%20b"),
        ("http://[::1]:9000", "http://[::1]:9000/films/a%20b"),
        ("http://localhost:9000", "http://localhost:9000/films/a%20b"),
        ("https://oss.example.com:8443", "https://films.oss.example.com:8443/a%20b"),
    ])
    func `an address and localhost have the bucket in the path`(text: String, expected: String) throws {
        #expect(try url(OSSEndpoint(url: text, region: "cn-shanghai")) == expected)
    }

    @Test func `a custom domain never has the bucket in the URL`() throws {
        let domain = OSSEndpoint(url: "https://media.example.com", region: "cn-shanghai", isCustomDomain: true)
        #expect(try url(domain) == "https://media.example.com/a%20b")
        #expect(refusal(domain, .path)?.field == "addressing")
        #expect(refusal(domain, .virtual)?.field == "addressing")
        // A bucket's own host, bound to it by its nature.
        let own = OSSEndpoint(
            url: "https://films.oss-cn-shanghai.aliyuncs.com", region: "cn-shanghai", isCustomDomain: true)
        #expect(try url(own) == "https://films.oss-cn-shanghai.aliyuncs.com/a%20b")
    }

    @Test func `addressing can be chosen where it can work`() throws {
        let local = OSSEndpoint(url: "http://localhost:9000", region: "cn-shanghai")
        #expect(try url(local, .virtual) == "http://films.localhost:9000/a%20b")
        let named = OSSEndpoint(url: "http://oss-stub:9000", region: "cn-shanghai")
        #expect(try url(named, .path) == "http://oss-stub:9000/films/a%20b")
        #expect(refusal(OSSEndpoint(region: "cn-shanghai"), .path)?.field == "addressing")
        #expect(refusal(OSSEndpoint(url: "http://127.0.0.1", region: "cn-x"), .virtual)?.field == "addressing")
    }

    @Test func `a bucket alone ends in a slash`() throws {
        let rule = AddressRule()
        let base = try HTTPEndpoint(parsing: "https://oss-cn-shanghai.aliyuncs.com")
        #expect(try rule.location(bucket: "films", key: "", at: base).path == "/")
        #expect(try rule.location(bucket: "films", key: "", at: base).canonicalPath == "/films/")
        let local = try HTTPEndpoint(parsing: "http://127.0.0.1:1")
        #expect(try rule.location(bucket: "films", key: "", at: local).path == "/films/")
    }

    @Test(arguments: [
        ("https://example.com", nil), ("https://example.com", ""), ("https://example.com", "cn/shanghai"),
        ("https://example.com", "CN-SHANGHAI"), ("https://example.com", "oss-cn-shanghai"),
        ("oss-cn-shanghai.aliyuncs.com", "cn-beijing"), ("cn-shanghai.oss.aliyuncs.com", "cn-beijing"),
    ])
    func `a region that cannot be is refused by its name`(text: String, region: String?) {
        #expect(refusal(OSSEndpoint(url: text, region: region))?.field == "endpoint.region")
    }

    @Test(arguments: [
        "", "https://", "ftp://oss-cn-shanghai.aliyuncs.com", "https://oss-cn-shanghai.aliyuncs.com/path",
        "https://a b",
        "https://user@oss-cn-shanghai.aliyuncs.com", "https://oss-cn-shanghai.aliyuncs.com?x=1", "https://host:0",
        "https://host:70000", "https://films.oss-cn-shanghai.aliyuncs.com",
        "https://oss-rg-china-mainland-internal.aliyuncs.com",
    ])
    func `a text that is no endpoint is refused by its name`(text: String) {
        let endpoint = OSSEndpoint(url: text, region: text.contains("rg-china") ? nil : "cn-shanghai")
        #expect(refusal(endpoint)?.field == "endpoint.url")
        #expect(refusal(endpoint)?.code == .invalidArgument)
    }
}
