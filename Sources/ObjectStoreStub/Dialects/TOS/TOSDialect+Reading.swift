import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension TOSDialect {
    func readCall(
        _ head: RequestHead, _ address: ObjectAddress, _ server: ServerContext
    ) throws(ServiceFailure) -> ServiceCall {
        guard let query = QueryItems(head.rawQuery) else { throw .invalidArgument("The query cannot be decoded.") }
        let operation = Self.operation(head, address, query)
        var call = try ServiceCall(operation, head, address, query, prefix: "x-tos-")
        call.attributes.acl = head.value("x-tos-acl")
        call.attributes.websiteRedirectLocation = head.value("x-tos-website-redirect-location")
        call.attributes.encryptionKeyID = head.value("x-tos-server-side-encryption-kms-key-id")
        for field in head.fields where field.name.hasPrefix("x-tos-grant-") {
            call.attributes.grants[String(field.name.dropFirst(6))] = field.value
        }
        call.customerKeyMD5 = try Self.customerKey(head, "x-tos-server-side-encryption-customer-")
        if let ifMatch = head.value("x-tos-if-match") { call.conditions.ifMatch = ifMatch }
        if let source = head.value("x-tos-copy-source") {
            call.copySource = try Self.copySource(source, head, decodesTwice: server.quirks.decodesCopySourceTwice)
        }
        if let payload = head.value("x-tos-content-sha256"), let digest = Hex.decode(payload), digest.count == 32 {
            call.contentSHA256 = digest
        }
        return call
    }

    func readDocument(_ document: [UInt8], into call: inout ServiceCall) throws(ServiceFailure) {
        struct Listed: Decodable {
            struct Part: Decodable {
                let number: Int
                let etag: String
                enum CodingKeys: String, CodingKey {
                    case number = "PartNumber"
                    case etag = "ETag"
                }
            }
            let parts: [Part]
            enum CodingKeys: String, CodingKey { case parts = "Parts" }
        }
        guard call.operation == .completeMultipartUpload else { return }
        guard !call.completesAll else {
            throw .invalidArgument("x-tos-complete-all and a list of parts exclude each other.")
        }
        do {
            let listed = try JSONDecoder().decode(Listed.self, from: Data(document))
            call.parts = listed.parts.map { ServiceCall.PartReference(number: $0.number, etag: $0.etag) }
        } catch {
            throw ServiceFailure(400, "MalformedBody", "The body is not a list of parts.")
        }
    }

    private static func operation(_ head: RequestHead, _ address: ObjectAddress, _ query: QueryItems) -> StoreOperation
    {
        if address.key.isEmpty {
            switch head.method {
            case "GET" where query.contains("uploads"): return .listMultipartUploads
            case "HEAD": return .headBucket
            default: return .unknown
            }
        }
        return .onObject(head.method, query, isCopy: head.value("x-tos-copy-source") != nil)
    }

    /// Base64 of the MD5 of the customer's key, once algorithm, key and digest agree. The key goes no further.
    private static func customerKey(_ head: RequestHead, _ prefix: String) throws(ServiceFailure) -> String? {
        let algorithm = head.value(prefix + "algorithm")
        let key = head.value(prefix + "key")
        let digest = head.value(prefix + "key-md5")
        if algorithm == nil && key == nil && digest == nil { return nil }
        guard algorithm == "AES256" else {
            throw .invalidArgument("The customer's encryption algorithm must be AES256.")
        }
        guard let bytes = key.flatMap({ Data(base64Encoded: $0) }), bytes.count == 32 else {
            throw .invalidArgument("The customer's key must be 32 bytes in base64.")
        }
        guard digest == Data(Digest.md5(bytes)).base64EncodedString() else {
            throw .invalidArgument("The MD5 of the customer's key does not match the key.")
        }
        return digest
    }

    /// Reads `/bucket/key?versionId=id` in every encoding that clients are known to send.
    private static func copySource(
        _ text: String, _ head: RequestHead, decodesTwice: Bool
    ) throws(ServiceFailure) -> ServiceCall.CopySource {
        let malformed = ServiceFailure.invalidArgument("The copy source cannot be read.")
        let rawPath = text.prefix { $0 != "?" }
        let rawQuery = text.dropFirst(rawPath.count + 1)
        guard var path = PercentCoding.decodeText(rawPath, plusIsSpace: true) else { throw malformed }
        if decodesTwice {
            guard let again = PercentCoding.decodeText(path, plusIsSpace: true) else { throw malformed }
            path = again
        }
        if path.hasPrefix("/") { path.removeFirst() }
        let bucket = path.prefix { $0 != "/" }
        let key = path.dropFirst(bucket.count + 1)
        guard !bucket.isEmpty, !key.isEmpty else { throw malformed }
        var source = ServiceCall.CopySource(bucket: String(bucket), key: String(key))
        source.text = text
        if rawQuery.hasPrefix("versionId=") {
            guard let versionID = PercentCoding.decodeText(rawQuery.dropFirst(10)) else { throw malformed }
            source.versionID = versionID
        } else if !rawQuery.isEmpty {
            throw malformed
        }
        if let range = head.value("x-tos-copy-source-range") {
            guard let range = RequestedRange(range) else {
                throw .invalidArgument("The copy source's range is malformed.")
            }
            source.range = range
        }
        source.rangeText = head.value("x-tos-copy-source-range")
        source.conditions = try Conditions(head, "x-tos-copy-source-if-")
        source.customerKeyMD5 = try customerKey(head, "x-tos-copy-source-server-side-encryption-customer-")
        return source
    }
}
