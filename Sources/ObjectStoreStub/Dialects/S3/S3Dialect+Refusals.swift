extension S3Dialect {
    func answer(
        _ failure: ServiceFailure, _ head: RequestHead, requestID: String, _ server: ServerContext
    ) -> WireAnswer {
        let failure = translated(failure, head, server)
        var answer = WireAnswer(status: failure.status)
        answer.code = failure.code
        guard answer.mayHaveBody else { return answer }
        answer["x-amz-ec"] = failure.ec
        var members = [("Code", failure.code), ("Message", failure.message)]
        members += failure.details.map { ($0.name, $0.value) }
        members += [
            ("Resource", String(head.rawPath)), ("RequestId", requestID.uppercased()), ("HostId", Self.hostID),
        ]
        if let ec = failure.ec { members.append(("EC", ec)) }
        if server.quirks.wrapsErrors {
            answer["Content-Type"] = "application/json"
            let error = JSONText.object(members.map { ($0.0, JSONText.string($0.1)) })
            answer.body = .bytes(JSONText.object([("Error", error)]).bytes)
        } else {
            answer["Content-Type"] = "application/xml"
            answer.body = .bytes(XMLText("Error", members.map { XMLText($0.0, $0.1) }).document())
        }
        return answer
    }

    /// A refusal of the shared operations in the codes of S3.
    private func translated(_ failure: ServiceFailure, _ head: RequestHead, _ server: ServerContext) -> ServiceFailure {
        guard !failure.isVerbatim else { return failure }
        var failure = failure
        let address = try? readAddress(head, server)
        let query = QueryItems(head.rawQuery)
        switch failure.code {
        case "NoSuchKey": failure.details = [("Key", address?.key ?? "")]
        case "NoSuchVersion":
            failure.details = [("Key", address?.key ?? ""), ("VersionId", query?["versionId"] ?? "")]
        case "NoSuchBucket": failure.details = [("BucketName", address?.bucket ?? "")]
        case "NoSuchUpload": failure.details = [("UploadId", query?["uploadId"] ?? "")]
        case "MalformedBody": failure.code = "MalformedXML"
        case "ContentSHA256Mismatch": failure.code = "XAmzContentSHA256Mismatch"
        case "ObjectAlreadyExists":
            failure.status = 412
            failure.code = "PreconditionFailed"
            failure.details = [("Condition", "If-None-Match")]
        case "InvalidRange":
            if let range = head.value("x-amz-copy-source-range") {
                failure.status = 400
                failure.code = "InvalidArgument"
                failure.details = [("ArgumentName", "x-amz-copy-source-range"), ("ArgumentValue", range)]
            } else {
                failure.details = [("RangeRequested", head.value("range") ?? "")]
            }
        default: translateSignatureFailure(&failure, head, server)
        }
        return failure
    }

    private func translateSignatureFailure(
        _ failure: inout ServiceFailure, _ head: RequestHead, _ server: ServerContext
    ) {
        switch failure.code {
        case "SignatureDoesNotMatch":
            failure.details = failure.details.map { ($0.name == "AccessKeyId" ? "AWSAccessKeyId" : $0.name, $0.value) }
        case "RequestTimeTooSkewed":
            let limit = server.configuration.allowedSkew.components.seconds
            failure.details.append(("MaxAllowedSkewMilliseconds", String(limit * 1_000)))
        case "ExpiredToken":
            failure.status = 400
            failure.message = "The provided token has expired."
            // The whole token, as the service itself does: a trap for whatever logs bodies.
            failure.details = [("Token-0", sessionToken(head) ?? "")]
        case "InvalidSecurityToken":
            if let token = sessionToken(head) {
                failure.status = 400
                failure.code = "InvalidToken"
                failure.details = [("Token-0", token)]
            } else {
                // Without its token the key of a session is one that nobody knows.
                failure.code = "InvalidAccessKeyId"
            }
        default: break
        }
    }
}
