package import ObjectStoreStub
package import ObjectTransfer
package import TestSupport

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A local S3 with two buckets, and a client of it.
package struct S3Fixture: Sendable {
    package static let partSize: UInt64 = 5 << 20

    package let server: ObjectStoreStub
    package let client: S3Client
    package let directory: TemporaryDirectory

    package init(
        _ changeServer: (inout StubConfiguration) -> Void = { _ in },
        client change: (inout S3ClientConfiguration) -> Void = { _ in }
    ) async throws {
        var configuration = StubConfiguration()
        configuration.buckets = ["src-bucket", "dst-bucket"]
        changeServer(&configuration)
        directory = try TemporaryDirectory()
        server = try await ObjectStoreStub.start(configuration)
        client = try Self.client(of: server, change)
    }

    package static func client(
        of server: ObjectStoreStub, _ change: (inout S3ClientConfiguration) -> Void = { _ in }
    ) throws -> S3Client {
        var configuration = S3ClientConfiguration(
            endpoint: S3Endpoint(url: server.endpoint, region: server.region),
            credential: S3Credential(
                accessKey: server.accessKey, secretKey: server.secretKey, securityToken: server.sessionToken))
        // Repeats come at once, give or take.
        configuration.retryPolicy.baseDelay = .milliseconds(1)
        configuration.transport.proxy = .none
        change(&configuration)
        return try S3Client(configuration: configuration)
    }

    /// Small parts, two at a time, and a checkpoint; paused after the first parts where there is a hook. The parts behind them
    /// are held until then, so that no pace of the machine lets the transfer end before.
    package func options(_ hook: TransferCancelHook? = nil) -> TransferOptions {
        let held = hook.map { _ in
            server.faults.add(.on(.uploadPart, .uploadPartCopy, .getObject).after(2), .hold)
        }
        return TransferOptions(
            partSize: Self.partSize, concurrency: 2, checkpoint: .store(FileCheckpointStore(path: checkpoint)),
            cancelHook: hook, pauseGrace: .seconds(3600),
            onEvent: { event in
                guard case .partCompleted = event else { return }
                hook?.cancel()
                held?.release()
            })
    }

    package var checkpoint: String { directory.path("checkpoint") }
    package var hasCheckpoint: Bool { FileManager.default.fileExists(atPath: checkpoint) }
    package func object(_ key: String, in bucket: String = "dst-bucket") -> StoredObject? {
        server.storage.object(key, in: bucket)
    }
}
