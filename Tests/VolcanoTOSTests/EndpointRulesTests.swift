import Testing
import TransferCore
import TransferHTTP

@testable import VolcanoTOS

/// Spec section 2: where a bucket and a key are reached.
@Suite struct EndpointRulesTests {
    private func url(
        _ endpoint: TOSEndpoint, _ addressing: TOSAddressing = .auto, bucket: String = "films", key: String = "a b"
    ) throws -> String {
        let rules = try EndpointRules(endpoint, addressing: addressing)
        let (base, path) = try rules.location(bucket: bucket, key: key)
        return "\(base.scheme.rawValue)://\(base.authority)\(path)"
    }

    private func refusal(_ endpoint: TOSEndpoint, _ addressing: TOSAddressing = .auto) -> TransferError? {
        do {
            _ = try EndpointRules(endpoint, addressing: addressing)
            return nil
        } catch {
            return error
        }
    }

    @Test func `an ordinary endpoint has the bucket in its host`() throws {
        #expect(
            try url(TOSEndpoint(url: "https://tos-cn-beijing.volces.com"))
                == "https://films.tos-cn-beijing.volces.com/a%20b")
    }

    @Test func `without a scheme an endpoint means https`() throws {
        #expect(
            try url(TOSEndpoint(url: "tos-cn-beijing.volces.com")) == "https://films.tos-cn-beijing.volces.com/a%20b")
        #expect(
            try url(TOSEndpoint(url: "http://tos-cn-beijing.volces.com/"))
                == "http://films.tos-cn-beijing.volces.com/a%20b")
    }

    @Test(arguments: [
        ("http://127.0.0.1:9000", "http://127.0.0.1:9000/films/a%20b"),
        ("http://[::1]:9000", "http://[::1]:9000/films/a%20b"),
        ("http://localhost:9000", "http://localhost:9000/films/a%20b"),
    ])
    func `an address and localhost have the bucket in the path`(text: String, expected: String) throws {
        #expect(try url(TOSEndpoint(url: text, region: "cn-beijing")) == expected)
    }

    @Test func `a port is named only when it is not the default`() throws {
        #expect(
            try url(TOSEndpoint(url: "https://test.tos.com:443", region: "cn-beijing"))
                == "https://films.test.tos.com/a%20b")
        #expect(
            try url(TOSEndpoint(url: "https://test.tos.com:8080", region: "cn-beijing"))
                == "https://films.test.tos.com:8080/a%20b")
    }

    @Test func `a custom domain never has the bucket in the URL`() throws {
        let domain = TOSEndpoint(url: "https://cdn.example.com", region: "cn-beijing", isCustomDomain: true)
        #expect(try url(domain) == "https://cdn.example.com/a%20b")
        #expect(refusal(domain, .path)?.field == "addressing")
    }

    @Test func `addressing can be chosen`() throws {
        #expect(
            try url(TOSEndpoint(url: "http://localhost:9000", region: "cn-beijing"), .virtual)
                == "http://films.localhost:9000/a%20b")
        #expect(
            try url(TOSEndpoint(url: "https://tos-cn-beijing.volces.com"), .path)
                == "https://tos-cn-beijing.volces.com/films/a%20b")
        #expect(refusal(TOSEndpoint(url: "http://127.0.0.1", region: "r-1"), .virtual)?.field == "addressing")
    }

    @Test(arguments: [
        ("tos-cn-beijing.volces.com", "cn-beijing"), ("tos-ap-southeast-3.ivolces.com", "ap-southeast-3"),
        ("tos-ap-southeast-1.bytepluses.com", "ap-southeast-1"), ("tos-xx-newregion9.volces.com", "xx-newregion9"),
    ])
    func `a known form of host names its region, whichever it is`(host: String, region: String) throws {
        #expect(try EndpointRules(TOSEndpoint(url: host), addressing: .auto).region == region)
    }

    @Test func `a region stands for its public endpoint`() throws {
        let rules = try EndpointRules(TOSEndpoint(region: "cn-shanghai"), addressing: .auto)
        #expect(rules.base.host == "tos-cn-shanghai.volces.com")
        #expect(rules.region == "cn-shanghai")
    }

    @Test func `a region that cannot be is refused by its name`() {
        #expect(refusal(TOSEndpoint(url: "https://example.com"))?.field == "endpoint.region")
        #expect(refusal(TOSEndpoint(url: "https://example.com", region: ""))?.field == "endpoint.region")
        #expect(refusal(TOSEndpoint(url: "https://example.com", region: "cn/beijing"))?.field == "endpoint.region")
        #expect(
            refusal(TOSEndpoint(url: "tos-cn-beijing.volces.com", region: "cn-shanghai"))?.field == "endpoint.region")
        #expect(refusal(TOSEndpoint(url: "tos-accelerate.volces.com", region: "cn-shanghai")) == nil)
    }

    @Test(arguments: [
        "", "https://", "ftp://tos-cn-beijing.volces.com", "https://tos-cn-beijing.volces.com/path", "https://a b",
        "https://user@tos-cn-beijing.volces.com", "https://tos-cn-beijing.volces.com?x=1", "https://host:0",
        "https://host:70000", "https://bucket.tos-cn-beijing.volces.com",
    ])
    func `a text that is no endpoint is refused by its name`(text: String) {
        #expect(refusal(TOSEndpoint(url: text, region: "cn-beijing"))?.field == "endpoint.url")
        #expect(refusal(TOSEndpoint(url: text, region: "cn-beijing"))?.code == .invalidArgument)
    }

    @Test(arguments: [
        "https://tos-s3-cn-beijing.volces.com", "tos-s3-ap-southeast-1.ivolces.com:443",
        "https://bucket.tos-s3-cn-beijing.volces.com",
    ])
    func `an endpoint of the other protocol is refused with the one to use`(text: String) {
        let error = refusal(TOSEndpoint(url: text))
        #expect(error?.code == .unsupported)
        #expect(error?.field == "endpoint.url")
        #expect(error?.message.contains("tos-cn-beijing.volces.com") == text.contains("beijing"))
    }
}
