#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension TOSDialect {
    func answer(
        _ result: ServiceResult, to call: ServiceCall, _ head: RequestHead, _ server: ServerContext
    ) -> WireAnswer {
        let writer = TOSAnswerWriter(result: result, call: call, head: head, quirks: server.quirks)
        return writer.answer
    }

    func answer(
        _ failure: ServiceFailure, _ head: RequestHead, requestID: String, _ server: ServerContext
    ) -> WireAnswer {
        var members: [(String, JSONText)] = [
            ("Code", .string(failure.code)), ("Message", .string(failure.message)), ("RequestId", .string(requestID)),
            ("HostId", .string("stub")), ("Resource", .string(String(head.rawPath))),
        ]
        if let ec = failure.ec { members.append(("EC", .string(ec))) }
        members += failure.details.map { ($0.name, JSONText.string($0.value)) }
        let document = JSONText.object(members)
        var answer = WireAnswer(
            status: failure.status,
            fields: [WireAnswer.Field(name: "Content-Type", value: "application/json")],
            body: (server.quirks.wrapsErrors ? .object([("Error", document)]) : document).bytes)
        answer["x-tos-ec"] = failure.ec
        return answer
    }
}

/// Writes the answers of successful calls.
private struct TOSAnswerWriter {
    let result: ServiceResult
    let call: ServiceCall
    let head: RequestHead
    let quirks: Quirks

    var answer: WireAnswer {
        switch call.operation {
        case .putObject, .uploadPart: stored
        case .getObject, .headObject: objectRead
        case .copyObject, .uploadPartCopy: copied
        case .createMultipartUpload: created
        case .completeMultipartUpload: completed
        case .listParts: parts
        case .listMultipartUploads: uploads
        case .getObjectTagging: tagging
        case .deleteObject: deleted
        case .abortMultipartUpload: WireAnswer(status: 204)
        default: WireAnswer(status: 200)
        }
    }

    private func quoted(_ etag: String, _ quotes: Bool) -> String { quotes ? "\"\(etag)\"" : etag }

    private func key(_ key: String) -> JSONText {
        .string(call.page.encodesKeys ? PercentCoding.encode(key.utf8) : key)
    }

    /// The member that says that keys are percent-encoded.
    private var encodingType: [(String, JSONText)] { call.page.encodesKeys ? [("EncodingType", .string("url"))] : [] }

    private func document(_ members: [(String, JSONText)]) -> WireAnswer {
        WireAnswer(
            status: 200, fields: [WireAnswer.Field(name: "Content-Type", value: "application/json")],
            body: JSONText.object(members).bytes)
    }

    private func addCommon(to answer: inout WireAnswer, checksum: Bool) {
        if checksum, quirks.reportsChecksums, let crc64 = result.crc64 {
            answer["x-tos-hash-crc64ecma"] = String(crc64)
        }
        answer["x-tos-version-id"] = result.versionID
        if let digest = result.encryption.customerKeyMD5 {
            answer["x-tos-server-side-encryption-customer-algorithm"] = "AES256"
            answer["x-tos-server-side-encryption-customer-key-MD5"] = digest
        }
    }

    private var stored: WireAnswer {
        var answer = WireAnswer(status: 200)
        answer["ETag"] = result.etag.map { quoted($0, quirks.quotesETagElsewhere) }
        addCommon(to: &answer, checksum: true)
        return answer
    }

    private var objectRead: WireAnswer {
        guard let object = result.object else { return WireAnswer(status: 200) }
        var answer = WireAnswer(status: result.range == nil ? 200 : 206)
        let attributes = object.attributes
        answer.describe(object, prefix: "x-tos-", defaultType: "binary/octet-stream", overrides: call.overrides)
        if object.kind != .appendable { answer["ETag"] = result.etag.map { quoted($0, quirks.quotesETagElsewhere) } }
        answer["x-tos-storage-class"] = attributes.storageClass
        answer["x-tos-object-type"] = object.kind?.rawValue
        answer["x-tos-website-redirect-location"] = attributes.websiteRedirectLocation
        answer["x-tos-expiration"] = expiration(of: object)
        answer["x-tos-server-side-encryption"] = attributes.serverSideEncryption
        answer["x-tos-server-side-encryption-kms-key-id"] = attributes.encryptionKeyID
        addCommon(to: &answer, checksum: true)
        answer.send(object, result.range, isHead: call.operation == .headObject)
        return answer
    }

    /// When an object that is not kept for ever goes: at the end of its last day.
    private func expiration(of object: StoredObject) -> String? {
        guard let days = object.attributes.expiresAfterDays else { return nil }
        let day = (object.lastModified.timeIntervalSince1970 / 86_400).rounded(.down)
        let date = Date(timeIntervalSince1970: (day + Double(days) + 1) * 86_400)
        return "expiry-date=\"\(WireDate.header(date))\""
    }

