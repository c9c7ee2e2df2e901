import TransferPrimitives

extension ObjectService {
    func copyObject(_ call: ServiceCall) throws(ServiceFailure) -> ServiceResult {
        guard let source = call.copySource else { throw .invalidArgument("No copy source.") }
        let original = try sourceObject(source, into: call.bucket)
        guard original.length <= (quirks.maximumSingleLength ?? rules.maximumCopyLength) else {
            throw ServiceFailure(400, "EntityTooLarge", "The source is too large for a single copy.")
        }
        var attributes = call.metadataDirective == .replace ? call.attributes : original.attributes
        if call.metadataDirective == .copy {
            // The directive keeps what describes the content; rights, class and encryption are the new object's own.
            attributes.acl = call.attributes.acl
            attributes.grants = call.attributes.grants
            attributes.storageClass = call.attributes.storageClass
            attributes.serverSideEncryption = call.attributes.serverSideEncryption
            attributes.encryptionKeyID = call.attributes.encryptionKeyID
            attributes.websiteRedirectLocation = call.attributes.websiteRedirectLocation
            attributes.expiresAfterDays = call.attributes.expiresAfterDays
        }
        attributes.tagging = call.taggingDirective == .replace ? call.attributes.tagging : original.attributes.tagging
        let changesItself =
            rules.copiesOntoItself || call.metadataDirective == .replace
            || attributes.storageClass != original.attributes.storageClass
        if source.bucket == call.bucket, ExactKey(source.key) == ExactKey(call.key), source.versionID == nil,
            !changesItself
        {
            throw ServiceFailure(
                400, "InvalidRequest", "An object is copied onto itself only to change its metadata or storage class.")
        }
        let etag = original.content.etag(digestLimit: digestLimit, crc64: original.crc64)
        let object = try store(original.content, etag: etag, crc64: original.crc64, attributes: attributes, call)
        var result = ServiceResult(stored: object)
        result.sourceVersionID = original.versionID
        return result
    }

    func uploadPartCopy(_ call: ServiceCall) throws(ServiceFailure) -> ServiceResult {
        guard let source = call.copySource else { throw .invalidArgument("No copy source.") }
        let number = try checkedPartNumber(call)
        let encryption = try encryption(ofUploadIn: call)
        let original = try sourceObject(source, into: call.bucket)
        try checkCustomerKey(encryption.customerKeyMD5, call.customerKeyMD5)
        if original.kind == .appendable {
            throw ServiceFailure(400, "InvalidRequest", "An appendable object cannot be copied in parts.")
        }
        var content = original.content
        if let range = source.range {
            guard let range = range.resolvedStrictly(in: original.length) else { throw .invalidRange }
            content = original.content.slice(range)
        }
        guard content.length <= (quirks.maximumSingleLength ?? rules.maximumPartLength) else {
            throw ServiceFailure(400, "EntityTooLarge", "The part is too large.")
        }
        let crc64 = content.crc64
        let part = StoredPart(
            number: number, content: content, etag: content.etag(digestLimit: digestLimit, crc64: crc64), crc64: crc64,
            lastModified: now)
        try storePart(part, call)
        var result = ServiceResult()
        result.etag = part.etag
        result.lastModified = now
        result.sourceVersionID = original.versionID
        result.encryption = encryption
        return result
    }

    /// The copy source, once it may be read and its conditions hold.
    private func sourceObject(
        _ source: ServiceCall.CopySource, into target: String
    ) throws(ServiceFailure) -> StoredObject {
        let target = try bucket(target)
        let bucket = try bucket(source.bucket)
        guard (bucket.region ?? rules.region) == (target.region ?? rules.region) else {
            throw ServiceFailure(400, "InvalidCrossRegionCopy", "Source and destination lie in different regions.")
        }
        if let versionID = source.versionID, bucket.version(versionID, of: source.key)?.isDeleteMarker == true {
            throw ServiceFailure(400, "InvalidRequest", "The version of the copy source is a delete marker.")
        }
        let object = try found(source.bucket, source.key, source.versionID)
        if object.isArchived { throw .archived }
        try checkCustomerKey(object.customerKeyMD5, source.customerKeyMD5)
        if quirks.honoursCopyConditions,
            source.conditions.verdict(etag: object.etag, lastModified: object.lastModified) != .holds
        {
            throw .preconditionFailed
        }
        return object
    }
}
