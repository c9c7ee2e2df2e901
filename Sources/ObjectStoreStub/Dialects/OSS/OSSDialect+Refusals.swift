import TransferPrimitives

extension ServiceFailure {
    /// A refusal that is in the words of OSS already.
    static func oss(_ status: Int, _ code: String, _ message: String, ec: String? = nil) -> ServiceFailure {
        var failure = ServiceFailure(status, code, message, ec: ec)
        failure.isVerbatim = true
        return failure
    }
}

extension OSSDialect {
    func answer(
        _ failure: ServiceFailure, _ head: RequestHead, requestID: String, _ server: ServerContext
    ) -> WireAnswer {
        let failure = translated(failure, head, server)
        var answer = WireAnswer(status: failure.status)
        answer.code = failure.code
        guard answer.mayHaveBody else { return answer }
        answer["x-oss-ec"] = failure.ec
        var members = [
            ("Code", failure.code), ("Message", failure.message), ("RequestId", requestID.uppercased()),
            ("HostId", head.value("host") ?? ""),
        ]
        members += failure.details.map { ($0.name, $0.value) }
        if let ec = failure.ec { members.append(("EC", ec)) }
        if head.method == "HEAD" {
            answer["x-oss-err"] = Base64.encode(XMLText("Error", members.map { XMLText($0.0, $0.1) }).document())
            return answer
        }
        if let ec = failure.ec { members.append(("RecommendDoc", "https://api.aliyun.com/troubleshoot?q=\(ec)")) }
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

    /// A refusal of the shared operations in the codes and words of OSS.
    private func translated(_ failure: ServiceFailure, _ head: RequestHead, _ server: ServerContext) -> ServiceFailure {
        guard !failure.isVerbatim else { return failure }
        var failure = failure
        failure.ec = nil
        let address = try? readAddress(head, server)
        let query = QueryItems(head.rawQuery)
        switch failure.code {
        case "NoSuchKey", "NoSuchVersion":
            if failure.code == "NoSuchKey" { failure.ec = "0026-00000001" }
            failure.details = [("Key", address?.key ?? "")]
        case "NoSuchBucket":
            failure.ec = "0015-00000101"
            failure.details = [("BucketName", address?.bucket ?? "")]
        case "NoSuchUpload":
            failure.ec = ["PUT": "0017-00000244", "POST": "0042-00000203"][head.method]
            failure.details = [("UploadId", query?["uploadId"] ?? "")]
        case "ObjectAlreadyExists":
            failure.code = "FileAlreadyExists"
            failure.details = [("Key", address?.key ?? "")]
        case "MalformedBody":
            failure.code = "MalformedXML"
        case "BadDigest":
            failure.code = "InvalidDigest"
        case "NoUploadPart":
            failure.code = "InvalidPart"
        case "InvalidPartOrder":
            failure.ec = "0042-00000209"
        case "EntityTooSmall":
            failure.message = "Your proposed upload smaller than the minimum allowed size."
        case "AccessDenied":
            failure.ec = "0003-00000001"
        default:
            translateSignatureFailure(&failure, head, server)
        }
        return failure
    }

    private func translateSignatureFailure(
        _ failure: inout ServiceFailure, _ head: RequestHead, _ server: ServerContext
    ) {
        switch failure.code {
        case "SignatureDoesNotMatch":
            failure.ec = "0002-00000040"
            failure.details = failure.details.flatMap { detail in
                switch detail.name {
                case "AccessKeyId": [("OSSAccessKeyId", detail.value)]
                case "StringToSign": [detail, ("StringToSignBytes", Self.hexadecimal(detail.value))]
                default: [detail]
                }
            }
        case "InvalidAccessKeyId":
            failure.ec = "0002-00000002"
        case "ExpiredToken":
            failure.code = "SecurityTokenExpired"
            failure.ec = "0002-00000007"
            failure.message = "The security token you provided has expired."
            // The whole token, as the service itself does: a trap for whatever logs bodies.
            failure.details = [("SecurityToken", sessionToken(head) ?? "")]
        case "InvalidSecurityToken":
            translateTokenFailure(&failure, sessionToken(head), server)
        case "RequestTimeTooSkewed":
            translateSkewFailure(&failure, head, server)
        default: break
        }
    }

    private func translateTokenFailure(_ failure: inout ServiceFailure, _ token: String?, _ server: ServerContext) {
        if token == nil {
            // Without its token the key of a session is one that nobody knows.
            failure.code = "InvalidAccessKeyId"
            failure.ec = "0002-00000002"
            failure.message = "The OSS Access Key Id you provided does not exist in our records."
        } else if server.accounts.all.contains(where: { $0.hasToken(token) }) {
            failure.code = "AccessKeyIdAndSecurityTokenNotMatch"
            failure.ec = "0002-00000004"
            failure.message = "The access key id and the security token do not match."
        } else {
            failure.ec = "0002-00000006"
        }
    }

    private func translateSkewFailure(_ failure: inout ServiceFailure, _ head: RequestHead, _ server: ServerContext) {
        if QueryItems(head.rawQuery)?.contains(V4Scheme.oss4.query.signature) == true {
            failure.code = "AccessDenied"
            failure.ec = "0002-00000235"
            failure.message = "The request is dated too far in the future."
            failure.details = []
        } else if server.quirks.reportsSkewAsSigningDate {
            failure.status = 400
            failure.code = "InvalidArgument"
            failure.message = "Invalid signing date in Authorization header."
            failure.details = []
        } else {
            failure.ec = "0002-00000504"
            failure.details = failure.details.map { detail in
                guard detail.name == "RequestTime" else { return detail }
                let date = WireDate.parseCompact(detail.value) ?? WireDate.parseHeader(detail.value)
                return (detail.name, date.map { WireDate.documentToTheSecond($0) } ?? detail.value)
            }
            let limit = server.configuration.allowedSkew.components.seconds
            failure.details.insert(("MaxAllowedSkewMilliseconds", String(limit * 1_000)), at: 0)
        }
    }

    /// `47 45 54`: so that what cannot be seen in a string to sign can be.
    private static func hexadecimal(_ text: String) -> String {
        text.utf8.map { Hex.encode(CollectionOfOne($0)).uppercased() }.joined(separator: " ")
    }
}
