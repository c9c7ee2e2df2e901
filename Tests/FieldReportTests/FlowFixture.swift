import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferCurl
import TransferPrimitives

/// A local server, a client of it, and an object to move by one flow.
struct FlowFixture: Sendable {
    /// What differs from flow to flow, and from the usual.
    struct Setup: Sendable {
        var parts = 3
        /// Bytes of every part but the last; nil for the smallest.
        var partSize: Int?
        /// Bytes of the last part.
        var lastPart = 1_017
        var checkpoint = true
        var retries = 3
        /// How long a service may be silent, also about copies; nil for the usual.
        var silence: Duration?
        /// The client's and the server's; by default repeats come at once, and no limit ends by itself.
        var clock: any TransferClock = ImpatientClock()
        var transport = TransportConfiguration()
        var retryPolicy = RetryPolicy()
        var server = StubConfiguration()
        /// Those of the server's first account when nil.
        var credentials: (any CredentialsProvider)?
    }

    private enum Client: Sendable {
        case oss(OSSClient)
        case tos(TOSClient)
        case s3(S3Client)
        case vod(VODUploader, VODAppServerClient)
    }

    static let key = "films/a b.mp4"

    let flow: Flow
    let setup: Setup
    let server: ObjectStoreStub
    let directory: TemporaryDirectory
    /// The bytes to move.
    let bytes: [UInt8]
    private let crc64: UInt64
    private let client: Client

    init(_ flow: Flow, _ change: (inout Setup) -> Void = { _ in }) async throws {
        var setup = Setup()
        setup.transport.proxy = .none
        setup.retryPolicy.baseDelay = .milliseconds(1)
        setup.server.buckets = ["source", "target"]
        change(&setup)
        setup.retryPolicy.maxRetries = setup.retries
        if let silence = setup.silence { setup.transport.idleTimeout = silence }
        setup.server.clock = setup.clock
        self.flow = flow
        self.setup = setup
        server = try await ObjectStoreStub.start(setup.server)
        directory = try TemporaryDirectory()
        bytes = Self.marked((setup.parts - 1) * (setup.partSize ?? flow.partSize) + setup.lastPart)
        crc64 = Self.crc64(of: bytes)
        client = try Self.client(of: server, flow, setup, directory)
        if flow.isUpload {
            try directory.write(bytes, to: "a.mp4")
        } else {
            try server.storage.putObject(Self.key, in: "source", .bytes(bytes))
        }
    }

    private init(_ other: FlowFixture, client: Client) {
        flow = other.flow
        setup = other.setup
        server = other.server
        directory = other.directory
        bytes = other.bytes
        crc64 = other.crc64
        self.client = client
    }

    /// The same with another client, as after a start of the program.
    func restarted() throws -> FlowFixture {
        FlowFixture(self, client: try Self.client(of: server, flow, setup, directory))
    }

    private static func crc64(of bytes: [UInt8]) -> UInt64 {
        var crc = CRC64()
        crc.update(bytes)
        return crc.value
    }

