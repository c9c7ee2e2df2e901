import ObjectTransfer

/// The guide's multipart copy, step by step: one part of 6 MiB, and the rest.
func copyByHand(_ client: TOSClient) async throws -> String {
    let upload = try await client.createMultipartUpload(
        TOSCreateMultipartUploadInput(bucket: "archive", key: "by-hand/a.mov"))
    var first = TOSUploadPartCopyInput(
        bucket: upload.bucket, key: upload.key, uploadID: upload.uploadID, partNumber: 1, srcBucket: "films",
        srcKey: "a.mov")
    first.copySourceRange = ByteRange(offset: 0, length: 6 << 20)
    var second = first
    second.partNumber = 2
    second.copySourceRange = nil
    second.copySourceRangeStart = 6 << 20
    var parts: [TOSUploadedPart] = []
    for input in [first, second] {
        let part = try await client.uploadPartCopy(input)
        parts.append(TOSUploadedPart(partNumber: part.partNumber, eTag: part.eTag))
    }
    let output = try await client.completeMultipartUpload(
        TOSCompleteMultipartUploadInput(
            bucket: upload.bucket, key: upload.key, uploadID: upload.uploadID, parts: parts))
    return output.eTag
}
