package import ObjectStoreStub
package import ObjectTransfer
package import TestSupport

/// A local OSS with a bucket, and a client of it.
package struct OSSFixture: Sendable {
    package static let partSize = 100 << 10
    package static let bucket = "films"

    package let server: ObjectStoreStub
    package let client: OSSClient
    package let directory: TemporaryDirectory

    package init(
        _ change: (inout StubConfiguration) -> Void = { _ in },
        client changeClient: (inout OSSClientConfiguration) -> Void = { _ in }
    ) async throws {
        var configuration = StubConfiguration()
        configuration.buckets = [Self.bucket, "archive"]
        change(&configuration)
        server = try await ObjectStoreStub.start(configuration)
        client = try Self.client(of: server, changeClient)
        directory = try TemporaryDirectory()
    }

    package static func client(
        of server: ObjectStoreStub, _ change: (inout OSSClientConfiguration) -> Void = { _ in }
    ) throws -> OSSClient {
        var configuration = OSSClientConfiguration(
            endpoint: OSSEndpoint(url: server.endpoint, region: "cn-shanghai"),
            credential: OSSCredential(
                accessKey: server.accessKey, secretKey: server.secretKey, securityToken: server.sessionToken))
        configuration.transport.proxy = .none
        configuration.retryPolicy.baseDelay = .milliseconds(1)
        change(&configuration)
        return try OSSClient(configuration: configuration)
    }

    package func object(_ key: String) -> StoredObject? { server.storage.object(key, in: Self.bucket) }
}
