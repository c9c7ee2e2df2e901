import TransferPrimitives

extension S3Dialect {
    func readCall(
        _ head: RequestHead, _ address: ObjectAddress, _ server: ServerContext
    ) throws(ServiceFailure) -> ServiceCall {
        guard let query = QueryItems(head.rawQuery) else { throw .invalidArgument("The query cannot be decoded.") }
        let operation = Self.operation(head, address, query)
        try Self.checkHeaders(head)
        try Self.checkFraming(head, server.quirks)
        var call = try ServiceCall(operation, head, address, query, prefix: "x-amz-")
        call.attributes.contentEncoding = Self.contentEncoding(head)
        call.attributes.acl = head.value("x-amz-acl")
        call.attributes.websiteRedirectLocation = head.value("x-amz-website-redirect-location")
        call.attributes.encryptionKeyID = head.value("x-amz-server-side-encryption-aws-kms-key-id")
        for field in head.fields where field.name.hasPrefix("x-amz-grant-") {
            call.attributes.grants[String(field.name.dropFirst(6))] = field.value
        }
        call.customerKeyMD5 = try CustomerKey.digest(head, "x-amz-server-side-encryption-customer-")
        // S3 knows neither of the two headers; what it knows is a condition.
        call.completesAll = false
        call.forbidsOverwrite = call.conditions.ifNoneMatch == "*"
        call.copySource = try Self.copySource(head, operation, server.quirks)
        if let payload = head.value(V4Scheme.aws4.payloadHeader), payload != V4Claim.unsignedPayload,
            payload != Self.trailerPayload
        {
            guard let digest = Hex.decode(payload), digest.count == 32 else {
                throw .invalidArgument(
                    "x-amz-content-sha256 must be \(V4Claim.unsignedPayload) or the SHA-256 of the body.")
            }
            call.contentSHA256 = digest
        }
        return call
    }

    func readDocument(_ document: [UInt8], into call: inout ServiceCall) throws(ServiceFailure) {
        guard call.operation == .completeMultipartUpload else { return }
        guard let parts = ServiceCall.PartReference.list(document) else {
            throw ServiceFailure(400, "MalformedXML", "The XML is not well-formed or not a list of parts.")
        }
        call.parts = parts
    }

    private static func operation(
        _ head: RequestHead, _ address: ObjectAddress, _ query: QueryItems
    ) -> StoreOperation {
        guard address.key.isEmpty else {
            return .onObject(head.method, query, isCopy: head.value("x-amz-copy-source") != nil)
        }
        switch head.method {
        case "GET" where query.contains("uploads"): return .listMultipartUploads
        case "HEAD": return .headBucket
        case "PUT" where query.items.allSatisfy({ $0.name.hasPrefix("X-Amz-") }): return .createBucket
        default: return .unknown
        }
    }

    private static func copySource(
        _ head: RequestHead, _ operation: StoreOperation, _ quirks: Quirks
    ) throws(ServiceFailure) -> ServiceCall.CopySource? {
        let source = try ServiceCall.CopySource(
            head, prefix: "x-amz-", decodesTwice: quirks.decodesCopySourceTwice && operation == .uploadPartCopy)
        if let range = source?.range {
            guard case .within = range else {
                throw .invalidArgument("x-amz-copy-source-range must be of the form bytes=first-last.")
            }
        }
        return source
    }

    private static let allowedValues: [(name: String, values: Set<String>)] = [
        ("x-amz-metadata-directive", ["COPY", "REPLACE"]),
        ("x-amz-tagging-directive", ["COPY", "REPLACE"]),
        ("x-amz-server-side-encryption", ["AES256", "aws:kms", "aws:kms:dsse", "kms"]),
        (
            "x-amz-acl",
            [
                "private", "public-read", "public-read-write", "authenticated-read", "aws-exec-read",
                "bucket-owner-read",
                "bucket-owner-full-control", "default",
            ]
        ),
    ]

    private static func checkHeaders(_ head: RequestHead) throws(ServiceFailure) {
        for (name, values) in allowedValues {
            guard let value = head.value(name), !values.contains(value) else { continue }
            throw .invalidArgument("\(name) cannot be \(value).")
        }
    }
}
