import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension OSSDialect {
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
        try Self.checkHeaders(head, call.operation)
        call.attributes = Self.attributes(head)
        call.forbidsOverwrite = head.value("x-oss-forbid-overwrite")?.lowercased() == "true"
        call.completesAll = head.value("x-oss-complete-all")?.lowercased() == "yes"
        call.conditions = try Self.conditions(head, "if-")
        if head.value("x-oss-metadata-directive")?.uppercased() == "REPLACE" { call.metadataDirective = .replace }
        if head.value("x-oss-tagging-directive")?.uppercased() == "REPLACE" { call.taggingDirective = .replace }
        if let source = head.value("x-oss-copy-source") { call.copySource = try Self.copySource(source, head) }
        if call.operation == .getObject { call.range = head.value("range").flatMap { RequestedRange($0) } }
        call.wantsStandardRanges = head.value("x-oss-range-behavior") == "standard"
        if let digest = head.value("content-md5") {
            guard let bytes = Base64.decode(digest), bytes.count == 16 else {
                throw .oss(400, "InvalidDigest", "The Content-MD5 you specified was invalid.")
            }
            call.contentMD5 = bytes
        }
        call.page = try Self.page(query)
        call.overrides = query.items.compactMap { item in
            guard item.name.hasPrefix("response-") else { return nil }
            return WireAnswer.Field(name: String(item.name.dropFirst(9)), value: item.value)
        }
        return call
    }

    func readDocument(_ document: [UInt8], into call: inout ServiceCall) throws(ServiceFailure) {
        guard call.operation == .completeMultipartUpload else { return }
        guard !call.completesAll else {
            throw .invalidArgument("x-oss-complete-all and a list of parts exclude each other.")
        }
        let malformed = ServiceFailure.oss(
            400, "MalformedXML", "The XML you provided was not well-formed or did not validate.")
        let root: XMLText
        do { root = try XMLTextReader.read(document) } catch { throw malformed }
        guard root.name == "CompleteMultipartUpload" else { throw malformed }
        for part in root["Part"] {
            guard let number = part["PartNumber"].first.flatMap({ Int($0.text.filter { !$0.isWhitespace }) }),
                let etag = part["ETag"].first?.text.filter({ !$0.isWhitespace }), part["ETag"].count == 1,
                part["PartNumber"].count == 1
            else { throw malformed }
            call.parts.append(ServiceCall.PartReference(number: number, etag: OSSETag.stored(etag)))
        }
    }

    private static func operation(
        _ head: RequestHead, _ address: ObjectAddress, _ query: QueryItems
    ) -> StoreOperation {
        if address.key.isEmpty {
            return head.method == "GET" && query.contains("uploads") ? .listMultipartUploads : .unknown
        }
        let isPart = query.contains("partNumber") && query.contains("uploadId")
        let isCopy = head.value("x-oss-copy-source") != nil
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
        attributes.storageClass = head.value("x-oss-storage-class")
        attributes.acl = head.value("x-oss-object-acl")
        attributes.tagging = head.value("x-oss-tagging")
        attributes.serverSideEncryption = head.value("x-oss-server-side-encryption")
        attributes.dataEncryption = head.value("x-oss-server-side-data-encryption")
        attributes.encryptionKeyID = head.value("x-oss-server-side-encryption-key-id")
        for field in head.fields where field.name.hasPrefix("x-oss-meta-") {
            attributes.metadata[String(field.name.dropFirst(11))] = field.value
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
        conditions.ifMatch = head.value(prefix + "match").map { OSSETag.stored(list: $0) }
        conditions.ifNoneMatch = head.value(prefix + "none-match").map { OSSETag.stored(list: $0) }
        conditions.ifModifiedSince = try date("modified-since")
        conditions.ifUnmodifiedSince = try date("unmodified-since")
        return conditions
    }

    /// Reads `/bucket/key?versionId=id`, its path percent-encoded.
    private static func copySource(
        _ text: String, _ head: RequestHead
    ) throws(ServiceFailure) -> ServiceCall.CopySource {
        let malformed = ServiceFailure.invalidArgument("The copy source cannot be read.")
        let rawPath = text.prefix { $0 != "?" }
        let rawQuery = text.dropFirst(rawPath.count + 1)
        guard text.hasPrefix("/"), let path = PercentCoding.decodeText(rawPath.dropFirst()) else { throw malformed }
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
        source.rangeText = head.value("x-oss-copy-source-range")
        if let range = source.rangeText {
            guard let range = RequestedRange(range) else {
                throw .invalidArgument("The copy source's range is malformed.")
            }
            source.range = range
        }
        source.conditions = try conditions(head, "x-oss-copy-source-if-")
        return source
    }

    private static func page(_ query: QueryItems) throws(ServiceFailure) -> ServiceCall.Page {
        func number(_ name: String) throws(ServiceFailure) -> Int? {
            // An official client sends the name of a marker that it does not have with an empty value.
            guard let text = query[name], !text.isEmpty else { return nil }
            guard let number = Int(text), number >= 0 else { throw .invalidArgument("\(name) is not a number.") }
            return number
        }
        var page = ServiceCall.Page()
        let maxParts = try number("max-parts")
        let maxUploads = try number("max-uploads")
        page.limit = maxParts ?? maxUploads
        page.partNumberMarker = try number("part-number-marker") ?? 0
        page.prefix = query["prefix"] ?? ""
        page.delimiter = query["delimiter"] ?? ""
        page.keyMarker = query["key-marker"] ?? ""
        page.uploadIDMarker = query["upload-id-marker"] ?? ""
        page.encodesKeys = query["encoding-type"] == "url"
        return page
    }
}
