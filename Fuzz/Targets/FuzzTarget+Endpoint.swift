@testable import AliyunOSS
@testable import AliyunVOD
@testable import AmazonS3
@testable import S3Wire
import TransferCore
@testable import TransferCurl
import TransferHTTP
@testable import VolcanoTOS

extension FuzzTarget {
    /// Lines: a URL, a region, a bucket, a key, an exception of a proxy.
    static let endpoints = FuzzTarget(name: "endpoint") { bytes in
        var input = FuzzInput(bytes)
        let choice = input.byte()
        let url = input.text()
        let region: String? = choice & 1 == 0 ? nil : input.text()
        let (bucket, key, exception) = (input.text(), input.text(), input.text())

        if let endpoint = try? HTTPEndpoint(parsing: url) {
            check(endpoint)
            _ = ProxyRules.matches(exception, endpoint)
            let rules = ProxyRules(.environment, environment: ["https_proxy": exception, "no_proxy": key])
            for place in rules.way(to: endpoint).places { require(!place.host.isEmpty, "a place without a name") }
        }
        checkServices(url, region, choice, bucket: bucket, key: key)
        if let server = try? ServerURL(url) {
            check(server.endpoint)
            require(server.path.hasPrefix("/"), "a path without a beginning")
            require(server.path.utf8.allSatisfy(isVisible), "a path that parts the request")
        }
        if let proxy = ProxyServer(url) {
            require(!proxy.host.isEmpty && proxy.port > 0, "a proxy that is nowhere")
            require(!proxy.url.utf8.contains { $0 <= 0x20 || $0 == 0x7F }, "a proxy of control characters")
        }
    }

    private static func check(_ endpoint: HTTPEndpoint) {
        require(endpoint.authority.utf8.allSatisfy(isAuthorityByte), "an authority of other bytes")
        let text = "\(endpoint.scheme.rawValue)://\(endpoint.authority)"
        require((try? HTTPEndpoint(parsing: text)) == endpoint, "an endpoint that reads otherwise: \(text)")
    }

    private static func isAuthorityByte(_ byte: UInt8) -> Bool {
        (isComponentByte(byte) && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "~")) || ":[]".utf8.contains(byte)
    }

    private static func checkServices(_ url: String, _ region: String?, _ choice: UInt8, bucket: String, key: String) {
        let isCustom = choice & 2 == 2
        let object = ObjectLocation(bucket: bucket, key: key)
        let oss = OSSEndpoint(url: url, region: region, isCustomDomain: isCustom)
        if let rules = try? AliyunOSS.EndpointRules(oss, addressing: one(of: OSSAddressing.allCases, choice)) {
            let request = try? OSSRequest(.getObject, .get, object).httpRequest(at: rules.base, by: rules.address)
            check(request, at: rules.base, bucket: bucket, key: key)
        }
        let tos = TOSEndpoint(url: url, region: region, isCustomDomain: isCustom)
        if let rules = try? VolcanoTOS.EndpointRules(tos, addressing: one(of: TOSAddressing.allCases, choice)) {
            let dialect = S3Dialect(rules.wireFormat)
            let request = try? S3Request(.getObject, .get, object).httpRequest(at: rules.address, dialect)
            check(request, at: rules.address.base, bucket: bucket, key: key)
        }
        let s3 = S3Endpoint(url: url, region: region ?? "us-east-1")
        if let rules = try? AmazonS3.EndpointRules(s3, addressing: one(of: S3Addressing.allCases, choice)) {
            let dialect = S3Dialect.amazon(honoursCopyPreconditions: true, decodesPartCopySourceTwice: nil)
            let request = try? S3Request(.getObject, .get, object).httpRequest(at: rules.address, dialect)
            check(request, at: rules.address.base, bucket: bucket, key: key)
        }
    }

    private static func one<Value>(of values: [Value], _ choice: UInt8) -> Value {
        values[Int(choice >> 2) % values.count]
    }

    /// The host is the endpoint's, with nothing but the bucket in front; the path names the key and nothing else.
    private static func check(_ request: HTTPRequest?, at base: HTTPEndpoint, bucket: String, key: String) {
        guard let request else { return }
        check(base)
        check(request.endpoint)
        require([base.host, "\(bucket).\(base.host)"].contains(request.endpoint.host), "another host")
        let paths = [key, "\(bucket)/\(key)"]
        require(paths.contains { isSame(PercentEncoding.decode(request.path), "/" + $0) }, "another path")
        let isEncoded = request.path.utf8.allSatisfy { isComponentByte($0) || $0 == UInt8(ascii: "/") }
        require(isEncoded, "a path of other bytes")
    }
}
