import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// The languages in which services answer.
enum Wire: String, CaseIterable, CustomTestStringConvertible {
    case oss
    case tos
    case tosInXML
    case s3

    /// Those whose documents are XML.
    static let xml = [Wire.oss, .tosInXML, .s3]

    var testDescription: String { rawValue }

    /// The header with the request's id.
    var requestIDField: String {
        switch self {
        case .oss: "x-oss-request-id"
        case .tos: "x-tos-request-id"
        case .tosInXML, .s3: "x-amz-request-id"
        }
    }
}

/// The single steps of transfers.
enum WireCall: String, CaseIterable, CustomTestStringConvertible {
    case put
    case head
    case get
    case delete
    case copy
    case create
    case part
    case partCopy
    case list
    case complete
    case abort

    /// Those whose answer is a document.
    static let answeredByDocument = [WireCall.copy, .create, .partCopy, .list, .complete]

    var testDescription: String { rawValue }

    var operation: StoreOperation {
        switch self {
        case .put: .putObject
        case .head: .headObject
        case .get: .getObject
        case .delete: .deleteObject
        case .copy: .copyObject
        case .create: .createMultipartUpload
        case .part: .uploadPart
        case .partCopy: .uploadPartCopy
        case .list: .listParts
        case .complete: .completeMultipartUpload
        case .abort: .abortMultipartUpload
        }
    }

    /// The root of the document that answers it in XML.
    var root: String {
        switch self {
        case .copy: "CopyObjectResult"
        case .create: "InitiateMultipartUploadResult"
        case .partCopy: "CopyPartResult"
        case .list: "ListPartsResult"
        case .complete: "CompleteMultipartUploadResult"
        default: "Error"
        }
    }
}

/// A local server, a backend of it, an object, and an upload with one part.
struct WireScene: Sendable {
    static let content = Array("hello".utf8)

    let wire: Wire
    let server: ObjectStoreStub
    let backend: any CopyBackend & ReadableBackend
    let upload: MultipartUpload
    let part: CompletedPart
    private let delete: @Sendable (ObjectLocation) async throws -> Void
    private let settings: Settings

    let source = ObjectLocation(bucket: "src-bucket", key: "source")
    let target = ObjectLocation(bucket: "dst-bucket", key: "target")

    private struct Settings: Sendable {
        var retries: Int
        var copyIdleTimeout: Duration
    }

    /// - Parameters:
    ///   - retries: Repeats of a request; none unless it is said.
    ///   - copyIdleTimeout: The longest silence of Complete and of copies.
    init(_ wire: Wire, retries: Int = 0, copyIdleTimeout: Duration = .seconds(900)) async throws {
        var configuration = StubConfiguration()
        configuration.buckets = ["src-bucket", "dst-bucket"]
        server = try await ObjectStoreStub.start(configuration)
        try server.storage.putObject(source.key, in: source.bucket, .bytes(Self.content))
        self.wire = wire
        settings = Settings(retries: retries, copyIdleTimeout: copyIdleTimeout)
        (backend, delete) = try Self.backend(wire, server, settings, server.endpoint)
        upload = try await backend.createMultipartUpload(at: target, options: ObjectOptions())
        part = try await backend.uploadPart(1, of: upload, body: PartBody(MemorySource(Self.content)))
        server.wireLog.clear()
    }

    /// The same with a client of its own that knows the server by another address.
    func reached(by url: String, _ change: (inout TransportConfiguration) -> Void = { _ in }) throws -> WireScene {
        WireScene(self, try Self.backend(wire, server, settings, url, change))
    }

    private init(_ other: WireScene, _ means: Means) {
        wire = other.wire
        server = other.server
        settings = other.settings
        (backend, delete) = means
        upload = other.upload
        part = other.part
    }

    private typealias Means = (
        backend: any CopyBackend & ReadableBackend, delete: @Sendable (ObjectLocation) async throws -> Void
    )

    private static func backend(
        _ wire: Wire, _ server: ObjectStoreStub, _ settings: Settings, _ url: String,
        _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) throws -> Means {
        func apply(_ policy: inout RetryPolicy, _ transport: inout TransportConfiguration) {
            policy.maxRetries = settings.retries
            policy.maxThrottleRetries = settings.retries
            change(&transport)
        }
        switch wire {
        case .oss:
            let client = try OSSFixture.client(of: server) {
                $0.endpoint.url = url
                $0.addressing = .path
                $0.copyIdleTimeout = settings.copyIdleTimeout
                apply(&$0.retryPolicy, &$0.transport)
            }
            return (
                OSSBackend(client),
                { _ = try await client.deleteObject(OSSDeleteObjectInput(bucket: $0.bucket, key: $0.key)) }
            )
        case .tos, .tosInXML:
            let client = try CopyFixture.client(of: server) {
                $0.endpoint.url = url
                $0.addressing = .path
                $0.wireFormat = wire == .tos ? .native : .s3Compatible
                $0.copyIdleTimeout = settings.copyIdleTimeout
                apply(&$0.retryPolicy, &$0.transport)
            }
            return (
                TOSBackend(client),
                { _ = try await client.deleteObject(TOSDeleteObjectInput(bucket: $0.bucket, key: $0.key)) }
            )
        case .s3:
            let client = try S3Fixture.client(of: server) {
                $0.endpoint.url = url
                $0.addressing = .path
                $0.copyIdleTimeout = settings.copyIdleTimeout
                apply(&$0.retryPolicy, &$0.transport)
            }
            return (S3Backend(client), { try await client.deleteObject($0) })
        }
    }

    func perform(_ call: WireCall) async throws {
        let body = PartBody(MemorySource(Self.content))
        let options = ObjectOptions()
        switch call {
        case .put: _ = try await backend.putObject(body, at: target, options: options)
        case .head: _ = try await backend.headObject(source)
        case .get: _ = try await backend.getObject(source, range: nil, ifMatch: nil, into: DroppingSink())
        case .delete: try await delete(source)
        case .copy: _ = try await backend.copyObject(source, to: target, ifMatch: nil, options: options)
        case .create: _ = try await backend.createMultipartUpload(at: target, options: options)
        case .part: _ = try await backend.uploadPart(1, of: upload, body: body)
        case .partCopy:
            let range = ByteRange(offset: 0, length: UInt64(Self.content.count))
            _ = try await backend.uploadPartCopy(1, of: upload, from: source, range: range, ifMatch: nil)
        case .list: _ = try await backend.listParts(of: upload)
        case .complete: _ = try await backend.completeMultipartUpload(upload, parts: [part])
        case .abort: try await backend.abortMultipartUpload(upload)
        }
    }

    /// The error that a call ends with; a success is an issue.
    func failure(of call: WireCall, sourceLocation: SourceLocation = #_sourceLocation) async -> TransferError? {
        await StubFixtures.failure({ try await perform(call) }, sourceLocation: sourceLocation)
    }

    /// The object that the calls make, if it stands.
    var made: StoredObject? { server.storage.object(target.key, in: target.bucket) }
}

/// Takes bytes and keeps none.
struct DroppingSink: PartSink {
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {}
}
