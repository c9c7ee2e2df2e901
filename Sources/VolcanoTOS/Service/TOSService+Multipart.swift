internal import TransferCore
internal import TransferHTTP
internal import TransferService

extension TOSService {
    /// The upload id, never empty.
    func createMultipartUpload(_ request: TOSRequest, _ context: FailureContext) async throws -> Answer<String> {
        try await send(request, context) { response in
            let document = try Self.document(CreateResultDocument.self, in: response)
            guard let id = document.uploadID, !id.isEmpty else {
                throw Self.malformed(response, "the answer has no UploadId")
            }
            return Answer(value: id, info: TOSResponseInfo(response))
        }
    }

    func uploadPart(
        _ number: Int, _ request: TOSRequest, _ context: FailureContext
    ) async throws -> Answer<CompletedPart> {
        let size = request.body.length
        return try await send(request, context) { response in
            guard let receipt = TransferReceipt(byHeadersOf: response) else {
                throw Self.malformed(response, "the answer has no ETag")
            }
            try response.checkSentCRC64(receipt.checksums.crc64)
            var part = CompletedPart(number: number, etag: receipt.etag, size: size, checksums: receipt.checksums)
            part.isConfirmed = response.sentCRC64 != nil && !receipt.checksums.isEmpty
            if part.checksums.isEmpty { part.checksums.crc64 = response.sentCRC64 }
            return Answer(value: part, info: TOSResponseInfo(response))
        }
    }

    func uploadPartCopy(_ request: TOSRequest, _ context: FailureContext) async throws -> CopyAnswer {
        try await send(request, context) { try CopyAnswer($0) }
    }

    /// One page of parts.
    func listParts(_ request: TOSRequest, _ context: FailureContext) async throws -> Answer<PartsPage> {
        try await send(request, context) { response in
            let document = try Self.document(ListPartsDocument.self, in: response)
            return Answer(value: PartsPage(document), info: TOSResponseInfo(response))
        }
    }

    /// All pages, ascending, each part once. Ends when the service's marker does not grow: the rest is then unknown, and
    /// what is unknown is copied again.
    func listAllParts(of upload: MultipartUpload, _ context: FailureContext) async throws -> [CompletedPart] {
        var parts: [Int: CompletedPart] = [:]
        var marker = 0
        while true {
            let page = try await listParts(try .listParts(of: upload, marker: marker), context).value
            for part in page.parts { parts[part.partNumber] = part.completed }
            guard page.isTruncated, page.nextMarker > marker else { break }
            marker = page.nextMarker
        }
        return parts.values.sorted { $0.number < $1.number }
    }

    func completeMultipartUpload(_ request: TOSRequest, _ context: FailureContext) async throws -> TransferReceipt {
        let hasCallback = TOSHeader.callbacks.contains { request.headers.contains($0) }
        var receipt = try await send(request, context) { response in
            try Self.completed(response, hasCallback: hasCallback)
        }
        receipt.uploadID = context.uploadID
        return receipt
    }

    /// Succeeds also when the upload is already gone.
    func abortMultipartUpload(_ request: TOSRequest, _ context: FailureContext) async throws -> TOSResponseInfo {
        do {
            return try await send(request, context) { TOSResponseInfo($0) }
        } catch let error as TransferError where error.code == .uploadNotFound {
            return TOSResponseInfo(
                requestID: error.service?.requestID, id2: error.service?.hostID, statusCode: error.service?.status ?? 0)
        }
    }

    private static func completed(_ response: HTTPResponse, hasCallback: Bool) throws -> TransferReceipt {
        // The body then is that of the called server; the object is described by the headers.
        if hasCallback, let receipt = TransferReceipt(byHeadersOf: response) {
            if response.status == 203 { throw callbackFailure(response, receipt) }
            return receipt
        }
        let document = try Self.document(CompleteResultDocument.self, in: response)
        if let etag = document.eTag.map({ ETag($0) }), !etag.isEmpty {
            return TransferReceipt(etag, response, location: document.location)
        }
        // A result without its ETag: the object probably stands, and only a look at it can tell.
        if [document.bucket, document.key, document.location].contains(where: { $0?.isEmpty == false }) {
            throw TransferError(
                .outcomeUnknown, "the answer describes an object without an ETag",
                service: ServiceInfo(
                    status: response.status, requestID: response.headers[TOSHeader.requestID],
                    hostID: response.headers[TOSHeader.id2]))
        }
        throw malformed(response, "the answer has no ETag")
    }
}
