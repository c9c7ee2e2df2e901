import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Checks a signature of OSS's first version, HMAC-SHA1 over a few lines, and says what is wrong with it.
struct OSSV1Verifier: Sendable {
    let accounts: AccountTable
    let allowedSkew: Duration

    /// The access key whose holder signed the request.
    func verify(_ head: RequestHead, _ address: ObjectAddress, at now: Date) throws(ServiceFailure) -> String {
        guard let query = QueryItems(head.rawQuery) else {
            throw .invalidArgument("The query cannot be decoded.")
        }
        let claim = try OSSV1Claim(head, query)
        guard let account = accounts.account(claim.accessKey) else { throw .unknownAccessKey(claim.accessKey) }
        try checkTime(claim, now)
        try account.checkToken(claim.token, at: now)

        let signed = OSSV1StringToSign(head, address, query, claim)
        if ConstantTime.isEqual(signed.signature(account.secretKey), claim.signature) { return claim.accessKey }
        var failure = ServiceFailure.wrongSignature(
            accessKey: claim.accessKey, signature: claim.signature, stringToSign: signed.text)
        failure.diagnosis = diagnosis(signed, claim, account, head, query)
        throw failure
    }

    private func checkTime(_ claim: OSSV1Claim, _ now: Date) throws(ServiceFailure) {
        if claim.isPresigned {
            guard let expires = Int64(claim.date) else {
                throw .oss(403, "AccessDenied", "Invalid date (should be seconds since epoch).")
            }
            guard now.timeIntervalSince1970 <= Double(expires) else {
                var failure = ServiceFailure.oss(403, "AccessDenied", "Request has expired.")
                failure.details = [("Expires", claim.date), ("ServerTime", WireDate.documentToTheSecond(now))]
                throw failure
            }
            return
        }
        guard let date = WireDate.parseHeader(claim.date) else {
            throw .oss(403, "AccessDenied", "OSS authentication requires a valid Date.")
        }
        if abs(now.timeIntervalSince(date)) > Double(allowedSkew.components.seconds) { throw .skewed(claim.date, now) }
    }
}

/// What a request says about its own signature of the first version.
struct OSSV1Claim: Sendable {
    var accessKey: String
    var signature: String
    /// The text of the date line: an HTTP date, or the second at which a presigned request ends.
    var date: String
    var token: String?
    var isPresigned: Bool

    init(_ head: RequestHead, _ query: QueryItems) throws(ServiceFailure) {
        if let header = head.value("authorization") {
            let words = header.dropFirst("OSS ".count).split(separator: ":", omittingEmptySubsequences: false)
            guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else {
                throw .oss(400, "InvalidArgument", "The signature in Authorization header is malformed.")
            }
            accessKey = String(words[0])
            signature = String(words[1])
            date = head.value("x-oss-date") ?? head.value("date") ?? ""
            token = head.value("x-oss-security-token")
            isPresigned = false
        } else {
            guard let accessKey = query["OSSAccessKeyId"], let signature = query["Signature"],
                let expires = query["Expires"]
            else {
                throw .oss(
                    403, "AccessDenied", "Query-string authentication requires OSSAccessKeyId, Signature and Expires.")
            }
            self.accessKey = accessKey
            self.signature = signature
            date = expires
            token = query["security-token"]
            isPresigned = true
        }
    }
}

/// The lines that are signed, rebuilt from the request. They can be changed, to find out what a client signed instead.
struct OSSV1StringToSign: Sendable {
    var method: String
    var contentMD5: String
    var contentType: String
    var date: String
    /// The headers of the service, sorted.
    var headers: [(name: String, value: String)]
    /// Bucket and key as they are, not encoded.
    var resource: String
    /// The parameters that name a part of the resource or change the answer, sorted.
    var parameters: [(name: String, value: String)]

    init(_ head: RequestHead, _ address: ObjectAddress, _ query: QueryItems, _ claim: OSSV1Claim) {
        method = head.method
        contentMD5 = head.value("content-md5") ?? ""
        contentType = head.value("content-type") ?? ""
        date = claim.date
        headers = Set(head.fields.map(\.name).filter { $0.hasPrefix("x-oss-") }).sorted().map { name in
            (name, head.values(name).joined(separator: ","))
        }
        resource = "/\(address.bucket)/\(address.key)"
        parameters = query.items.filter { Self.isSigned($0.name) }.sorted { $0.name < $1.name }
    }

    var text: String {
        let lines = headers.map { "\($0.name):\($0.value)\n" }.joined()
        let items = parameters.map { $0.value.isEmpty ? $0.name : "\($0.name)=\($0.value)" }.joined(separator: "&")
        return
            "\(method)\n\(contentMD5)\n\(contentType)\n\(date)\n\(lines)\(resource)\(items.isEmpty ? "" : "?" + items)"
    }

    func signature(_ secret: String) -> String {
        Base64.encode(HMAC.sha1(text.utf8, key: Array(secret.utf8)))
    }

    static func isSigned(_ parameter: String) -> Bool {
        subresources.contains(parameter) || parameter.hasPrefix("x-oss-")
    }

    private static let subresources: Set<String> = [
        "acl", "append", "bucketInfo", "callback", "callback-var", "cleanRestoredObject", "cloudboxes",
        "continuation-token", "delete", "location", "objectMeta", "partNumber", "position", "regionList",
        "resourceGroup", "response-cache-control", "response-content-disposition", "response-content-encoding",
        "response-content-language", "response-content-type", "response-expires", "restore", "security-token",
        "sequential", "stat", "symlink", "tagging", "uploadId", "uploads", "versionId", "versioning", "versions",
    ]
}
