internal import TransferCore
internal import TransferHTTP
internal import TransferService
internal import TransferXML

extension OSSService {
    /// The upload id, never empty.
    func initiateMultipartUpload(_ request: OSSRequest, _ context: FailureContext) async throws -> Answer<String> {
        try await send(request, context) { response in
            let document = try Self.element("InitiateMultipartUploadResult", in: response)
            guard let id = document.trimmedText("UploadId"), !id.isEmpty else {
                throw Self.malformed(response, "the answer has no UploadId")
            }
            return Answer(id, response)
        }
    }

    func uploadPart(_ request: OSSRequest, _ context: FailureContext) async throws -> Answer<CompletedPart> {
        let size = request.body.length
        let number = context.part ?? 0
        return try await send(request, context) { response in
            guard let receipt = TransferReceipt(byHeadersOf: response) else {
                throw Self.malformed(response, "the answer has no ETag")
            }
            let stored = receipt.checksums.crc64
            try response.checkSentCRC64(stored)
            let part = CompletedPart(
                number: number, etag: receipt.etag, size: size,
                checksums: Checksums(crc64: response.sentCRC64 ?? stored),
                isConfirmed: stored != nil)
            return Answer(part, response)
        }
    }

    func uploadPartCopy(_ request: OSSRequest, _ context: FailureContext) async throws -> CopyAnswer {
        try await send(request, context) { try CopyAnswer($0, root: "CopyPartResult") }
    }

    /// One page of parts.
    func listParts(_ request: OSSRequest, _ context: FailureContext) async throws -> Answer<PartsPage> {
        try await send(request, context) { response in
            Answer(try Self.document(in: response) { try PartsPage(xml: $0) }, response)
        }
    }

    /// All pages, ascending, each part once. Ends when the service's marker does not grow, or leaves the numbers that parts
    /// have: the rest is then unknown, and what is unknown is stored again.
    func listAllParts(of upload: MultipartUpload, _ context: FailureContext) async throws -> [OSSUploadedPart] {
        var parts: [Int: OSSUploadedPart] = [:]
        var marker = 0
        while true {
            let page = try await listParts(try .listParts(of: upload, marker: marker), context).value
            for part in page.parts { parts[part.partNumber] = part }
            guard page.isTruncated, (marker + 1..<OSSProvider.partLimits.maximumCount).contains(page.nextMarker) else {
                break
            }
            marker = page.nextMarker
        }
        return parts.values.sorted { $0.partNumber < $1.partNumber }
    }

    /// One page of uploads.
    func listMultipartUploads(_ request: OSSRequest, _ context: FailureContext) async throws -> Answer<UploadsPage> {
        try await send(request, context) { response in
            Answer(try Self.document(in: response) { try UploadsPage(xml: $0) }, response)
        }
    }

    func completeMultipartUpload(
        _ request: OSSRequest, _ context: FailureContext, hasCallback: Bool
    ) async throws -> TransferReceipt {
        var receipt = try await send(request, context) { try Self.completed($0, hasCallback: hasCallback) }
        receipt.uploadID = context.uploadID
        return receipt
    }

    /// Succeeds also when the upload is already gone.
    func abortMultipartUpload(_ request: OSSRequest, _ context: FailureContext) async throws -> OSSResponseInfo {
        do {
            return try await send(request, context) { response in
                try Self.checkOrigin(of: response)
                return OSSResponseInfo(response)
            }
        } catch let error as TransferError where error.code == .uploadNotFound {
            return OSSResponseInfo(requestID: error.service?.requestID, statusCode: error.service?.status ?? 0)
        }
    }

    private static func completed(_ response: HTTPResponse, hasCallback: Bool) throws -> TransferReceipt {
        if response.status == 203 { throw callbackFailure(response) }
        if hasCallback {
            // The body is that of the called server; the object is described by the headers alone.
            guard var receipt = TransferReceipt(byHeadersOf: response) else {
                throw outcomeUnknown(response, "the answer to the callback stands in place of the object's ETag")
            }
            receipt.callbackResponse = String(decoding: response.body, as: UTF8.self)
            return receipt
        }
        let document = try element("CompleteMultipartUploadResult", in: response)
        func text(_ name: String) -> String? { document.trimmedText(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let etag = text("ETag").map({ ETag($0) }), !etag.isEmpty {
            return TransferReceipt(etag, response, location: text("Location"))
        }
        // A result without its ETag: the object probably stands, and only a look at it can tell.
        if ["Bucket", "Key", "Location"].contains(where: { text($0) != nil }) {
            throw outcomeUnknown(response, "the answer describes an object without an ETag")
        }
        throw malformed(response, "the answer has no ETag")
    }

    private static func outcomeUnknown(_ response: HTTPResponse, _ reason: String) -> TransferError {
        TransferError(
            .outcomeUnknown, reason,
            service: ServiceInfo(status: response.status, requestID: response.headers.text(OSSHeader.requestID)))
    }
}
