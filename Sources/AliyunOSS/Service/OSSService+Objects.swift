internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

extension OSSService {
    func headObject(_ request: OSSRequest, _ context: FailureContext) async throws -> Answer<ObjectHead> {
        try await send(request, context) { response in
            try Self.checkOrigin(of: response)
            guard let info = ObjectInfo(response.headers) else {
                throw Self.malformed(response, "the answer states no length")
            }
            return Answer(ObjectHead(info, response.headers), response)
        }
    }

    func getObject(
        _ request: OSSRequest, range: ByteRange?, _ context: FailureContext, into sink: some PartSink
    ) async throws -> Answer<ObjectHead> {
        let receiver = ObjectReceiver(sink, range: range) { headers throws(TransferError) in
            guard headers.text(OSSHeader.requestID) != nil else {
                throw TransferError(.malformedResponse, "the answer has no request id: it does not come from OSS")
            }
        }
        return try await send(request, context, sink: receiver) { response in
            let info = try receiver.finish { ObjectInfo(size: $0, response.headers) }
            return Answer(ObjectHead(info, response.headers), response)
        }
    }

    func putObject(_ request: OSSRequest, _ context: FailureContext, hasCallback: Bool) async throws -> TransferReceipt
    {
        let length = request.body.length
        return try await send(request, context) { response in
            // Before anything else: what is stored is not to be stored again.
            if response.status == 203 { throw Self.callbackFailure(response, size: length) }
            guard var receipt = TransferReceipt(byHeadersOf: response, size: length) else {
                throw Self.malformed(response, "the answer has no ETag")
            }
            try response.checkSentCRC64(receipt.checksums.crc64)
            if response.sentCRC64 != nil, receipt.checksums.crc64 != nil { receipt.verification = .crc64 }
            if hasCallback { receipt.callbackResponse = String(decoding: response.body, as: UTF8.self) }
            return receipt
        }
    }

    func copyObject(_ request: OSSRequest, _ context: FailureContext) async throws -> CopyAnswer {
        try await send(request, context) { try CopyAnswer($0, root: "CopyObjectResult") }
    }

    func deleteObject(_ request: OSSRequest, _ context: FailureContext) async throws -> Answer<HTTPHeaders> {
        try await send(request, context) { response in
            try Self.checkOrigin(of: response)
            return Answer(response.headers, response)
        }
    }
}

/// What is known of an object, in the engine's words and beyond them.
struct ObjectHead: Sendable {
    let info: ObjectInfo
    /// `Normal`, `Multipart`, `Appendable`, `Symlink`.
    let objectType: String?
    let serverSideEncryption: String?
    let serverSideEncryptionKeyID: String?

    init(_ info: ObjectInfo, _ headers: HTTPHeaders) {
        self.info = info
        objectType = headers.text(OSSHeader.objectType)
        serverSideEncryption = headers.text(OSSHeader.encryption)
        serverSideEncryptionKeyID = headers.text(OSSHeader.encryptionKeyID)
    }
}
