package import ObjectStoreStub
package import ObjectTransfer
package import TestSupport

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A local TOS with two buckets and a source object, and everything to copy it with.
package struct CopyFixture: Sendable {
    package static let partSize = 5 << 20

    package let server: ObjectStoreStub
    package let client: TOSClient
    package let directory: TemporaryDirectory
    /// Objects are told apart by their content.
    package let source: StoredObject

    /// - Parameters:
    ///   - size: Bytes of the source.
    package init(
        size: UInt64 = 3 * UInt64(partSize) + 17, sourceKey: String = "films/a b.mov",
        _ changeServer: (inout StubConfiguration) -> Void = { _ in },
        client changeClient: (inout TOSClientConfiguration) -> Void = { _ in }
    ) async throws {
        var configuration = StubConfiguration()
        configuration.buckets = ["src-bucket", "dst-bucket"]
        changeServer(&configuration)
        directory = try TemporaryDirectory()
        server = try await ObjectStoreStub.start(configuration)
        source = try server.storage.putObject(sourceKey, in: "src-bucket", .pretended(length: size))
        client = try Self.client(of: server, changeClient)
    }

    package static func client(
        of server: ObjectStoreStub, _ change: (inout TOSClientConfiguration) -> Void = { _ in }
    ) throws -> TOSClient {
        var configuration = TOSClientConfiguration(
            endpoint: TOSEndpoint(url: server.endpoint, region: server.region),
            credential: TOSCredential(
                accessKey: server.accessKey, secretKey: server.secretKey, securityToken: server.sessionToken))
        // Repeats come at once, give or take.
        configuration.retryPolicy.baseDelay = .milliseconds(1)
        configuration.transport.proxy = .none
        change(&configuration)
        return try TOSClient(configuration: configuration)
    }

    /// The copy of the source to `dst-bucket/copied/a`, with small parts and a checkpoint.
    package func input(_ events: EventLog? = nil) -> TOSResumableCopyObjectInput {
        var input = TOSResumableCopyObjectInput(
            srcBucket: "src-bucket", srcKey: source.key, bucket: "dst-bucket", key: "copied/a")
        input.partSize = Self.partSize
        input.enableCheckpoint = true
        input.checkpointFile = checkpoint
        input.pauseGrace = .zero
        if let events { input.copyEventListener = { events.append($0) } }
        return input
    }

    package var checkpoint: String { directory.path("copy.checkpoint") }
    package var hasCheckpoint: Bool { FileManager.default.fileExists(atPath: checkpoint) }

    /// The object that the copy made.
    package var target: StoredObject? { server.storage.object("copied/a", in: "dst-bucket") }

    /// Whether the copy stands and has the bytes of the source.
    package var isCopied: Bool {
        guard let target else { return false }
        return target.length == source.length && target.content.crc64 == source.content.crc64
            && target.content.firstDifference(from: source.content) == nil
    }

    /// How often each part was stored, by number.
    package var storedParts: [Int: Int] { server.storage.storedPartCounts["dst-bucket/copied/a"] ?? [:] }

    /// Lets the copy of a part hang until the client gives it up; it is then never done.
    package func stall(part number: Int) -> FaultHandle {
        server.faults.add(.on(.uploadPartCopy).part(number), .stall)
    }

    /// Waits until the copy of a part has been asked for `count` times.
    package func waitForPart(_ number: Int, count: Int = 1) async throws {
        try await server.wireLog.waitFor(count: count) {
            $0.operation == .uploadPartCopy && $0.request.partNumber == number
        }
    }

    /// The operations that the server saw, in order.
    package var operations: [String] { server.wireLog.entries.map(\.operation.rawValue) }
}
