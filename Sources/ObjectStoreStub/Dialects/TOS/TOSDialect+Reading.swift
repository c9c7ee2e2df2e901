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
        var call = ServiceCall(operation: Self.operation(head, address, query), bucket: address.bucket)
        call.key = address.key
        call.versionID = query["versionId"]
        call.uploadID = query["uploadId"] ?? ""
        if let number = query["partNumber"] {
            guard let number = Int(number) else { throw .invalidArgument("partNumber is not a number.") }
            call.partNumber = number
        }
        call.attributes = Self.attributes(head)
        call.customerKeyMD5 = try Self.customerKey(head, "x-tos-server-side-encryption-customer-")
        call.forbidsOverwrite = head.value("x-tos-forbid-overwrite")?.lowercased() == "true"
        call.completesAll = head.value("x-tos-complete-all")?.lowercased() == "yes"
        call.conditions = try Self.conditions(head, "if-")
        if let ifMatch = head.value("x-tos-if-match") { call.conditions.ifMatch = ifMatch }
        if head.value("x-tos-metadata-directive")?.uppercased() == "REPLACE" { call.metadataDirective = .replace }
        if head.value("x-tos-tagging-directive")?.uppercased() == "REPLACE" { call.taggingDirective = .replace }
        if let source = head.value("x-tos-copy-source") {
            call.copySource = try Self.copySource(source, head, decodesTwice: server.quirks.decodesCopySourceTwice)
        }
        if call.operation == .getObject { call.range = head.value("range").flatMap { RequestedRange($0) } }
        if let digest = head.value("content-md5") {
            guard let bytes = Data(base64Encoded: digest), bytes.count == 16 else {
                throw ServiceFailure(400, "InvalidDigest", "Content-MD5 is not a digest.")
            }
            call.contentMD5 = Array(bytes)
        }
        if let payload = head.value("x-tos-content-sha256"), let digest = Hex.decode(payload), digest.count == 32 {
            call.contentSHA256 = digest
        }
        call.page = try Self.page(query)
        call.overrides = query.items.compactMap { item in
            guard item.name.hasPrefix("response-") else { return nil }
            return WireAnswer.Field(name: String(item.name.dropFirst(9)), value: item.value)
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
        let isPart = query.contains("partNumber") && query.contains("uploadId")
        let isCopy = head.value("x-tos-copy-source") != nil
        switch head.method {
        case "PUT": return isPart ? (isCopy ? .uploadPartCopy : .uploadPart) : (isCopy ? .copyObject : .putObject)
        case "POST" where query.contains("uploads"): return .createMultipartUpload
        case "POST" where query.contains("uploadId"): return .completeMultipartUpload
        case "GET" where query.contains("uploadId"): return .listParts
        case "GET" where query.contains("tagging"): return .getObjectTagging
        case "GET": return .getObject
        case "HEAD": return .headObject
        case "DELETE": return query.contains("uploadId") ? .abortMultipartUpload : .deleteObject
        default: return .unknown
        }
    }

    private static func attributes(_ head: RequestHead) -> ObjectAttributes {
        var attributes = ObjectAttributes()
        attributes.contentType = head.value("content-type")
        attributes.cacheControl = head.value("cache-control")
        attributes.contentDisposition = head.value("content-disposition")
        attributes.contentEncoding = head.value("content-encoding")
        attributes.contentLanguage = head.value("content-language")
        attributes.expires = head.value("expires")
        attributes.storageClass = head.value("x-tos-storage-class")
        attributes.acl = head.value("x-tos-acl")
        attributes.tagging = head.value("x-tos-tagging")
        attributes.websiteRedirectLocation = head.value("x-tos-website-redirect-location")
        attributes.serverSideEncryption = head.value("x-tos-server-side-encryption")
        attributes.encryptionKeyID = head.value("x-tos-server-side-encryption-kms-key-id")
        for field in head.fields {
            if field.name.hasPrefix("x-tos-meta-") {
                attributes.metadata[String(field.name.dropFirst(11))] = field.value
            } else if field.name.hasPrefix("x-tos-grant-") {
                attributes.grants[String(field.name.dropFirst(6))] = field.value
            }
        }
        return attributes
    }

    private static func conditions(_ head: RequestHead, _ prefix: String) throws(ServiceFailure) -> Conditions {
        func date(_ name: String) throws(ServiceFailure) -> Date? {
            guard let text = head.value(prefix + name) else { return nil }
            guard let date = WireDate.parseHeader(text) else {
                throw .invalidArgument("\(prefix)\(name) is not a date.")
            }
            return date
        }
        var conditions = Conditions()
        conditions.ifMatch = head.value(prefix + "match")
        conditions.ifNoneMatch = head.value(prefix + "none-match")
        conditions.ifModifiedSince = try date("modified-since")
        conditions.ifUnmodifiedSince = try date("unmodified-since")
        return conditions
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
        source.conditions = try conditions(head, "x-tos-copy-source-if-")
        source.customerKeyMD5 = try customerKey(head, "x-tos-copy-source-server-side-encryption-customer-")
        return source
    }

    private static func page(_ query: QueryItems) throws(ServiceFailure) -> ServiceCall.Page {
        func number(_ name: String) throws(ServiceFailure) -> Int? {
            guard let text = query[name] else { return nil }
            guard let number = Int(text), number >= 0 else { throw .invalidArgument("\(name) is not a number.") }
            return number
        }
        var page = ServiceCall.Page()
        let maxParts = try number("max-parts")
        let maxUploads = try number("max-uploads")
        let partNumberMarker = try number("part-number-marker")
        page.limit = maxParts ?? maxUploads
        page.partNumberMarker = partNumberMarker ?? 0
        page.prefix = query["prefix"] ?? ""
        page.delimiter = query["delimiter"] ?? ""
        page.keyMarker = query["key-marker"] ?? ""
        page.uploadIDMarker = query["upload-id-marker"] ?? ""
        page.encodesKeys = query["encoding-type"] == "url"
        return page
    }
}
