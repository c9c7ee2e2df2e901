internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

/// An answer's result, with what the service's support asks for.
struct Answer<Value: Sendable>: Sendable {
    let value: Value
    let info: TOSResponseInfo
}

extension TOSService {
    /// HEAD answers a refusal without a document. Where the reason decides what to do, the same question is put as a GET
    /// of one byte, whose refusal says it: an expired token and a skewed clock are then repaired, and the HEAD repeated.
    func headObject(_ request: TOSRequest, _ context: FailureContext) async throws -> Answer<ObjectInfo> {
        do {
            return try await sendHead(request, context)
        } catch let refusal as TransferError
            where refusal.service?.code == nil && [400, 403].contains(refusal.service?.status)
        {
            try await askForReason(request, context)
            return try await sendHead(request, context)
        }
    }

    private func sendHead(_ request: TOSRequest, _ context: FailureContext) async throws -> Answer<ObjectInfo> {
        try await send(request, context) { response in
            guard let info = ObjectInfo(response.headers) else {
                throw Self.malformed(response, "the answer states no length")
            }
            return Answer(value: info, info: TOSResponseInfo(response))
        }
    }

    /// Returns when the object can be read; throws what the service says otherwise.
    private func askForReason(_ head: TOSRequest, _ context: FailureContext) async throws {
        var request = TOSRequest(
            .getObject, .get, ObjectLocation(bucket: head.bucket, key: head.key))
        request.query = head.query
        var fields = HeaderFields(head.headers)
        try fields.add("range", "Range", "bytes=0-0")
        request.headers = fields.headers
        do {
            try await send(request, context, sink: DiscardingSink()) { _ in }
        } catch let error as TransferError where error.service?.status == 416 {
            // An empty object has no first byte, but it may be read.
        }
    }

    func getObject(
        _ request: TOSRequest, range: ByteRange?, _ context: FailureContext, into sink: some PartSink
    ) async throws -> Answer<ObjectInfo> {
        let receiver = ObjectReceiver(sink, range: range)
        return try await send(request, context, sink: receiver) { response in
            let info = try receiver.finish { ObjectInfo(size: $0, response.headers) }
            return Answer(value: info, info: TOSResponseInfo(response))
        }
    }

    func putObject(_ request: TOSRequest, _ context: FailureContext) async throws -> TransferReceipt {
        let length = request.body.length
        return try await send(request, context) { response in
            guard var receipt = TransferReceipt(byHeadersOf: response, size: length) else {
                throw Self.malformed(response, "the answer has no ETag")
            }
            if response.status == 203 { throw Self.callbackFailure(response, receipt) }
            try response.checkSentCRC64(receipt.checksums.crc64)
            if response.sentCRC64 != nil, receipt.checksums.crc64 != nil { receipt.verification = .crc64 }
            return receipt
        }
    }

    func copyObject(_ request: TOSRequest, _ context: FailureContext) async throws -> CopyAnswer {
        try await send(request, context) { try CopyAnswer($0) }
    }

    func deleteObject(_ request: TOSRequest, _ context: FailureContext) async throws -> Answer<HTTPHeaders> {
        try await send(request, context) { Answer(value: $0.headers, info: TOSResponseInfo($0)) }
    }

    func objectTags(_ object: ObjectLocation) async throws -> [String: String] {
        try await send(.getObjectTagging(object), FailureContext(operation: .getObjectTagging, object: object)) {
            try Self.document(TaggingDocument.self, in: $0).tags
        }
    }
}
