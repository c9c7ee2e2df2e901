import Testing
import TransferCore
import TransferHTTP

import S3Wire
@testable import VolcanoTOS

/// Spec section 2: where a bucket and a key are reached.
@Suite struct EndpointRulesTests {
    private func url(
        _ endpoint: TOSEndpoint, _ addressing: TOSAddressing = .auto, bucket: String = "films", key: String = "a b"
    ) throws -> String {
        let rules = try EndpointRules(endpoint, addressing: addressing)
        let (base, path) = try rules.address.location(bucket: bucket, key: key)
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
        #expect(rules.address.base.host == "tos-cn-shanghai.volces.com")
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
        "https://host:70000", "https://bucket.tos-cn-beijing.volces.com", "https://bucket.tos-s3-cn-beijing.volces.com",
    ])
    func `a text that is no endpoint is refused by its name`(text: String) {
        #expect(refusal(TOSEndpoint(url: text, region: "cn-beijing"))?.field == "endpoint.url")
        #expect(refusal(TOSEndpoint(url: text, region: "cn-beijing"))?.code == .invalidArgument)
    }

    @Test(arguments: [
        ("https://tos-cn-beijing.volces.com", TOSWireFormat.native),
        ("https://tos-s3-cn-beijing.volces.com", .s3Compatible),
        ("tos-s3-ap-southeast-1.ivolces.com:443", .s3Compatible), ("tos-ap-southeast-1.bytepluses.com", .native),
    ])
    func `the endpoint's name says which language is spoken there`(text: String, format: TOSWireFormat) throws {
        let endpoint = TOSEndpoint(url: text)
        #expect(try EndpointRules(endpoint, addressing: .auto).wireFormat == format)
        #expect(try EndpointRules(endpoint, addressing: .auto, wireFormat: format).wireFormat == format)
        let other: TOSWireFormat = format == .native ? .s3Compatible : .native
        #expect {
            try EndpointRules(endpoint, addressing: .auto, wireFormat: other)
        } throws: {
            ($0 as? TransferError)?.field == "wireFormat"
        }
    }

    @Test func `a name that says nothing leaves the language to the caller, and means native`() throws {
        let endpoint = TOSEndpoint(url: "http://127.0.0.1:9000", region: "cn-beijing")
        #expect(try EndpointRules(endpoint, addressing: .auto).wireFormat == .native)
        let chosen = try EndpointRules(endpoint, addressing: .auto, wireFormat: .s3Compatible)
        #expect(chosen.wireFormat == .s3Compatible)
    }

    @Test func `a custom domain may be of either kind`() throws {
        let domain = TOSEndpoint(url: "https://cdn.example.com", region: "cn-beijing", isCustomDomain: true)
        #expect(try EndpointRules(domain, addressing: .auto, wireFormat: .s3Compatible).wireFormat == .s3Compatible)
    }

    @Test func `the S3-compatible endpoint takes no buckets in paths`() {
        #expect(refusal(TOSEndpoint(url: "https://tos-s3-cn-beijing.volces.com"), .path)?.field == "addressing")
    }

    @Test func `a region stands for the endpoint of either language`() {
        #expect(TOSEndpoint(region: "cn-beijing").url == "https://tos-cn-beijing.volces.com")
        let s3 = TOSEndpoint(region: "cn-beijing", wireFormat: .s3Compatible)
        #expect(s3.url == "https://tos-s3-cn-beijing.volces.com")
    }
}
