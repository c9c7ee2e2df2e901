#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Aliyun OSS: XML documents, `x-oss-` headers, OSS4-HMAC-SHA256 and the older signature with HMAC-SHA1.
struct OSSDialect: ObjectDialect {
    let name = "oss"
    let requestIDField = "x-oss-request-id"

    func recognises(_ head: RequestHead) -> Bool {
        head.fields.contains { field in
            field.name.hasPrefix("x-oss-")
                || (field.name == "authorization" && (field.value.hasPrefix("OSS4-") || field.value.hasPrefix("OSS ")))
        }
            || head.target.contains("x-oss-signature") || head.target.contains("OSSAccessKeyId=")
            || OSSHost(head.hostName) != nil
    }

    func open(_ head: RequestHead, _ server: ServerContext) -> any DialectExchange {
        ObjectExchange(self, head, server)
    }

    func readAddress(_ head: RequestHead, _ server: ServerContext) throws(ServiceFailure) -> ObjectAddress {
        let style: Addressing.Style
        if let host = OSSHost(head.hostName) {
            guard let bucket = host.bucket else {
                // The service's own hosts know no path style; without a bucket they are asked about the account.
                throw head.rawPath == "/"
                    ? .notImplemented
                    : .oss(
                        403, "SecondLevelDomainForbidden",
                        "The bucket you are attempting to access must be addressed using OSS third level domain.")
            }
            style = .host(bucket: bucket)
        } else {
            style = Addressing(server.configuration).style(host: head.hostName) { _ in false }
        }
        let address = try Addressing.address(rawPath: head.rawPath, style: style)
        guard !address.bucket.isEmpty else { throw .notImplemented }
        guard Bucket.isName(address.bucket) else {
            throw .oss(400, "InvalidBucketName", "The specified bucket is not valid.")
        }
        guard address.key.utf8.count <= 1_023, address.key.utf8.first != UInt8(ascii: "/"),
            address.key.utf8.first != UInt8(ascii: "\\")
        else {
            throw .oss(400, "InvalidObjectName", "The specified object is not valid.")
        }
        return address
    }

    func verify(
        _ head: RequestHead, _ address: ObjectAddress, _ server: ServerContext, at now: Date
    ) throws(ServiceFailure) -> String? {
        let region = server.storage.region(of: address.bucket) ?? server.configuration.ossRegion
        let accessKey = try verifySignature(head, address, server, region: region, at: now)
        if let asked = OSSHost(head.hostName)?.region, asked != region {
            var failure = ServiceFailure.oss(
                403, "AccessDenied",
                "The bucket you are attempting to access must be addressed using the specified endpoint.")
            failure.ec = "0003-00001403"
            failure.details = [("Bucket", address.bucket), ("Endpoint", "oss-\(region).aliyuncs.com")]
            failure.diagnosis = "host: the bucket lies in \(region), not in \(asked)"
            throw failure
        }
        return accessKey
    }

    private func verifySignature(
        _ head: RequestHead, _ address: ObjectAddress, _ server: ServerContext, region: String, at now: Date
    ) throws(ServiceFailure) -> String? {
        let isV1 =
            head.value("authorization").map { $0.hasPrefix("OSS ") }
            ?? (QueryItems(head.rawQuery)?.contains("OSSAccessKeyId") ?? false)
        let skew = server.configuration.allowedSkew
        if isV1 {
            return try OSSV1Verifier(accounts: server.accounts, allowedSkew: skew).verify(head, address, at: now)
        }
        if head.value("authorization") != nil, head.value(V4Scheme.oss4.payloadHeader) == nil {
            throw .oss(400, "InvalidArgument", "x-oss-content-sha256 must be \(V4Claim.unsignedPayload).")
        }
        return try V4Verifier(scheme: .oss4, region: region, accounts: server.accounts, allowedSkew: skew)
            .verify(head, address, at: now)
    }

    func rules(_ configuration: StubConfiguration) -> ServiceRules {
        ServiceRules(
            region: configuration.ossRegion, minimumPartLength: 100 << 10, maximumCopyLength: 1 << 30,
            maximumPartLength: 5 << 30, copiesOntoItself: true, refusesOverwriteAtCreate: true,
            versionsAllowOverwrite: true, ignoresImpossibleRanges: true)
    }

    func sessionToken(_ head: RequestHead) -> String? {
        let query = QueryItems(head.rawQuery)
        return head.value("x-oss-security-token") ?? query?["x-oss-security-token"] ?? query?["security-token"]
    }

    func commonFields(requestID: String, at now: Date) -> [WireAnswer.Field] {
        [
            WireAnswer.Field(name: "Server", value: "AliyunOSS"),
            WireAnswer.Field(name: "Date", value: WireDate.header(now)),
            WireAnswer.Field(name: "x-oss-request-id", value: requestID.uppercased()),
            // How long it took in milliseconds; not the time of day.
            WireAnswer.Field(name: "x-oss-server-time", value: "1"),
        ]
    }
}
