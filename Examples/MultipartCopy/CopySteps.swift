import ExampleSupport
import ObjectTransfer

/// The three steps.
struct CopySteps {
    var sourceBucket = ""
    var sourceKey = ""
    /// Nil for the source's current version.
    var sourceVersion: String?
    var bucket = ""
    var key = ""
    /// Bytes of every part but the last.
    var partSize: UInt64 = 20 << 20

    func run(_ client: TOSClient) async throws {
        let source = try await client.headObject(
            TOSHeadObjectInput(bucket: sourceBucket, key: sourceKey, versionID: sourceVersion))
        Terminal.print("source    \(sourceBucket)/\(sourceKey), \(Units.bytes(source.contentLength))")

        // 1. Parts bring nothing but bytes: what the object is to carry is said here.
        var create = TOSCreateMultipartUploadInput(bucket: bucket, key: key)
        create.contentType = source.contentType
        create.meta = source.meta
        let upload = try await client.createMultipartUpload(create)
        Terminal.print("created   upload \(upload.uploadID)")
        let object: TOSCompleteMultipartUploadOutput
        do {
            let parts = try await copyParts(of: source, upload.uploadID, client)
            // 3. The object stands once this succeeds, not before.
            object = try await client.completeMultipartUpload(
                TOSCompleteMultipartUploadInput(bucket: bucket, key: key, uploadID: upload.uploadID, parts: parts))
        } catch {
            await abort(upload.uploadID, client)
            throw error
        }
        Terminal.print("completed \(object.bucket)/\(object.key), etag \(object.eTag)")
        try compare(source, object)
    }

    /// Parts of an upload that nobody completes are charged until somebody gives them up.
    private func abort(_ uploadID: String, _ client: TOSClient) async {
        do {
            _ = try await client.abortMultipartUpload(
                TOSAbortMultipartUploadInput(bucket: bucket, key: key, uploadID: uploadID))
            Terminal.printError("aborted   upload \(uploadID)")
        } catch {
            Terminal.printError("upload \(uploadID) could not be aborted: \(error)")
        }
    }

    /// 2. Every part is copied on condition that the source still is what it was.
    private func copyParts(
        of source: TOSHeadObjectOutput, _ uploadID: String, _ client: TOSClient
    ) async throws -> [TOSUploadedPart] {
        guard source.contentLength > 0 else { return [try await emptyPart(uploadID, client)] }
        var parts: [TOSUploadedPart] = []
        for offset in stride(from: 0, to: source.contentLength, by: Int(partSize)) {
            var input = TOSUploadPartCopyInput(
                bucket: bucket, key: key, uploadID: uploadID, partNumber: parts.count + 1, srcBucket: sourceBucket,
                srcKey: sourceKey, srcVersionID: sourceVersion,
                copySourceRange: ByteRange(offset: offset, length: min(partSize, source.contentLength - offset)))
            input.copySourceIfMatch = source.eTag
            let part = try await client.uploadPartCopy(input)
            parts.append(TOSUploadedPart(partNumber: part.partNumber, eTag: part.eTag))
            Terminal.print("part \(part.partNumber)    etag \(part.eTag)")
        }
        return parts
    }

    /// No range says "nothing": an empty object is made of one part that is sent.
    private func emptyPart(_ uploadID: String, _ client: TOSClient) async throws -> TOSUploadedPart {
        let part = try await client.uploadPart(
            TOSUploadPartInput(
                bucket: bucket, key: key, uploadID: uploadID, partNumber: 1, content: MemorySource([])))
        return TOSUploadedPart(partNumber: part.partNumber, eTag: part.eTag)
    }

    private func compare(_ source: TOSHeadObjectOutput, _ object: TOSCompleteMultipartUploadOutput) throws {
        guard let expected = source.hashCrc64ecma, let stored = object.hashCrc64ecma else {
            Terminal.print("crc64     not told by this endpoint")
            return
        }
        guard expected == stored else { throw CopyDiffers(source: expected, copy: stored) }
        Terminal.print("crc64     \(stored), equal")
    }
}

/// The object that was made is not the source.
struct CopyDiffers: Error, CustomStringConvertible {
    let source: UInt64
    let copy: UInt64
    var description: String { "the CRC-64 of the source is \(source), and of the copy \(copy)" }
}
