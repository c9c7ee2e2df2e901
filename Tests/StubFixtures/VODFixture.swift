package import ObjectStoreStub
package import ObjectTransfer
package import TestSupport

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A local VOD with its OSS, a directory of files, and everything to upload them with.
package struct VODFixture: Sendable {
    /// The smallest that is allowed, so that small files have many parts.
    package static let partSize = 100 << 10

    package let server: ObjectStoreStub
    package let directory: TemporaryDirectory

    package init(_ change: (inout StubConfiguration) -> Void = { _ in }) async throws {
        var configuration = StubConfiguration()
        change(&configuration)
        server = try await ObjectStoreStub.start(configuration)
        directory = try TemporaryDirectory()
    }

    /// Calls the OpenAPI of the server, signed.
    package func openAPI() throws -> VODOpenAPIClient {
        var configuration = VODOpenAPIConfiguration(
            credential: Credentials(accessKey: server.accessKey, secretKey: server.secretKey))
        configuration.endpoint = server.endpoint
        configuration.transport.proxy = .none
        return try VODOpenAPIClient(configuration)
    }

    /// Asks the application server of the server.
    package func appServer() throws -> VODAppServerClient {
        var transport = TransportConfiguration()
        transport.proxy = .none
        return try VODAppServerClient(url: server.appServerURL, transport: transport)
    }

    package func uploader(
        _ getAuth: VODGetAuth? = nil, _ change: (inout VODUploadConfig) -> Void = { _ in }
    ) throws -> VODUploader {
        var config = VODUploadConfig(getAuth: try getAuth ?? .openAPI(openAPI()))
        config.partSize = Self.partSize
        config.checkpointDirectory = directory.path("records")
        config.proxy = .none
        change(&config)
        return try VODUploader(config)
    }

    // MARK: Files

    /// A file of pseudo-random bytes. Returns its path.
    package func file(_ name: String = "holiday.mp4", size: Int, seed: UInt64 = 1) throws -> String {
        try directory.write(Self.bytes(size, seed: seed), to: name)
        return directory.path(name)
    }

    package static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        ObjectContent.generated(seed: seed, length: UInt64(count)).read() ?? []
    }

    // MARK: What became of them

    /// The object of the one video, if it stands.
    package var stored: StoredObject? {
        server.vod.videos.last.flatMap { server.storage.object($0.key, in: $0.bucket) }
    }

    /// Whether the object of the last video has exactly these bytes.
    package func holds(_ bytes: [UInt8]) -> Bool {
        stored.map { $0.length == UInt64(bytes.count) && $0.content.read() == bytes } ?? false
    }

    package func count(_ operation: StoreOperation) -> Int { server.wireLog.count(of: operation) }

    package var partsStored: [Int: Int] {
        server.vod.videos.last.flatMap { server.storage.storedPartCounts["\($0.bucket)/\($0.key)"] } ?? [:]
    }
}
