package import TransferCore
internal import TransferHTTP
package import TransferService

/// An object made out of parts.
package struct Completion: Sendable {
    package var receipt: TransferReceipt
    /// What it was made of, where the service chose; nil where the caller did.
    package var parts: [CompletedPart]?
    package let info: ResponseInfo
}

extension S3Service {
    /// The upload id, never empty.
    package func createMultipartUpload(
        _ request: S3Request, _ context: FailureContext
    ) async throws -> Answer<String> {
        try await send(request, context) { response in
            let document = try document(CreateResultDocument.self, in: response)
            guard let id = document.uploadID, !id.isEmpty else {
                throw malformed(response, "the answer has no UploadId")
            }
            return answer(id, response)
        }
    }

    package func uploadPart(
        _ number: Int, _ request: S3Request, _ context: FailureContext
    ) async throws -> Answer<CompletedPart> {
        let size = request.body.length
        return try await send(request, context) { response in
            guard let receipt = receipt(byHeadersOf: response) else {
                throw malformed(response, "the answer has no ETag")
            }
            try response.checkSentCRC64(receipt.checksums.crc64)
            var part = CompletedPart(number: number, etag: receipt.etag, size: size, checksums: receipt.checksums)
            part.isConfirmed = response.sentCRC64 != nil && !receipt.checksums.isEmpty
            if part.checksums.isEmpty { part.checksums.crc64 = response.sentCRC64 }
            return answer(part, response)
        }
    }

    package func uploadPartCopy(_ request: S3Request, _ context: FailureContext) async throws -> CopyAnswer {
        try await send(request, context) { try copyAnswer($0) }
    }

    /// One page of parts.
    package func listParts(_ request: S3Request, _ context: FailureContext) async throws -> Answer<PartsPage> {
        try await send(request, context) { response in
            let document = try document(ListPartsDocument.self, in: response)
            return answer(PartsPage(document, dialect.capabilities.parts), response)
        }
    }

    /// All pages, ascending, each part once. Ends when the service's marker does not grow, or leaves the numbers that parts have: the
    /// rest is then unknown, and what is unknown is stored again.
    package func listAllParts(of upload: MultipartUpload, _ context: FailureContext) async throws -> [CompletedPart] {
        var parts: [Int: CompletedPart] = [:]
        var marker = 0
        while true {
            let page = try await listParts(try dialect.listParts(of: upload, marker: marker), context).value
            for listed in page.parts { parts[listed.part.number] = listed.part }
            guard page.isTruncated, (marker + 1..<dialect.capabilities.parts.maximumCount).contains(page.nextMarker)
            else {
                break
            }
            marker = page.nextMarker
        }
        return parts.values.sorted { $0.number < $1.number }
    }

    /// One page of uploads.
    package func listMultipartUploads(
        _ request: S3Request, _ context: FailureContext
    ) async throws -> Answer<UploadsPage> {
        try await send(request, context) { response in
            answer(UploadsPage(try document(ListUploadsDocument.self, in: response)), response)
        }
    }

    package func completeMultipartUpload(
        _ request: S3Request, _ context: FailureContext, hasCallback: Bool
    ) async throws -> Completion {
        var completion = try await send(request, context) { try completed($0, hasCallback: hasCallback) }
        completion.receipt.uploadID = context.uploadID
        return completion
    }

    /// Succeeds also when the upload is already gone.
    package func abortMultipartUpload(_ request: S3Request, _ context: FailureContext) async throws -> ResponseInfo {
        do {
            return try await send(request, context) { response in
                try checkOrigin(of: response)
                return ResponseInfo(response, dialect.headers)
            }
        } catch let error as TransferError where error.code == .uploadNotFound {
            return ResponseInfo(error.service)
        }
    }

    private func completed(_ response: HTTPResponse, hasCallback: Bool) throws -> Completion {
        let info = ResponseInfo(response, dialect.headers)
        // The refusal stands in place of the document that has the tag; what the headers say of the object is told.
        if hasCallback, response.status == 203 {
            throw callbackFailure(response, receipt(byHeadersOf: response) ?? receipt(ETag(""), response))
        }
        // The body then is that of the called server; the object is described by the headers.
        if hasCallback, var receipt = receipt(byHeadersOf: response) {
            addCallbackResult(of: response, to: &receipt)
            return Completion(receipt: receipt, info: info)
        }
        let document = try document(CompleteResultDocument.self, in: response)
        if let etag = document.eTag.map({ ETag($0) }), !etag.isEmpty {
            return Completion(
                receipt: receipt(etag, response, location: document.location),
                parts: document.completedParts?.compactMap { part in
                    guard let number = part.number, let etag = part.eTag else { return nil }
                    return CompletedPart(number: number, etag: ETag(etag))
                }, info: info)
        }
        // A result without its ETag: the object probably stands, and only a look at it can tell.
        if [document.bucket, document.key, document.location].contains(where: { $0?.isEmpty == false }) {
            throw TransferError(
                .outcomeUnknown, "the answer describes an object without an ETag",
                service: ServiceInfo(
                    status: response.status, requestID: response.headers[dialect.headers.requestID],
                    hostID: response.headers[dialect.headers.id2]))
        }
        throw malformed(response, "the answer has no ETag")
    }
}
