import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TransferPrimitives

// The calls themselves, in the words of each client.

extension TransferScene {
    func perform(_ call: Call) async throws {
        switch subject.service {
        case .oss:
            let client = try OSSFixture.client(of: server)
            try await closing(client.shutdown) { try await performOSS(call, client) }
        case .tos, .tosS3:
            let client = try CopyFixture.client(of: server) {
                $0.wireFormat = subject.service == .tos ? .native : .s3Compatible
            }
            try await closing(client.shutdown) { try await performTOS(call, client) }
        case .s3:
            let client = try S3Fixture.client(of: server) { $0.retryPolicy.maxRetries = call.retries }
            try await closing(client.shutdown) { try await performS3(call, client) }
        case .vod: try await performVOD(call)
        }
    }

    /// Ends a client's connections with its call, however that ends.
    private func closing(_ shutdown: () async -> Void, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            await shutdown()
            throw error
        }
        await shutdown()
    }

    private func performOSS(_ call: Call, _ client: OSSClient) async throws {
        switch subject.kind {
        case .upload:
            var input = OSSUploadFileInput(bucket: bucket, key: call.key, filePath: call.path)
            if let source = call.source { input.content = .source(source) }
            input.partSize = subject.partSize
            input.parallel = call.parallel
            input.maxRetryCount = call.retries
            input.enableCheckpoint = true
            input.checkpointFile = call.records
            input.checkpointStore = call.store
            input.checksLocalParts = call.checksLocalParts
            input.cancelHook = call.hook
            input.pauseGrace = call.grace
            input.onEvent = call.onEvent
            _ = try await client.uploadFile(input)
        case .copy:
            var input = OSSResumableCopyObjectInput(
                srcBucket: "source", srcKey: Self.key, bucket: bucket, key: call.key)
            input.partSize = subject.partSize
            input.parallel = call.parallel
            input.maxRetryCount = call.retries
            input.enableCheckpoint = true
            input.checkpointFile = call.records
            input.checkpointStore = call.store
            input.cancelHook = call.hook
            input.pauseGrace = call.grace
            input.onEvent = call.onEvent
            _ = try await client.resumableCopyObject(input)
        case .download:
            var input = OSSDownloadFileInput(bucket: "source", key: Self.key, filePath: call.path)
            input.partSize = subject.partSize
            input.parallel = call.parallel
            input.maxRetryCount = call.retries
            input.enableCheckpoint = true
            input.checkpointFile = call.records
            input.checkpointStore = call.store
            input.cancelHook = call.hook
            input.pauseGrace = call.grace
            input.onEvent = call.onEvent
            _ = try await client.downloadFile(input)
        }
    }

    private func performTOS(_ call: Call, _ client: TOSClient) async throws {
        switch subject.kind {
        case .upload:
            var input = TOSUploadFileInput(bucket: bucket, key: call.key, filePath: call.path)
            if let source = call.source { input.content = .source(source) }
            input.partSize = subject.partSize
            input.taskNum = call.parallel
            input.maxRetryCount = call.retries
            input.enableCheckpoint = true
            input.checkpointFile = call.records
            input.checkpointStore = call.store
            input.checksLocalParts = call.checksLocalParts
            input.cancelHook = call.hook
            input.pauseGrace = call.grace
            input.onEvent = call.onEvent
            _ = try await client.uploadFile(input)
        case .copy:
            var input = TOSResumableCopyObjectInput(
                srcBucket: "source", srcKey: Self.key, bucket: bucket, key: call.key)
            input.partSize = subject.partSize
            input.taskNum = call.parallel
            input.maxRetryCount = call.retries
            input.enableCheckpoint = true
            input.checkpointFile = call.records
            input.checkpointStore = call.store
            input.cancelHook = call.hook
            input.pauseGrace = call.grace
            // A copy of TOS tells in the words of its SDKs; its handle has the stream that all have.
            let copy = try client.startResumableCopyObject(input)
            for await event in copy.events { call.onEvent(event) }
            _ = try await copy.value
        case .download:
            var input = TOSDownloadFileInput(bucket: "source", key: Self.key, filePath: call.path)
            input.partSize = subject.partSize
            input.taskNum = call.parallel
            input.maxRetryCount = call.retries
            input.enableCheckpoint = true
            input.checkpointFile = call.records
            input.checkpointStore = call.store
            input.cancelHook = call.hook
            input.pauseGrace = call.grace
            input.onEvent = call.onEvent
            _ = try await client.downloadFile(input)
        }
    }

    private func performS3(_ call: Call, _ client: S3Client) async throws {
        let target = ObjectLocation(bucket: bucket, key: call.key)
        let options = TransferOptions(
            partSize: UInt64(subject.partSize), concurrency: call.parallel,
            checkpoint: .store(try call.store ?? call.records.map { FileCheckpointStore(path: $0) } ?? .default()),
            cancelHook: call.hook, pauseGrace: call.grace, checksLocalParts: call.checksLocalParts,
            onEvent: call.onEvent)
        let source = ObjectLocation(bucket: "source", key: Self.key)
        switch subject.kind {
        case .upload:
            guard let source = call.source else {
                _ = try await client.uploadFile(call.path, to: target, options: options)
                return
            }
            _ = try await TransferEngine().upload(source, to: target, using: S3Backend(client), options: options).value
        case .copy: _ = try await client.resumableCopyObject(from: source, to: target, options: options)
        case .download: _ = try await client.downloadFile(source, to: call.path, options: options)
        }
    }

    private func performVOD(_ call: Call) async throws {
        var openAPI = VODOpenAPIConfiguration(
            credential: Credentials(accessKey: server.accessKey, secretKey: server.secretKey))
        openAPI.endpoint = server.endpoint
        openAPI.transport.proxy = .none
        var config = VODUploadConfig(getAuth: .openAPI(try VODOpenAPIClient(openAPI)))
        config.partSize = subject.partSize
        config.parallel = call.parallel
        config.maxRetryCount = call.retries
        config.checkpointDirectory = call.records
        config.checkpointStore = call.store
        config.checksLocalParts = call.checksLocalParts
        config.proxy = .none
        let uploader = try VODUploader(config)
        let task = uploader.uploadTask(call.path, options: VODUploadOptions(cancelHook: call.hook))
        for await event in task.events { call.onEvent(event) }
        try await closing(uploader.shutdown) {
            do {
                _ = try await task.value
            } catch let error as VODUploadError {
                throw error.underlying
            }
        }
    }
}
