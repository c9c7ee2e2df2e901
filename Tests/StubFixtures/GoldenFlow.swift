package import ObjectStoreStub

/// A dialect whose recordings are kept in `Tests/Golden`.
package enum GoldenDialect: String, CaseIterable, Sendable {
    case tos
    case tosS3 = "tos-s3"
    case oss
    case ossV1 = "oss-v1"
    case s3
}

/// What is done over the wire.
package enum GoldenFlow: String, CaseIterable, Sendable {
    case put
    /// Without a content type and metadata.
    case barePut = "bare-put"
    case multipartUpload = "multipart-upload"
    case resumableUpload = "resumable-upload"
    case copy
    case resumableCopy = "resumable-copy"

    /// What is uploaded or copied.
    package var content: ObjectContent {
        switch self {
        case .put, .barePut: .generated(seed: 2, length: 10)
        case .multipartUpload, .resumableUpload: .generated(seed: 2, length: 2 * GoldenObject.partSize + 17)
        case .copy, .resumableCopy: .generated(seed: 1, length: 3 * GoldenObject.partSize)
        }
    }
}

/// The objects of every recording.
package enum GoldenObject {
    package static let sourceBucket = "src-bucket"
    package static let bucket = "dst-bucket"
    /// With what clients encode in more ways than one.
    package static let key = "films/a b+中.mov"
    package static let contentType = "video/mp4"
    package static let metadata = ["name": "火山", "plain": "a b"]
    package static let partSize: UInt64 = 5 << 20

    /// A server with the buckets and the source of the copies.
    package static func server() async throws -> ObjectStoreStub {
        var configuration = StubConfiguration()
        configuration.buckets = [sourceBucket, bucket]
        let server = try await ObjectStoreStub.start(configuration)
        try server.storage.putObject(key, in: sourceBucket, GoldenFlow.copy.content)
        return server
    }
}
