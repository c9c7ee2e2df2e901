#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension S3Dialect {
    func answer(
        _ result: ServiceResult, to call: ServiceCall, _ head: RequestHead, _ server: ServerContext
    ) -> WireAnswer {
        var answer = S3AnswerWriter(result: result, call: call, head: head, quirks: server.quirks).answer
        if call.operation == .headBucket {
            answer["x-amz-bucket-region"] = server.storage.region(of: call.bucket) ?? server.configuration.region
        }
        return answer
    }
}

/// Writes the answers of successful calls.
private struct S3AnswerWriter {
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
        case .listParts: document(S3Listing(call: call, quirks: quirks).parts(result.parts))
        case .listMultipartUploads: document(S3Listing(call: call, quirks: quirks).uploads(result.uploads))
        case .getObjectTagging: tagging
        case .deleteObject: deleted
        case .abortMultipartUpload: WireAnswer(status: 204)
        case .createBucket:
            WireAnswer(status: 200, fields: [WireAnswer.Field(name: "Location", value: "/" + call.bucket)])
        default: WireAnswer(status: 200)
        }
    }

    private func quoted(_ etag: String, _ quotes: Bool? = nil) -> String {
        quotes ?? quirks.quotesETagElsewhere ? "\"\(etag)\"" : etag
    }

    private func document(_ root: XMLText) -> WireAnswer {
        WireAnswer(
            status: 200, fields: [WireAnswer.Field(name: "Content-Type", value: "application/xml")],
            body: root.document(namespace: "http://s3.amazonaws.com/doc/2006-03-01/"))
    }

    /// What answers about one object say of its version and encryption. None names a CRC-64 of the kind that is stored.
    private func addCommon(to answer: inout WireAnswer) {
        answer["x-amz-version-id"] = result.versionID
        answer["x-amz-server-side-encryption"] = result.encryption.algorithm
        answer["x-amz-server-side-encryption-aws-kms-key-id"] = result.encryption.keyID
        if let digest = result.encryption.customerKeyMD5 {
            answer["x-amz-server-side-encryption-customer-algorithm"] = "AES256"
            answer["x-amz-server-side-encryption-customer-key-MD5"] = digest
        }
    }

    private var stored: WireAnswer {
        var answer = WireAnswer(status: 200)
        answer["ETag"] = result.etag.map { quoted($0) }
        for checksum in call.checksums { answer[checksum.name] = checksum.value }
        addCommon(to: &answer)
        return answer
    }

    private var objectRead: WireAnswer {
        guard let object = result.object else { return WireAnswer(status: 200) }
        var answer = WireAnswer(status: result.range == nil ? 200 : 206)
        answer.describe(object, prefix: "x-amz-", defaultType: "binary/octet-stream", overrides: call.overrides)
        answer["ETag"] = result.etag.map { quoted($0) }
        // The ordinary class goes without saying.
        answer["x-amz-storage-class"] = object.attributes.storageClass.flatMap { $0 == "STANDARD" ? nil : $0 }
        answer["x-amz-website-redirect-location"] = object.attributes.websiteRedirectLocation
        addCommon(to: &answer)
        answer.send(object, result.range, isHead: call.operation == .headObject)
        return answer
    }

    private func copied(_ root: String) -> WireAnswer {
        let date = result.lastModified ?? Date(timeIntervalSince1970: 0)
        var answer = document(
            XMLText(
                root,
                [
                    XMLText("LastModified", WireDate.documentToTheSecond(date)),
                    XMLText("ETag", result.etag.map { quoted($0, quirks.quotesETagInCopyResults) } ?? ""),
                ]))
        addCommon(to: &answer)
        answer["x-amz-copy-source-version-id"] = result.sourceVersionID
        return answer
    }

    private var created: WireAnswer {
        var answer = document(
            XMLText(
                "InitiateMultipartUploadResult",
                [
                    XMLText("Bucket", call.bucket), XMLText("Key", call.key),
                    XMLText("UploadId", result.uploadID ?? ""),
                ]))
        addCommon(to: &answer)
        return answer
    }

    private var completed: WireAnswer {
        let path = PercentCoding.encode(PercentCoding.decode(head.rawPath) ?? [], keepingSlash: true)
        let etag = quirks.namesETagOfCompleted ? result.etag.map { quoted($0) } : nil
        var answer = document(
            XMLText(
                "CompleteMultipartUploadResult",
                [
                    XMLText("Location", "http://\(head.value("host") ?? "")\(path)"), XMLText("Bucket", call.bucket),
                    XMLText("Key", call.key), XMLText("ETag", etag ?? ""),
                ]))
        addCommon(to: &answer)
        return answer
    }

    private var tagging: WireAnswer {
        var answer = document(.tagging(result.tagging))
        answer["x-amz-version-id"] = result.versionID
        return answer
    }

    private var deleted: WireAnswer {
        var answer = WireAnswer(status: 204)
        answer["x-amz-version-id"] = result.versionID
        if result.isDeleteMarker { answer["x-amz-delete-marker"] = "true" }
        return answer
    }
}
