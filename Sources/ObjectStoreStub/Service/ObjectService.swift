import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Performs object operations on the storage, by rules that all dialects share.
struct ObjectService: Sendable {
    let storage: ObjectStorage
    let rules: ServiceRules
    let quirks: Quirks
    let digestLimit: UInt64
    let now: Date

    func perform(_ call: ServiceCall, _ body: ReceivedBody) throws(ServiceFailure) -> ServiceResult {
        switch call.operation {
        case .putObject: try putObject(call, body)
        case .getObject: try getObject(call)
        case .headObject: try headObject(call)
        case .deleteObject: try deleteObject(call)
        case .copyObject: try copyObject(call)
        case .createMultipartUpload: try createUpload(call)
        case .uploadPart: try uploadPart(call, body)
        case .uploadPartCopy: try uploadPartCopy(call)
        case .completeMultipartUpload: try completeUpload(call)
        case .abortMultipartUpload: try abortUpload(call)
        case .listParts: try listParts(call)
        case .listMultipartUploads: try listUploads(call)
        case .getObjectTagging: try getTagging(call)
        case .createBucket: try createBucket(call)
        case .headBucket: try headBucket(call)
        default: throw .notImplemented
        }
    }

    // MARK: Single objects

    private func putObject(_ call: ServiceCall, _ body: ReceivedBody) throws(ServiceFailure) -> ServiceResult {
        try checkDigests(call, body)
        let crc64 = body.content.crc64
        let etag = body.content.etag(digestLimit: digestLimit, crc64: crc64, knownMD5: body.md5)
        let object = try store(body.content, etag: etag, crc64: crc64, attributes: call.attributes, call)
        var result = ServiceResult(stored: object)
        result.contentMD5 = body.md5
        return result
    }

    private func headObject(_ call: ServiceCall) throws(ServiceFailure) -> ServiceResult {
        let object = try readable(call)
        var result = ServiceResult(stored: object)
        result.object = object
        if let range = call.range { result.range = try resolved(range, in: object.length, call) }
        return result
    }

    /// The bytes of an object to send; nil for the whole of it.
    private func resolved(
        _ range: RequestedRange, in length: UInt64, _ call: ServiceCall
    ) throws(ServiceFailure) -> Range<UInt64>? {
        if rules.ignoresImpossibleRanges, !call.wantsStandardRanges { return range.resolvedStrictly(in: length) }
        guard let range = range.resolved(in: length) else { throw .invalidRange }
        return range
    }

    private func getObject(_ call: ServiceCall) throws(ServiceFailure) -> ServiceResult {
        let result = try headObject(call)
        if result.object?.isArchived == true { throw .archived }
        if result.object?.content.isReadable == false { throw .contentNotKept }
        return result
    }

    private func getTagging(_ call: ServiceCall) throws(ServiceFailure) -> ServiceResult {
        let object = try found(call.bucket, call.key, call.versionID)
        var result = ServiceResult(stored: object)
        result.tagging = object.attributes.tagging ?? ""
        return result
    }

    private func createBucket(_ call: ServiceCall) throws(ServiceFailure) -> ServiceResult {
        guard Bucket.isName(call.bucket) else {
            throw ServiceFailure(400, "InvalidBucketName", "The bucket's name is not valid.")
        }
        let isNew = storage.state.withLock { state in
            guard state.buckets[call.bucket] == nil else { return false }
            state.buckets[call.bucket] = Bucket(name: call.bucket)
            return true
        }
        guard isNew else { throw ServiceFailure(409, "BucketAlreadyOwnedByYou", "The bucket exists already.") }
        return ServiceResult()
    }

    private func headBucket(_ call: ServiceCall) throws(ServiceFailure) -> ServiceResult {
        _ = try bucket(call.bucket)
        return ServiceResult()
    }

    private func deleteObject(_ call: ServiceCall) throws(ServiceFailure) -> ServiceResult {
        let markerID = storage.newID()
        let key = ExactKey(call.key)
        let now = now
        let outcome = storage.state.withLock { state -> Result<ServiceResult, ServiceFailure> in
            guard var bucket = state.buckets[call.bucket] else { return .failure(.noSuchBucket) }
            var result = ServiceResult()
            if let versionID = call.versionID {
                let removed = bucket.version(versionID, of: call.key)
                bucket.versions[key]?.removeAll { $0.versionID == removed?.versionID && removed != nil }
                result.versionID = versionID
                result.isDeleteMarker = removed?.isDeleteMarker ?? false
            } else if bucket.keepsVersions {
                var marker = StoredObject(
                    bucket: call.bucket, key: call.key, content: ObjectContent(), etag: "", lastModified: now)
                marker.isDeleteMarker = true
                result.versionID = bucket.store(marker, versionID: markerID).versionID
                result.isDeleteMarker = true
            } else {
                bucket.versions[key] = nil
            }
            if bucket.versions[key]?.isEmpty == true { bucket.versions[key] = nil }
            state.buckets[call.bucket] = bucket
            return .success(result)
        }
        return try outcome.get()
    }

