import ExampleSupport
import ObjectTransfer

/// One run of the program: the uploader, its files, and how they ended.
struct UploadRun {
    /// How many files are uploaded at once.
    private static let width = 4

    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() async throws -> ExitStatus {
        var sample: SampleFile?
        if options.files.isEmpty { sample = try SampleFile() }
        let files = sample.map { [$0.path] } ?? options.files
        let status: ExitStatus
        do {
            status = try await withService { try await upload(files, with: $0) }
        } catch {
            sample?.remove()
            throw error
        }
        if status == .paused, let sample, keepsRecords {
            Terminal.printError("the file stays at \(sample.path); name it to go on")
        } else {
            sample?.remove()
        }
        return status
    }

    private var isLocal: Bool {
        if case .local = options.service { true } else { false }
    }

    /// A record of a server that is gone with this process helps nobody.
    private var keepsRecords: Bool {
        options.keepsCheckpoint && (!isLocal || options.checkpointDirectory != nil)
    }

    /// Runs `body` with the source of credentials that the options name.
    private func withService(_ body: (VODGetAuth) async throws -> ExitStatus) async throws -> ExitStatus {
        var transport = TransportConfiguration()
        if let file = options.caFile { transport.certificateAuthority = .file(file) }
        switch options.service {
        case .local:
            let service = try LocalService()
            defer { service.stop() }
            if options.events == .human { Terminal.print("A VOD server runs in this process at \(service.endpoint).") }
            return try await through(service.client(), body)
        case .appServer(let url):
            let client = try VODAppServerClient(url: url, transport: transport)
            let status = try await body(.appServer(client))
            await client.shutdown()
            return status
        case .openAPI(let credentials, let endpoint):
            var configuration = VODOpenAPIConfiguration(credential: credentials, region: options.region)
            configuration.endpoint = endpoint
            configuration.transport = transport
            return try await through(VODOpenAPIClient(configuration), body)
        }
    }

    private func through(
        _ client: VODOpenAPIClient, _ body: (VODGetAuth) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let status = try await body(.openAPI(client))
        await client.shutdown()
        return status
    }

    private func upload(_ files: [String], with getAuth: VODGetAuth) async throws -> ExitStatus {
        let uploader = try VODUploader(configuration(getAuth))
        let display = Display(options.events, canResume: keepsRecords, isLocal: isLocal)
        let uploads = files.map { FileUpload($0, options: options) }
        let interrupt = Interrupt {
            Terminal.printError("pausing; interrupt again to end at once")
            for upload in uploads { upload.pause() }
        }
        defer { withExtendedLifetime(interrupt) {} }

        let worst = await withTaskGroup(of: ExitStatus.self) { group in
            var waiting = uploads[...]
            func startNext() {
                guard let upload = waiting.popFirst() else { return }
                group.addTask { await upload.run(uploader, display) }
            }
            for _ in 0..<Self.width { startNext() }
            var worst = ExitStatus.done
            for await status in group {
                worst = worst.worst(status)
                startNext()
            }
            return worst
        }
        await uploader.shutdown()
        return worst
    }

    private func configuration(_ getAuth: VODGetAuth) -> VODUploadConfig {
        var config = VODUploadConfig(getAuth: getAuth)
        config.timeout = options.timeout
        config.maxRetryCount = options.maxRetry
        config.signature = options.signature
        config.checkpoint = keepsRecords
        config.checkpointDirectory = options.checkpointDirectory
        config.partSize = options.partSize
        config.parallel = options.parallel
        config.region = options.region
        config.reportEnabled = options.reports
        config.reporter = LineReporter()
        if let file = options.caFile { config.certificateAuthority = .file(file) }
        return config
    }
}
