import TransferPrimitives

extension ObjectService {
    func createUpload(_ call: ServiceCall) throws(ServiceFailure) -> ServiceResult {
        var upload = StoredUpload(id: storage.newID(), bucket: call.bucket, key: call.key, initiated: now)
        upload.attributes = call.attributes
        upload.customerKeyMD5 = call.customerKeyMD5
        upload.forbidsOverwrite = call.forbidsOverwrite && !rules.refusesOverwriteAtCreate
        if rules.refusesOverwriteAtCreate { try checkOverwrite(call) }
        let created = upload
        let isStored = storage.state.withLock { state -> Bool in
            guard state.buckets[call.bucket] != nil else { return false }
            state.buckets[call.bucket]?.uploads[created.id] = created
            state.buckets[call.bucket]?.uploadOrder.append(created.id)
            return true
        }
        guard isStored else { throw .noSuchBucket }
        var result = ServiceResult()
        result.uploadID = upload.id
        result.encryption = upload.encryption
        return result
    }

    func uploadPart(_ call: ServiceCall, _ body: ReceivedBody) throws(ServiceFailure) -> ServiceResult {
        let number = try checkedPartNumber(call)
        let encryption = try encryption(ofUploadIn: call)
        try checkCustomerKey(encryption.customerKeyMD5, call.customerKeyMD5)
        try checkDigests(call, body)
        guard body.length <= (quirks.maximumSingleLength ?? rules.maximumPartLength) else {
            throw ServiceFailure(400, "EntityTooLarge", "The part is too large.")
        }
        let crc64 = body.content.crc64
        let etag = body.content.etag(digestLimit: digestLimit, crc64: crc64, knownMD5: body.md5)
        let part = StoredPart(number: number, content: body.content, etag: etag, crc64: crc64, lastModified: now)
        try storePart(part, call)
        var result = ServiceResult()
        result.etag = etag
        result.crc64 = part.crc64
        result.encryption = encryption
        result.contentMD5 = body.md5
        return result
    }

    func completeUpload(_ call: ServiceCall) throws(ServiceFailure) -> ServiceResult {
        let upload = try openUpload(call)
        let parts = try chosenParts(of: upload, call)
        let minimumLength = quirks.minimumPartLength ?? rules.minimumPartLength
        for part in parts.dropLast() where part.length < minimumLength {
            throw ServiceFailure(
                400, "EntityTooSmall", "Part \(part.number) has \(part.length) bytes; only the last may be that small.")
        }
        var content = ObjectContent()
        var crc64: UInt64? = 0
        var digests: [UInt8] = []
        for part in parts {
            content.append(part.content)
            crc64 = crc64.flatMap { sum in
                part.crc64.map { CRC64.combine(sum, $0, lengthOfB: part.length) }
            }
            digests += Hex.decode(part.etag) ?? Array(part.etag.utf8)
        }
        let etag = "\(Hex.encode(Digest.md5(digests)))-\(parts.count)"
        var target = call
        target.forbidsOverwrite = call.forbidsOverwrite || upload.forbidsOverwrite
        target.customerKeyMD5 = upload.customerKeyMD5
        // Taken out first, so that of two that complete at once only one finds it.
        let taken = storage.state.withLock { $0.buckets[call.bucket]?.removeUpload(upload.id) }
        guard taken != nil else { throw .noSuchUpload }
        let object: StoredObject
        do {
            object = try store(content, etag: etag, crc64: crc64, attributes: upload.attributes, target)
        } catch {
            storage.state.withLock { state in
                state.buckets[call.bucket]?.uploads[upload.id] = upload
                state.buckets[call.bucket]?.uploadOrder.append(upload.id)
            }
            throw error
        }
        var result = ServiceResult(stored: object)
        result.completedParts = parts
        return result
    }

    func abortUpload(_ call: ServiceCall) throws(ServiceFailure) -> ServiceResult {
        _ = try openUpload(call)
        let removed = storage.state.withLock { $0.buckets[call.bucket]?.removeUpload(call.uploadID) }
        guard removed != nil else { throw .noSuchUpload }
        return ServiceResult()
    }

    // MARK: Steps

    /// The upload that the call names, with the key that it was created for.
    func openUpload(_ call: ServiceCall) throws(ServiceFailure) -> StoredUpload {
        guard let upload = try bucket(call.bucket).uploads[call.uploadID], ExactKey(upload.key) == ExactKey(call.key)
        else {
            throw .noSuchUpload
        }
        return upload
    }

    /// How the named upload encrypts. Not the upload itself: holding its parts would have them copied when one is added.
    func encryption(ofUploadIn call: ServiceCall) throws(ServiceFailure) -> EncryptionNote {
        try openUpload(call).encryption
    }

    /// Refuses to write over an object when the call says so.
    private func checkOverwrite(_ call: ServiceCall) throws(ServiceFailure) {
        let bucket = try bucket(call.bucket)
        guard call.forbidsOverwrite, !(bucket.keepsVersions && rules.versionsAllowOverwrite) else { return }
        if let present = bucket.newest(call.key), !present.isDeleteMarker { throw .objectExists }
    }

    func checkedPartNumber(_ call: ServiceCall) throws(ServiceFailure) -> Int {
        guard let number = call.partNumber, number >= 1, number <= quirks.maximumPartNumber else {
            throw .invalidArgument("The part number must be 1 to \(quirks.maximumPartNumber).")
        }
        return number
    }

    func storePart(_ part: StoredPart, _ call: ServiceCall) throws(ServiceFailure) {
        let isStored = storage.state.withLock { state -> Bool in
            guard state.buckets[call.bucket]?.uploads[call.uploadID] != nil else { return false }
            state.buckets[call.bucket]?.uploads[call.uploadID]?.partsByNumber[part.number] = part
            state.storedParts["\(call.bucket)/\(call.key)", default: [:]][part.number, default: 0] += 1
            return true
        }
        guard isStored else { throw .noSuchUpload }
    }

    private func chosenParts(of upload: StoredUpload, _ call: ServiceCall) throws(ServiceFailure) -> [StoredPart] {
        if call.completesAll {
            guard !upload.partsByNumber.isEmpty else { throw ServiceFailure(400, "NoUploadPart", "There is no part.") }
            return upload.parts
        }
        guard !call.parts.isEmpty else { throw ServiceFailure(400, "MalformedBody", "The list of parts is empty.") }
        var chosen: [StoredPart] = []
        for reference in call.parts {
            if let last = chosen.last, reference.number <= last.number, !quirks.acceptsPartsOutOfOrder {
                throw ServiceFailure(
                    400, "InvalidPartOrder", "Part \(reference.number) follows part \(last.number).")
            }
            let etag = reference.etag.filter { $0 != "\"" }.lowercased()
            guard let part = upload.partsByNumber[reference.number], part.etag.lowercased() == etag else {
                throw ServiceFailure(400, "InvalidPart", "Part \(reference.number) is missing or has another ETag.")
            }
            chosen.append(part)
        }
        if quirks.acceptsPartsOutOfOrder { chosen.sort { $0.number < $1.number } }
        if quirks.completeMustListEveryPart, chosen.count != upload.partsByNumber.count {
            throw ServiceFailure(400, "InvalidPart", "Not every part of the upload is listed.")
        }
        return chosen
    }
}
