package import TransferCore
package import TransferHTTP
internal import TransferPrimitives
package import TransferService

extension S3Service {
    /// HEAD answers a refusal without a document. Where the reason decides what to do, the same question is put as a GET
    /// of one byte, whose refusal says it: an expired token and a skewed clock are then repaired, and the HEAD repeated.
    package func headObject(_ request: S3Request, _ context: FailureContext) async throws -> Answer<ObjectInfo> {
        do {
            return try await sendHead(request, context)
        } catch let refusal as TransferError
            where refusal.service?.code == nil && [400, 403].contains(refusal.service?.status)
        {
            try await askForReason(request, context)
            return try await sendHead(request, context)
        }
    }

    private func sendHead(_ request: S3Request, _ context: FailureContext) async throws -> Answer<ObjectInfo> {
        try await send(request, context) { response in
            guard isOfObject(response.headers) else { throw malformed(response, Self.notOfService) }
            guard let info = ObjectInfo(response.headers, dialect) else {
                throw malformed(response, "the answer states no length")
            }
            return answer(info, response)
        }
    }

    /// Returns when the object can be read; throws what the service says otherwise.
    private func askForReason(_ head: S3Request, _ context: FailureContext) async throws {
        var request = S3Request(.getObject, .get, ObjectLocation(bucket: head.bucket, key: head.key))
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

    package func getObject(
        _ request: S3Request, range: ByteRange?, _ context: FailureContext, into sink: some PartSink
    ) async throws -> Answer<ObjectInfo> {
        let receiver = ObjectReceiver(sink, range: range) { headers throws(TransferError) in
            guard isOfObject(headers) else {
                throw TransferError(.malformedResponse, Self.notOfService, retry: .backoff)
            }
        }
        return try await send(request, context, sink: receiver) { response in
            let info = try receiver.finish { ObjectInfo(size: $0, response.headers, dialect) }
            return answer(info, response)
        }
    }

    package func putObject(
        _ request: S3Request, _ context: FailureContext, hasCallback: Bool = false
    ) async throws -> Answer<TransferReceipt> {
        let length = request.body.length
        return try await send(request, context) { response in
            guard var receipt = receipt(byHeadersOf: response, size: length) else {
                throw malformed(response, "the answer has no ETag")
            }
            if response.status == 203 { throw callbackFailure(response, receipt) }
            try response.checkSentCRC64(receipt.checksums.crc64)
            if response.sentCRC64 != nil, receipt.checksums.crc64 != nil { receipt.verification = .crc64 }
            if hasCallback { addCallbackResult(of: response, to: &receipt) }
            return answer(receipt, response)
        }
    }

    package func copyObject(_ request: S3Request, _ context: FailureContext) async throws -> CopyAnswer {
        try await send(request, context) { try copyAnswer($0) }
    }

    package func deleteObject(_ request: S3Request, _ context: FailureContext) async throws -> Answer<HTTPHeaders> {
        try await send(request, context) { response in
            try checkOrigin(of: response)
            return answer(response.headers, response)
        }
    }

    package func createBucket(_ request: S3Request, _ context: FailureContext) async throws {
        try await send(request, context) { try checkOrigin(of: $0) }
    }

    private static let notOfService = "the answer has neither a request id nor a tag: it does not come from the service"

    package func objectTags(_ object: ObjectLocation) async throws -> [String: String] {
        try await send(
            dialect.getObjectTagging(object), FailureContext(operation: .getObjectTagging, object: object)
        ) { try document(TaggingDocument.self, in: $0).tags }
    }
}