    // MARK: Shared steps

    func bucket(_ name: String) throws(ServiceFailure) -> Bucket {
        guard let bucket = storage.state.withLock({ $0.buckets[name] }) else { throw .noSuchBucket }
        return bucket
    }

    /// The object a read means, or why there is none to see.
    func found(_ bucketName: String, _ key: String, _ versionID: String?) throws(ServiceFailure) -> StoredObject {
        let bucket = try bucket(bucketName)
        if let versionID {
            guard let object = bucket.version(versionID, of: key) else { throw .noSuchVersion }
            if object.isDeleteMarker { throw .methodNotAllowed }
            return object
        }
        guard let object = bucket.newest(key), !object.isDeleteMarker else { throw .noSuchKey }
        return object
    }

    private func readable(_ call: ServiceCall) throws(ServiceFailure) -> StoredObject {
        let object = try found(call.bucket, call.key, call.versionID)
        try checkCustomerKey(object.customerKeyMD5, call.customerKeyMD5)
        switch call.conditions.verdict(etag: object.etag, lastModified: object.lastModified) {
        case .holds: return object
        case .preconditionFailed: throw .preconditionFailed
        case .notModified: throw .notModified
        }
    }

    func checkCustomerKey(_ stored: String?, _ given: String?) throws(ServiceFailure) {
        if stored == given { return }
        guard stored != nil else { throw .invalidArgument("The object is not encrypted with a customer's key.") }
        guard given != nil else {
            throw ServiceFailure(
                400, "InvalidRequest", "The object is encrypted with a customer's key; none was given.")
        }
        throw ServiceFailure(403, "AccessDenied", "The customer's key is not the one that encrypts the object.")
    }

    func checkDigests(_ call: ServiceCall, _ body: ReceivedBody) throws(ServiceFailure) {
        if let claimed = call.contentMD5, claimed != body.md5 {
            throw .wrongContentMD5
        }
        if let claimed = call.contentSHA256, claimed != body.sha256 { throw .wrongContentSHA256 }
    }

    /// Puts a finished object in its place, heeding what the call says about overwriting.
    func store(
        _ content: ObjectContent, etag: String, crc64: UInt64?, attributes: ObjectAttributes, _ call: ServiceCall
    ) throws(ServiceFailure) -> StoredObject {
        var object = StoredObject(
            bucket: call.bucket, key: call.key, content: content, etag: etag, crc64: crc64, lastModified: now)
        object.attributes = attributes
        object.customerKeyMD5 = call.customerKeyMD5
        let stored = object
        let versionID = storage.newID()
        let conditions = call.conditions
        let versionsAllowOverwrite = rules.versionsAllowOverwrite
        let outcome = storage.state.withLock { state -> Result<StoredObject, ServiceFailure> in
            guard let bucket = state.buckets[call.bucket] else { return .failure(.noSuchBucket) }
            let present = bucket.newest(call.key).flatMap { $0.isDeleteMarker ? nil : $0 }
            let mayOverwrite = !call.forbidsOverwrite || (bucket.keepsVersions && versionsAllowOverwrite)
            if !mayOverwrite && present != nil { return .failure(.objectExists) }
            if conditions.ifMatch != nil {
                guard let present, conditions.verdict(etag: present.etag, lastModified: present.lastModified) == .holds
                else { return .failure(.preconditionFailed) }
            }
            guard let stored = state.buckets[call.bucket]?.store(stored, versionID: versionID) else {
                return .failure(.noSuchBucket)
            }
            return .success(stored)
        }
        return try outcome.get()
    }
}

extension ServiceResult {
    /// What every answer about one object carries.
    init(stored object: StoredObject) {
        self.init()
        etag = object.etag
        crc64 = object.crc64
        lastModified = object.lastModified
        versionID = object.versionID
        encryption = object.encryption
    }
}

extension StoredObject {
    var encryption: EncryptionNote { EncryptionNote(attributes, customerKeyMD5: customerKeyMD5) }
}

extension StoredUpload {
    var encryption: EncryptionNote { EncryptionNote(attributes, customerKeyMD5: customerKeyMD5) }
}