    private var copied: WireAnswer {
        var answer = document([
            ("ETag", result.etag.map { .string(quoted($0, quirks.quotesETagInCopyResults)) } ?? .string("")),
            ("LastModified", .string(WireDate.document(result.lastModified ?? Date(timeIntervalSince1970: 0)))),
        ])
        // A part copy does not report the part's checksum; the manual names it for neither.
        addCommon(to: &answer, checksum: false)
        answer["x-tos-copy-source-version-id"] = result.sourceVersionID
        return answer
    }

    private var created: WireAnswer {
        var answer = document(
            encodingType + [
                ("Bucket", .string(call.bucket)), ("Key", key(call.key)), ("UploadId", .string(result.uploadID ?? "")),
            ])
        addCommon(to: &answer, checksum: false)
        return answer
    }

    private var completed: WireAnswer {
        let etag = quirks.namesETagOfCompleted ? result.etag.map { quoted($0, quirks.quotesETagElsewhere) } : nil
        let location =
            "http://\(head.value("host") ?? "")\(PercentCoding.encode(PercentCoding.decode(head.rawPath) ?? [], keepingSlash: true))"
        var members: [(String, JSONText)] = [
            ("Bucket", .string(call.bucket)), ("Key", key(call.key)), ("ETag", .string(etag ?? "")),
            ("Location", .string(location)),
        ]
        if call.completesAll {
            members.append(
                (
                    "CompletedParts",
                    .array(
                        result.completedParts.map {
                            .object([
                                ("PartNumber", .integer(Int64($0.number))), ("ETag", .string(quoted($0.etag, true))),
                            ])
                        })
                ))
        }
        var answer = document(members)
        addCommon(to: &answer, checksum: true)
        return answer
    }

    private var deleted: WireAnswer {
        var answer = WireAnswer(status: 204)
        answer["x-tos-version-id"] = result.versionID
        if result.isDeleteMarker { answer["x-tos-delete-marker"] = "true" }
        return answer
    }

    private var parts: WireAnswer {
        guard let page = result.parts else { return WireAnswer(status: 200) }
        return document(
            encodingType + [
                ("Bucket", .string(call.bucket)), ("Key", key(call.key)), ("UploadId", .string(page.upload.id)),
                ("PartNumberMarker", .integer(Int64(call.page.partNumberMarker))),
                ("NextPartNumberMarker", .integer(Int64(page.nextMarker))), ("MaxParts", .integer(Int64(page.limit))),
                ("IsTruncated", .boolean(page.isTruncated)),
                ("StorageClass", .string(page.upload.attributes.storageClass ?? "STANDARD")), ("Owner", owner),
                (
                    "Parts",
                    .array(
                        page.parts.map { part in
                            .object([
                                ("PartNumber", .integer(Int64(part.number))),
                                ("LastModified", .string(WireDate.document(part.lastModified))),
                                ("ETag", .string(quoted(part.etag, quirks.quotesETagElsewhere))),
                                ("Size", .unsigned(part.length)),
                            ])
                        })
                ),
            ])
    }

    private var uploads: WireAnswer {
        guard let page = result.uploads else { return WireAnswer(status: 200) }
        return document(
            encodingType + [
                ("Bucket", .string(call.bucket)), ("Prefix", key(call.page.prefix)),
                ("KeyMarker", key(call.page.keyMarker)),
                ("UploadIdMarker", .string(call.page.uploadIDMarker)), ("Delimiter", key(call.page.delimiter)),
                ("MaxUploads", .integer(Int64(page.limit))), ("IsTruncated", .boolean(page.isTruncated)),
                ("NextKeyMarker", key(page.nextKeyMarker)), ("NextUploadIdMarker", .string(page.nextUploadIDMarker)),
                ("CommonPrefixes", .array(page.commonPrefixes.map { .object([("Prefix", key($0))]) })),
                (
                    "Uploads",
                    .array(
                        page.uploads.map { upload in
                            .object([
                                ("Key", key(upload.key)), ("UploadId", .string(upload.id)),
                                ("StorageClass", .string(upload.attributes.storageClass ?? "STANDARD")),
                                ("Owner", owner),
                                ("Initiated", .string(WireDate.document(upload.initiated))),
                            ])
                        })
                ),
            ])
    }

    private var owner: JSONText { .object([("ID", .string("1000001")), ("DisplayName", .string("1000001"))]) }

    private var tagging: WireAnswer {
        let tags = ObjectAttributes.tags(result.tagging ?? "").map { tag in
            JSONText.object([("Key", .string(tag.key)), ("Value", .string(tag.value))])
        }
        return document([("TagSet", .object([("Tags", .array(tags))]))])
    }
}
