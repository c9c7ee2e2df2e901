extension OSSDialect {
    func readCall(
        _ head: RequestHead, _ address: ObjectAddress, _ server: ServerContext
    ) throws(ServiceFailure) -> ServiceCall {
        guard let query = QueryItems(head.rawQuery) else { throw .invalidArgument("The query cannot be decoded.") }
        let operation = Self.operation(head, address, query)
        var call = try ServiceCall(operation, head, address, query, prefix: "x-oss-")
        try Self.checkHeaders(head, call.operation)
        call.attributes.acl = head.value("x-oss-object-acl")
        call.attributes.dataEncryption = head.value("x-oss-server-side-data-encryption")
        call.attributes.encryptionKeyID = head.value("x-oss-server-side-encryption-key-id")
        call.conditions = call.conditions.withStoredETags
        if let source = head.value("x-oss-copy-source") { call.copySource = try Self.copySource(source, head) }
        call.wantsStandardRanges = head.value("x-oss-range-behavior") == "standard"
        return call
    }

    func readDocument(_ document: [UInt8], into call: inout ServiceCall) throws(ServiceFailure) {
        guard call.operation == .completeMultipartUpload else { return }
        guard !call.completesAll else {
            throw .invalidArgument("x-oss-complete-all and a list of parts exclude each other.")
        }
        guard let parts = ServiceCall.PartReference.list(document) else {
            throw .oss(400, "MalformedXML", "The XML you provided was not well-formed or did not validate.")
        }
        call.parts = parts.map { ServiceCall.PartReference(number: $0.number, etag: OSSETag.stored($0.etag)) }
    }

    private static func operation(
        _ head: RequestHead, _ address: ObjectAddress, _ query: QueryItems
    ) -> StoreOperation {
        if address.key.isEmpty {
            return head.method == "GET" && query.contains("uploads") ? .listMultipartUploads : .unknown
        }
        return .onObject(head.method, query, isCopy: head.value("x-oss-copy-source") != nil)
    }

    /// Reads `/bucket/key?versionId=id`, its path percent-encoded.
    private static func copySource(
        _ text: String, _ head: RequestHead
    ) throws(ServiceFailure) -> ServiceCall.CopySource {
        let malformed = ServiceFailure.invalidArgument("The copy source cannot be read.")
        let rawPath = text.prefix { $0 != "?" }
        let rawQuery = text.dropFirst(rawPath.count + 1)
        guard text.hasPrefix("/"), let path = PercentCoding.decodeText(rawPath.dropFirst()) else { throw malformed }
        // By bytes: a slash and a combining mark behind it are one character.
        let bucket = Substring(path.utf8.prefix { $0 != UInt8(ascii: "/") })
        let key = Substring(path.utf8.dropFirst(bucket.utf8.count + 1))
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
        source.conditions = try Conditions(head, "x-oss-copy-source-if-").withStoredETags
        return source
    }
}

extension Conditions {
    /// The same with ETags as the storage keeps them.
    fileprivate var withStoredETags: Conditions {
        var conditions = self
        conditions.ifMatch = ifMatch.map { OSSETag.stored(list: $0) }
        conditions.ifNoneMatch = ifNoneMatch.map { OSSETag.stored(list: $0) }
        return conditions
    }
}