    /// Bytes of which no two stretches are alike, quickly made.
    private static func marked(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 7, count: count)
        var mark = 0
        while mark < count {
            bytes[mark] = UInt8(truncatingIfNeeded: mark >> 10)
            if mark + 1 < count { bytes[mark + 1] = UInt8(truncatingIfNeeded: mark >> 18) }
            mark += 1_021
        }
        return bytes
    }

    private static func client(
        of server: ObjectStoreStub, _ flow: Flow, _ setup: Setup, _ directory: TemporaryDirectory
    ) throws -> Client {
        let credentials =
            setup.credentials
            ?? StaticCredentialsProvider(
                Credentials(
                    accessKey: server.accessKey, secretKey: server.secretKey, securityToken: server.sessionToken))
        let transport = try CurlTransport(setup.transport)
        switch flow {
        case .ossUpload, .ossCopy, .ossDownload:
            var configuration = OSSClientConfiguration(
                endpoint: OSSEndpoint(url: endpoint(of: server, setup), region: server.ossRegion),
                credentialsProvider: credentials)
            configuration.retryPolicy = setup.retryPolicy
            configuration.addressing = .path
            configuration.copyIdleTimeout = setup.silence ?? configuration.copyIdleTimeout
            return .oss(try OSSClient(configuration: configuration, transport: transport, clock: setup.clock))
        case .tosUpload, .tosCopy, .tosDownload, .tosS3Upload, .tosS3Copy, .tosS3Download:
            var configuration = TOSClientConfiguration(
                endpoint: TOSEndpoint(url: endpoint(of: server, setup), region: server.region),
                credentialsProvider: credentials)
            configuration.retryPolicy = setup.retryPolicy
            configuration.addressing = .path
            configuration.copyIdleTimeout = setup.silence ?? configuration.copyIdleTimeout
            configuration.wireFormat = flow.rawValue.hasPrefix("tosS3") ? .s3Compatible : .native
            return .tos(try TOSClient(configuration: configuration, transport: transport, clock: setup.clock))
        case .s3Upload, .s3Copy, .s3Download:
            var configuration = S3ClientConfiguration(
                endpoint: S3Endpoint(url: endpoint(of: server, setup), region: server.region),
                credentialsProvider: credentials)
            configuration.retryPolicy = setup.retryPolicy
            configuration.addressing = .path
            configuration.copyIdleTimeout = setup.silence ?? configuration.copyIdleTimeout
            configuration.honoursCopyPreconditions = true
            configuration.decodesPartCopySourceTwice = false
            return .s3(try S3Client(configuration: configuration, transport: transport, clock: setup.clock))
        case .vodUpload:
            var plain = TransportConfiguration()
            plain.proxy = .none
            let backend = try VODAppServerClient(url: server.appServerURL, transport: plain)
            var config = VODUploadConfig(getAuth: .appServer(backend))
            config.partSize = setup.partSize ?? flow.partSize
            config.checkpoint = setup.checkpoint
            config.checkpointDirectory = directory.path("records/")
            config.maxRetryCount = setup.retries
            return .vod(try VODUploader(config, transport: transport, clock: setup.clock), backend)
        }
    }

    /// A name where there is a resolver for it.
    private static func endpoint(of server: ObjectStoreStub, _ setup: Setup) -> String {
        setup.server.serviceDomains.first.map { "http://\($0):\(server.port)" } ?? server.endpoint
    }

    // MARK: What became of it

    /// The object that was made; for a download there is none.
    var stored: StoredObject? {
        guard flow == .vodUpload else { return server.storage.object(Self.key, in: "target") }
        return server.vod.videos.last.flatMap { server.storage.object($0.key, in: $0.bucket) }
    }

    /// Whether the bytes have arrived, all of them and no others.
    var isDone: Bool {
        // Not byte for byte, which takes a debug build as long as all the rest.
        if flow.isDownload {
            let copy = (try? directory.read("copy.mp4")) ?? []
            return copy.count == bytes.count && Self.crc64(of: copy) == crc64
        }
        return stored.map { $0.length == UInt64(bytes.count) && $0.content.crc64 == crc64 } ?? false
    }

    var hasCheckpoint: Bool { directory.files.contains { $0.hasPrefix("records/") } }

    var log: [WireEntry] { server.wireLog.entries }
    func count(_ operation: StoreOperation) -> Int { server.wireLog.count(of: operation) }
    /// The requests that move parts, in the order of arrival.
    var partRequests: [WireEntry] { server.wireLog.entries(of: flow.part) }

    /// Which part a request moves. Downloads ask for ranges.
    func partNumber(of request: StoreRequest) -> Int? {
        guard flow.isDownload else { return request.partNumber }
        let first = request.range.flatMap { $0.split(separator: "=").last }.flatMap { $0.split(separator: "-").first }
        return first.flatMap { Int($0) }.map { $0 / (setup.partSize ?? flow.partSize) + 1 }
    }

    // MARK: Moving it

    /// Starts the flow with the fixture's client.
    func start(_ change: (inout FlowCall) -> Void = { _ in }) throws -> FlowTask {
        var call = FlowCall()
        change(&call)
        let file = directory.path(flow.isDownload ? "copy\(call.suffix).mp4" : "a.mp4")
        switch client {
        case .oss(let client): return try start(client, call, file)
        case .tos(let client): return try start(client, call, file)
        case .s3(let client): return try start(client, call, file)
        case .vod(let uploader, _):
            let onProgress = call.onProgress
            let options = VODUploadOptions(
                parallel: call.parallel, onProgress: { fraction, _, _ in onProgress?(fraction) }, cancelHook: call.hook)
            let task = uploader.uploadTask(file, options: options)
            return FlowTask(events: task.events, call) {
                _ = try await task.value
            } cancel: {
                task.cancel(abort: $0)
            }
        }
    }

    /// Runs the flow to its end.
    func run(_ change: (inout FlowCall) -> Void = { _ in }) async throws { try await start(change).value() }

    /// The error that the flow ends with; a success is an issue.
    func failure(
        _ change: (inout FlowCall) -> Void = { _ in }, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TransferError? {
        let task = try start(change)
        return await task.failure(sourceLocation: sourceLocation)
    }

    /// Copies the source by one request, with the client's own operation; gives the ETag of the copy.
    func copyObject() async throws -> String {
        switch client {
        case .oss(let client):
            let input = OSSCopyObjectInput(srcBucket: "source", srcKey: Self.key, bucket: "target", key: Self.key)
            return try await client.copyObject(input).eTag
        case .tos(let client):
            let input = TOSCopyObjectInput(srcBucket: "source", srcKey: Self.key, bucket: "target", key: Self.key)
            return try await client.copyObject(input).eTag
        case .s3(let client):
            let source = ObjectLocation(bucket: "source", key: Self.key)
            return try await client.copyObject(source, to: ObjectLocation(bucket: "target", key: Self.key)).etag
                .rawValue
        case .vod: throw TransferError(.unsupported, "VOD copies nothing")
        }
    }

    /// Whether the client begins nothing any more.
    func isRefused() async -> Bool {
        do {
            try await run()
        } catch let error as TransferError {
            return error.code == .disposed
        } catch {}
        return false
    }

    /// Ends the client.
    func shutdown() async {
        switch client {
        case .oss(let client): await client.shutdown()
        case .tos(let client): await client.shutdown()
        case .s3(let client): await client.shutdown()
        case .vod(let uploader, let backend):
            await uploader.shutdown()
            await backend.shutdown()
        }
    }

    private var partSize: Int { setup.partSize ?? flow.partSize }

    private func start(_ client: OSSClient, _ call: FlowCall, _ file: String) throws -> FlowTask {
        switch flow {
        case .ossUpload:
            var input = OSSUploadFileInput(bucket: "target", key: call.key, filePath: file)
            input.partSize = partSize
            input.parallel = call.parallel
            input.enableCheckpoint = setup.checkpoint
            input.checkpointFile = directory.path("records/")
            input.maxRetryCount = setup.retries
            input.pauseGrace = call.grace
            input.cancelHook = call.hook
            let handle = try client.startUploadFile(input)
            return FlowTask(
                events: handle.events, call, value: { _ = try await handle.value }, cancel: handle.cancel(abort:))
        case .ossCopy:
            var input = OSSResumableCopyObjectInput(
                srcBucket: "source", srcKey: Self.key, bucket: "target", key: call.key)
            input.partSize = partSize
            input.parallel = call.parallel
            input.enableCheckpoint = setup.checkpoint
            input.checkpointFile = directory.path("records/")
            input.maxRetryCount = setup.retries
            input.pauseGrace = call.grace
            input.cancelHook = call.hook
            let handle = try client.startResumableCopyObject(input)
            return FlowTask(
                events: handle.events, call, value: { _ = try await handle.value }, cancel: handle.cancel(abort:))
        default:
            var input = OSSDownloadFileInput(bucket: "source", key: Self.key, filePath: file)
            input.partSize = partSize
            input.parallel = call.parallel
            input.enableCheckpoint = setup.checkpoint
            input.checkpointFile = directory.path("records/")
            input.maxRetryCount = setup.retries
            input.pauseGrace = call.grace
            input.cancelHook = call.hook
            let handle = try client.startDownloadFile(input)
            return FlowTask(
                events: handle.events, call, value: { _ = try await handle.value }, cancel: handle.cancel(abort:))
        }
    }

    private func start(_ client: TOSClient, _ call: FlowCall, _ file: String) throws -> FlowTask {
        switch flow {
        case .tosUpload, .tosS3Upload:
            var input = TOSUploadFileInput(bucket: "target", key: call.key, filePath: file)
            input.partSize = partSize
            input.taskNum = call.parallel
            input.enableCheckpoint = setup.checkpoint
            input.checkpointFile = directory.path("records/")
            input.maxRetryCount = setup.retries
            input.pauseGrace = call.grace
            input.cancelHook = call.hook
            let handle = try client.startUploadFile(input)
            return FlowTask(
                events: handle.events, call, value: { _ = try await handle.value }, cancel: handle.cancel(abort:))
        case .tosCopy, .tosS3Copy:
            var input = TOSResumableCopyObjectInput(
                srcBucket: "source", srcKey: Self.key, bucket: "target", key: call.key)
            input.partSize = partSize
            input.taskNum = call.parallel
            input.enableCheckpoint = setup.checkpoint
            input.checkpointFile = directory.path("records/")
            input.maxRetryCount = setup.retries
            input.pauseGrace = call.grace
            input.cancelHook = call.hook
            let handle = try client.startResumableCopyObject(input)
            return FlowTask(
                events: handle.events, call, value: { _ = try await handle.value }, cancel: handle.cancel(abort:))
        default:
            var input = TOSDownloadFileInput(bucket: "source", key: Self.key, filePath: file)
            input.partSize = partSize
            input.taskNum = call.parallel
            input.enableCheckpoint = setup.checkpoint
            input.checkpointFile = directory.path("records/")
            input.maxRetryCount = setup.retries
            input.pauseGrace = call.grace
            input.cancelHook = call.hook
            let handle = try client.startDownloadFile(input)
            return FlowTask(
                events: handle.events, call, value: { _ = try await handle.value }, cancel: handle.cancel(abort:))
        }
    }

    private func start(_ client: S3Client, _ call: FlowCall, _ file: String) throws -> FlowTask {
        let options = TransferOptions(
            partSize: UInt64(partSize), concurrency: call.parallel,
            checkpoint: setup.checkpoint
                ? .store(FileCheckpointStore(path: directory.path("records/"))) : TransferOptions.CheckpointPolicy.none,
            cancelHook: call.hook, pauseGrace: call.grace)
        let (source, target) = (
            ObjectLocation(bucket: "source", key: Self.key), ObjectLocation(bucket: "target", key: call.key)
        )
        let handle =
            switch flow {
            case .s3Upload: try client.startUploadFile(file, to: target, options: options)
            case .s3Copy: try client.startResumableCopyObject(from: source, to: target, options: options)
            default: try client.startDownloadFile(source, to: file, options: options)
            }
        return FlowTask(
            events: handle.events, call, value: { _ = try await handle.value },
            cancel: { handle.cancel($0 ? .abort : .pause) })
    }
}
