#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// S3, as the S3-compatible endpoint of TOS and Amazon speak it: XML documents, `x-amz-` headers, AWS4-HMAC-SHA256.
struct S3Dialect: ObjectDialect {
    let name = "s3"
    let requestIDField = "x-amz-request-id"

    func recognises(_ head: RequestHead) -> Bool {
        head.fields.contains {
            $0.name.hasPrefix("x-amz-") || ($0.name == "authorization" && $0.value.hasPrefix(V4Scheme.aws4.algorithm))
        }
            || head.target.contains("X-Amz-") || Self.isS3Host(head.hostName)
    }

    func open(_ head: RequestHead, _ server: ServerContext) -> any DialectExchange {
        ObjectExchange(self, head, server)
    }

    func readAddress(_ head: RequestHead, _ server: ServerContext) throws(ServiceFailure) -> ObjectAddress {
        let style = Addressing(server.configuration).style(host: head.hostName, isServiceLabel: Self.isServiceLabel)
        if style == .path, server.quirks.refusesPathStyle {
            throw ServiceFailure(403, "InvalidPathAccess", "The bucket must be named by the host, not by the path.")
        }
        let address = try Addressing.address(rawPath: head.rawPath, style: style)
        guard !address.bucket.isEmpty else { throw .notImplemented }
        guard address.key.utf8.count <= 1_024 else {
            throw ServiceFailure(400, "KeyTooLongError", "The key is longer than 1,024 bytes.")
        }
        return address
    }

    func verify(
        _ head: RequestHead, _ address: ObjectAddress, _ server: ServerContext, at now: Date
    ) throws(ServiceFailure) -> String? {
        let scheme = V4Scheme.aws4
        if let authorization = head.value("authorization") {
            guard authorization.hasPrefix(scheme.algorithm + " ") else {
                throw ServiceFailure(400, "InvalidRequest", "Requests are signed by \(scheme.algorithm) alone.")
            }
            guard QueryItems(head.rawQuery)?.contains(scheme.query.signature) != true else {
                throw .invalidArgument("A request is signed in its header or in its query, not in both.")
            }
            guard head.value(scheme.payloadHeader) != nil else {
                throw ServiceFailure(
                    400, "InvalidRequest", "Missing required header for this request: \(scheme.payloadHeader)")
            }
        }
        return try V4Verifier(
            scheme: scheme, region: server.configuration.region, accounts: server.accounts,
            allowedSkew: server.configuration.allowedSkew
        ).verify(head, address, at: now)
    }

    func rules(_ configuration: StubConfiguration) -> ServiceRules {
        ServiceRules(
            region: configuration.region, minimumPartLength: 5 << 20, maximumCopyLength: 5 << 30,
            maximumPartLength: 5 << 30)
    }

    func sessionToken(_ head: RequestHead) -> String? {
        head.value(V4Scheme.aws4.tokenHeader) ?? QueryItems(head.rawQuery)?[V4Scheme.aws4.query.token]
    }

    func commonFields(requestID: String, at now: Date) -> [WireAnswer.Field] {
        [
            WireAnswer.Field(name: "Server", value: "TosServer"),
            WireAnswer.Field(name: "Date", value: WireDate.header(now)),
            WireAnswer.Field(name: "x-amz-request-id", value: requestID.uppercased()),
            WireAnswer.Field(name: "x-amz-id-2", value: Self.hostID),
        ]
    }

    /// What answers name as the host that made them.
    static let hostID = "stub/s3"

    /// Whether a label begins the service's own domain: `tos-s3-cn-beijing` of TOS, `s3` of Amazon.
    private static func isServiceLabel(_ label: Substring) -> Bool { label == "s3" || label.hasPrefix("tos-s3-") }

    /// Whether a host is one of S3's. A bucket may be called like one; the label that is nearest to the end decides.
    private static func isS3Host(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let label = labels.last { isServiceLabel($0) || $0.hasPrefix("tos-") }
        return label.map { isServiceLabel($0) } ?? false
    }
}
