import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferCurl
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Every way in which the library speaks to a service.
enum Service: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case tos
    case tosS3
    case oss
    case ossV1
    case s3

    var testDescription: String { rawValue }

    /// Whether its answers carry the CRC-64 of what is stored.
    var tellsCRC64: Bool { [.tos, .oss, .ossV1].contains(self) }

    /// The smallest part of an upload that the client takes.
    var leastPart: UInt64 { [.oss, .ossV1].contains(self) ? 100 << 10 : 5 << 20 }

    /// A client of the server, as a backend for the engine.
    ///
    /// - Parameters:
    ///   - credentials: Those of the server's first account when nil.
    ///   - url: The server's own when nil.
    ///   - clock: The machine's when nil; S3's client has no other.
    func backend(
        of server: ObjectStoreStub, credentials: (any CredentialsProvider)? = nil, clock: (any TransferClock)? = nil,
        retries: Int = 3, url: String? = nil
    ) throws -> any CopyBackend & ReadableBackend {
        let provider =
            credentials
            ?? StaticCredentialsProvider(
                Credentials(
                    accessKey: server.accessKey, secretKey: server.secretKey, securityToken: server.sessionToken))
        var transport = TransportConfiguration()
        transport.proxy = .none
        var policy = RetryPolicy(maxRetries: retries)
        policy.baseDelay = .milliseconds(1)
        switch self {
        case .tos, .tosS3:
            var configuration = TOSClientConfiguration(
                endpoint: TOSEndpoint(url: url ?? server.endpoint, region: server.region), credentialsProvider: provider
            )
            configuration.wireFormat = self == .tos ? .native : .s3Compatible
            configuration.transport = transport
            configuration.retryPolicy = policy
            guard let clock else { return TOSBackend(try TOSClient(configuration: configuration)) }
            return TOSBackend(
                try TOSClient(configuration: configuration, transport: CurlTransport(transport), clock: clock))
        case .oss, .ossV1:
            var configuration = OSSClientConfiguration(
                endpoint: OSSEndpoint(url: url ?? server.endpoint, region: server.ossRegion),
                credentialsProvider: provider)
            configuration.signature = self == .oss ? .v4 : .v1
            configuration.transport = transport
            configuration.retryPolicy = policy
            guard let clock else { return OSSBackend(try OSSClient(configuration: configuration)) }
            return OSSBackend(
                try OSSClient(configuration: configuration, transport: CurlTransport(transport), clock: clock))
        case .s3:
            var configuration = S3ClientConfiguration(
                endpoint: S3Endpoint(url: url ?? server.endpoint, region: server.region), credentialsProvider: provider)
            configuration.transport = transport
            configuration.retryPolicy = policy
            configuration.decodesPartCopySourceTwice = false
            return S3Backend(try S3Client(configuration: configuration))
        }
    }
}

/// A local server with two buckets, and a client of one service.
struct ServiceFixture: Sendable {
    let service: Service
    let server: ObjectStoreStub
    let backend: any CopyBackend & ReadableBackend
    let directory: TemporaryDirectory
    let target = ObjectLocation(bucket: "dst-bucket", key: "films/a b.mov")

    /// - Parameter credentials: Makes the client's provider; that of the server's first account when nil.
    init(
        _ service: Service, clock: (any TransferClock)? = nil, retries: Int = 3,
        _ change: (inout StubConfiguration) -> Void = { _ in },
        credentials: (ObjectStoreStub) -> (any CredentialsProvider)? = { _ in nil }
    ) async throws {
        var configuration = StubConfiguration()
        configuration.buckets = ["src-bucket", "dst-bucket"]
        change(&configuration)
        self.service = service
        server = try await ObjectStoreStub.start(configuration)
        directory = try TemporaryDirectory()
        backend = try service.backend(of: server, credentials: credentials(server), clock: clock, retries: retries)
    }

    var log: WireLog { server.wireLog }
    var stored: StoredObject? { object(target) }

    func object(_ location: ObjectLocation) -> StoredObject? {
        server.storage.object(location.key, in: location.bucket)
    }

    /// Uploads a source in parts of the least size, with a checkpoint.
    func upload(
        _ source: UploadSource, partSize: UInt64? = nil, _ change: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> TransferReceipt {
        try await startUpload(source, partSize: partSize, change).value
    }

    func startUpload(
        _ source: UploadSource, partSize: UInt64? = nil, _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> TransferHandle {
        try TransferEngine().upload(source, to: target, using: backend, options: options(partSize, change))
    }

    func copy(
        from source: ObjectLocation, partSize: UInt64? = nil, _ change: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> TransferReceipt {
        try await TransferEngine().copy(
            from: source, to: target, using: backend, options: options(partSize, change)
        ).value
    }

    private func options(_ partSize: UInt64?, _ change: (inout TransferOptions) -> Void) -> TransferOptions {
        var options = TransferOptions(
            partSize: partSize ?? service.leastPart, concurrency: 4,
            checkpoint: .store(FileCheckpointStore(path: directory.path("checkpoint"))), pauseGrace: .zero)
        change(&options)
        return options
    }

    var checkpoints: [String] { directory.files.filter { $0.hasPrefix("checkpoint") } }
}

/// Bytes that are made up when they are read, whatever their number; a struct, as a user might write it.
struct MadeUpSource: ByteSource {
    let length: UInt64
    /// Sources with another one have other bytes.
    var seed: UInt64 = 0

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset < length else { return 0 }
        let start = Int((offset + seed) % Self.period)
        let count = min(Int(min(UInt64(buffer.count), length - offset)), Self.pattern.count - start)
        buffer.copyBytes(from: Self.pattern[start..<(start + count)])
        return count
    }

    private static let period: UInt64 = 251
    private static let pattern = (0..<251 * 512).map { UInt8($0 % 251) }
}

/// The same as a class, which counts how often it was asked.
final class CountingSource: ByteSource {
    private let source: MadeUpSource
    private let count = LockBox(0)

    init(length: UInt64, seed: UInt64 = 0) { source = MadeUpSource(length: length, seed: seed) }

    var length: UInt64 { source.length }
    var reads: Int { count.withLock { $0 } }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        count.withLock { $0 += 1 }
        return try source.read(at: offset, into: buffer)
    }
}

extension ByteSource {
    /// Everything, read as a user might.
    var bytes: [UInt8] {
        get throws {
            var bytes = [UInt8](repeating: 0, count: Int(length))
            var count = 0
            while count < bytes.count {
                let read = try bytes.withUnsafeMutableBytes {
                    try self.read(at: UInt64(count), into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
                }
                if read == 0 { break }
                count += read
            }
            return bytes
        }
    }
}

/// Keeps what comes, in order.
final class CollectedBytes: PartSink {
    private let collected = LockBox<[UInt8]>([])

    var bytes: [UInt8] { collected.withLock { $0 } }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
        collected.withLock { $0.append(contentsOf: bytes) }
    }
}
