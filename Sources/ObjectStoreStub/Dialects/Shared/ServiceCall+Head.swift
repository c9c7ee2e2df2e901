import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ServiceCall {
    /// Takes from a head what dialects with a header prefix of their own say alike.
    ///
    /// - Parameter prefix: `x-tos-` and the like.
    init(
        _ operation: StoreOperation, _ head: RequestHead, _ address: ObjectAddress, _ query: QueryItems, prefix: String
    ) throws(ServiceFailure) {
        self.init(operation: operation, bucket: address.bucket)
        key = address.key
        versionID = query["versionId"]
        uploadID = query["uploadId"] ?? ""
        if let number = query["partNumber"] {
            guard let number = Int(number) else { throw .invalidArgument("partNumber is not a number.") }
            partNumber = number
        }
        attributes = ObjectAttributes(head, prefix: prefix)
        conditions = try Conditions(head, "if-")
        forbidsOverwrite = head.value(prefix + "forbid-overwrite")?.lowercased() == "true"
        completesAll = head.value(prefix + "complete-all")?.lowercased() == "yes"
        if head.value(prefix + "metadata-directive")?.uppercased() == "REPLACE" { metadataDirective = .replace }
        if head.value(prefix + "tagging-directive")?.uppercased() == "REPLACE" { taggingDirective = .replace }
        if operation == .getObject { range = head.value("range").flatMap { RequestedRange($0) } }
        if let digest = head.value("content-md5") {
            guard let bytes = Base64.decode(digest), bytes.count == 16 else {
                throw ServiceFailure(400, "InvalidDigest", "Content-MD5 is not a digest.")
            }
            contentMD5 = bytes
        }
        page = try Page(query)
        for item in query.items where Self.overridable.contains(item.name) {
            // Else a line feed would end the header line, and begin one of the client's own.
            guard item.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw .invalidArgument("\(item.name) holds a control character.")
            }
            overrides.append(WireAnswer.Field(name: String(item.name.dropFirst("response-".count)), value: item.value))
        }
    }
}

extension ServiceCall {
    /// The parameters by which a request says with which headers it wants to be answered.
    private static let overridable: Set<String> = [
        "response-content-type", "response-cache-control", "response-content-disposition", "response-content-encoding",
        "response-content-language", "response-expires",
    ]
}

extension StoreOperation {
    /// What a request about an object asks for.
    static func onObject(_ method: String, _ query: QueryItems, isCopy: Bool) -> StoreOperation {
        let isPart = query.contains("partNumber") && query.contains("uploadId")
        switch method {
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
}

extension ServiceCall.Page {
    init(_ query: QueryItems) throws(ServiceFailure) {
        func number(_ name: String) throws(ServiceFailure) -> Int? {
            // An official client sends the name of a marker that it does not have with an empty value.
            guard let text = query[name], !text.isEmpty else { return nil }
            guard let number = Int(text), number >= 0 else { throw .invalidArgument("\(name) is not a number.") }
            return number
        }
        let maxParts = try number("max-parts")
        let maxUploads = try number("max-uploads")
        limit = maxParts ?? maxUploads
        partNumberMarker = try number("part-number-marker") ?? 0
        prefix = query["prefix"] ?? ""
        delimiter = query["delimiter"] ?? ""
        keyMarker = query["key-marker"] ?? ""
        uploadIDMarker = query["upload-id-marker"] ?? ""
        encodesKeys = query["encoding-type"] == "url"
    }
}

extension Conditions {
    /// - Parameter prefix: what stands before `match` and the other three: `if-` for the object itself.
    init(_ head: RequestHead, _ prefix: String) throws(ServiceFailure) {
        func date(_ name: String) throws(ServiceFailure) -> Date? {
            guard let text = head.value(prefix + name) else { return nil }
            guard let date = WireDate.parseHeader(text) else {
                throw .invalidArgument("\(prefix)\(name) is not a date.")
            }
            return date
        }
        ifMatch = head.value(prefix + "match")
        ifNoneMatch = head.value(prefix + "none-match")
        ifModifiedSince = try date("modified-since")
        ifUnmodifiedSince = try date("unmodified-since")
    }
}
