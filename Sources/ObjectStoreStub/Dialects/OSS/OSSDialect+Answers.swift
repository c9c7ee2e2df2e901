import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension OSSDialect {
    func answer(
        _ result: ServiceResult, to call: ServiceCall, _ head: RequestHead, _ server: ServerContext
    ) -> WireAnswer {
        let writer = OSSAnswerWriter(result: result, call: call, head: head, quirks: server.quirks)
        let answer = writer.answer
        let isStored = call.operation == .putObject || call.operation == .completeMultipartUpload
        return isStored && Self.hasCallback(head) ? writer.afterCallback(answer) : answer
    }
}

/// Writes the answers of successful calls.
private struct OSSAnswerWriter {
    let result: ServiceResult
    let call: ServiceCall
    let head: RequestHead
    let quirks: Quirks

    var answer: WireAnswer {
        switch call.operation {
        case .putObject, .uploadPart: stored
        case .getObject, .headObject: objectRead
        case .copyObject: copied("CopyObjectResult")
        case .uploadPartCopy: copied("CopyPartResult")
        case .createMultipartUpload: created
        case .completeMultipartUpload: completed
        case .listParts: document(OSSListing(call: call, quirks: quirks).parts(result.parts))
        case .listMultipartUploads: document(OSSListing(call: call, quirks: quirks).uploads(result.uploads))
        case .getObjectTagging: document(.tagging(result.tagging))
        case .deleteObject: deleted
        case .abortMultipartUpload: WireAnswer(status: 204)
        default: WireAnswer(status: 200)
        }
    }

    /// The same with the words of the server that was called in place of the document.
    func afterCallback(_ answer: WireAnswer) -> WireAnswer {
        var answer = answer
        answer["Content-Type"] = "application/json"
        answer.text = "{\"Status\":\"OK\"}"
        return answer
    }

    private func quoted(_ etag: String, _ quotes: Bool? = nil) -> String {
        let etag = OSSETag.onWire(etag)
        return quotes ?? quirks.quotesETagElsewhere ? "\"\(etag)\"" : etag
    }

    private func document(_ root: XMLText) -> WireAnswer {
        let namespace = quirks.namesXMLNamespace ? "http://doc.oss-cn-hangzhou.aliyuncs.com" : nil
        return WireAnswer(
            status: 200, fields: [WireAnswer.Field(name: "Content-Type", value: "application/xml")],
            body: root.document(namespace: namespace))
    }

    private func addCommon(to answer: inout WireAnswer, checksum: Bool) {
        if checksum, quirks.reportsChecksums, let crc64 = result.crc64 {
            answer["x-oss-hash-crc64ecma"] = String(crc64)
        }
        answer["x-oss-version-id"] = result.versionID
        answer["x-oss-server-side-encryption"] = result.encryption.algorithm
        answer["x-oss-server-side-data-encryption"] = result.encryption.dataAlgorithm
        answer["x-oss-server-side-encryption-key-id"] = result.encryption.keyID
    }

    private var stored: WireAnswer {
        var answer = WireAnswer(status: 200)
        answer["ETag"] = result.etag.map { quoted($0) }
        answer["Content-MD5"] = result.contentMD5.map { Base64.encode($0) }
        addCommon(to: &answer, checksum: true)
        return answer
    }

    private var objectRead: WireAnswer {
        guard let object = result.object else { return WireAnswer(status: 200) }
        var answer = WireAnswer(status: result.range == nil ? 200 : 206)
        answer.describe(
            object, prefix: "x-oss-", defaultType: "application/octet-stream", overrides: call.overrides)
        answer["ETag"] = result.etag.map { quoted($0) }
        answer["x-oss-storage-class"] = object.attributes.storageClass ?? "Standard"
        answer["x-oss-object-type"] = object.kind?.rawValue ?? (object.etag.contains("-") ? "Multipart" : "Normal")
        addCommon(to: &answer, checksum: true)
        answer.send(object, result.range, isHead: call.operation == .headObject)
        return answer
    }

    private func copied(_ root: String) -> WireAnswer {
        let etag = result.etag.map { quoted($0, quirks.quotesETagInCopyResults) }
        let date = result.lastModified ?? Date(timeIntervalSince1970: 0)
        var answer = document(
            XMLText(
                root, [XMLText("LastModified", WireDate.documentToTheSecond(date)), XMLText("ETag", etag ?? "")]))
        // Not in the manual, and yet where official clients look for it.
        answer["ETag"] = etag
        // A copy does not report its checksum.
        addCommon(to: &answer, checksum: false)
        answer["x-oss-copy-source-version-id"] = result.sourceVersionID
        return answer
    }

    private var created: WireAnswer {
        let listing = OSSListing(call: call, quirks: quirks)
        var answer = document(
            XMLText(
                "InitiateMultipartUploadResult",
                listing.encodingType + [
                    XMLText("Bucket", call.bucket), XMLText("Key", listing.key(call.key)),
                    XMLText("UploadId", result.uploadID ?? ""),
                ]))
        addCommon(to: &answer, checksum: false)
        return answer
    }

    private var completed: WireAnswer {
        let listing = OSSListing(call: call, quirks: quirks)
        let etag = quirks.namesETagOfCompleted ? result.etag.map { quoted($0) } : nil
        let path = PercentCoding.encode(PercentCoding.decode(head.rawPath) ?? [], keepingSlash: true)
        var answer = document(
            XMLText(
                "CompleteMultipartUploadResult",
                listing.encodingType + [
                    XMLText("Location", "http://\(head.value("host") ?? "")\(path)"), XMLText("Bucket", call.bucket),
                    XMLText("Key", listing.key(call.key)), XMLText("ETag", etag ?? ""),
                ]))
        answer["ETag"] = etag
        addCommon(to: &answer, checksum: true)
        return answer
    }

    private var deleted: WireAnswer {
        var answer = WireAnswer(status: 204)
        answer["x-oss-version-id"] = result.versionID
        if result.isDeleteMarker { answer["x-oss-delete-marker"] = "true" }
        return answer
    }
}
