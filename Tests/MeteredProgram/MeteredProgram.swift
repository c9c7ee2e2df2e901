import ObjectTransfer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A client in a process of its own, for tests about what a process has: memory, threads, descriptors, signals, an environment.
/// Prints `name value`, one a line.
///
///     MeteredProgram reach URL…                         whether each answers, by the proxies of the environment
///     MeteredProgram upload KIND FILE PARTSIZE PARALLEL memory, descriptors of the file
///     MeteredProgram download FILE PARTSIZE PARALLEL    memory
///     MeteredProgram failures FILE COUNT                descriptors after uploads that fail
///     MeteredProgram clients COUNT shutdown|drop        threads and descriptors after clients
///     MeteredProgram broken COUNT                       uploads whose connections break; what SIGPIPE does afterwards
///     MeteredProgram small COUNT PARALLEL               processor time of small uploads
///     MeteredProgram soak DIRECTORY SECONDS UPLOADS     descriptors, threads and memory, over and over (`Soak`)
///
/// `ENDPOINT`, `ACCESS_KEY`, `SECRET_KEY` name the service; `AUTHORITY` is a file of certificates, `DESCRIPTORS` a limit.
@main
struct MeteredProgram {
    static func main() async throws {
        if let limit = variable("DESCRIPTORS").flatMap({ UInt64($0) }), !ProcessFigures.limitDescriptors(to: limit) {
            exit(3)
        }
        let words = Array(CommandLine.arguments.dropFirst())
        func number(_ index: Int) -> Int { words.indices.contains(index) ? Int(words[index]) ?? 0 : 0 }
        switch words.first {
        case "reach": await reach(Array(words.dropFirst()))
        case "upload": try await upload(words[1], words[2], partSize: number(3), parallel: number(4))
        case "download": try await download(words[1], partSize: number(2), parallel: number(3))
        case "failures": try await failures(words[1], count: number(2))
        case "clients": try await clients(number(1), shutsDown: words[2] == "shutdown")
        case "broken": try await broken(number(1))
        case "small": try await small(number(1), parallel: number(2))
        case "soak": try await Soak.run(directory: words[1], seconds: number(2), uploads: number(3))
        default: exit(2)
        }
    }

    static func say(_ name: String, _ value: some Any) { print("\(name) \(value)") }

    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    static let bucket = "dst-bucket"
    static let credential = Credentials(
        accessKey: variable("ACCESS_KEY") ?? "", secretKey: variable("SECRET_KEY") ?? "")

    static func client(
        _ url: String? = nil, _ change: (inout OSSClientConfiguration) -> Void = { _ in }
    ) throws -> OSSClient {
        var configuration = OSSClientConfiguration(
            endpoint: OSSEndpoint(url: url ?? variable("ENDPOINT") ?? "", region: "cn-shanghai"), credential: credential
        )
        configuration.transport.proxy = .none
        configuration.retryPolicy.baseDelay = .milliseconds(1)
        if let file = variable("AUTHORITY") { configuration.transport.certificateAuthority = .file(file) }
        change(&configuration)
        return try OSSClient(configuration: configuration)
    }

    // MARK: Proxies

    /// `PROXY` is `none`, a URL, or not set for what the environment says.
    private static func reach(_ urls: [String]) async {
        for url in urls {
            do {
                let client = try client(url) {
                    $0.addressing = .path
                    $0.retryPolicy.maxRetries = 2
                    $0.transport.resolver = LoopbackResolver()
                    $0.transport.proxy =
                        switch variable("PROXY") {
                        case nil: .environment
                        case "none"?: .none
                        case let url?: .url(url)
                        }
                }
                _ = try await client.headObject(OSSHeadObjectInput(bucket: bucket, key: "k"))
                say(url, "ok")
                await client.shutdown()
            } catch let error as TransferError {
                say(url, error.code)
                say("error", error)
            } catch {
                say(url, "other")
            }
        }
    }

    // MARK: Memory and files

    private static func upload(_ kind: String, _ file: String, partSize: Int, parallel: Int) async throws {
        let most = Most()
        let look: @Sendable (TransferEvent) -> Void = { event in
            if case .partCompleted = event { most.note(ProcessFigures.descriptors.count { $0 == file }) }
        }
        let oss = try client()
        let s3 = try s3()
        // Everything that is made once is made before the measurement.
        for number in 1...4 {
            _ = try await oss.putObject(
                OSSPutObjectInput(bucket: bucket, key: "warm\(number)", content: MemorySource([1])))
        }
        let idle = ProcessFigures.peakMemory
        switch kind {
        case "oss":
            var input = OSSUploadFileInput(bucket: bucket, key: "big", filePath: file)
            input.partSize = partSize
            input.parallel = parallel
            input.onEvent = look
            _ = try await oss.uploadFile(input)
        case "s3":
            let options = TransferOptions(partSize: UInt64(partSize), concurrency: parallel, onEvent: look)
            _ = try await s3.uploadFile(file, to: ObjectLocation(bucket: bucket, key: "big"), options: options)
        case "vod":
            var config = VODUploadConfig(getAuth: .appServer(try appServer()))
            config.partSize = partSize
            config.parallel = parallel
            config.checkpoint = false
            config.proxy = .none
            _ = try await VODUploader(config).uploadFile(file)
        default: exit(2)
        }
        say("grown", ProcessFigures.peakMemory - idle)
        say("handles", most.value)
        try await waitUntilClosed(file)
    }

    /// The task behind a transfer lets go of its file as it ends, which is a moment after its result is there: the test limits
    /// how long that may take.
    private static func waitUntilClosed(_ file: String) async throws {
        while ProcessFigures.descriptors.contains(where: { $0.hasPrefix(file) }) {
            try await Task.sleep(for: .milliseconds(1))
        }
        say("left", 0)
    }

    private static func download(_ file: String, partSize: Int, parallel: Int) async throws {
        let client = try s3()
        let source = ObjectLocation(bucket: "src-bucket", key: "big")
        _ = try await client.headObject(source)
        let idle = ProcessFigures.peakMemory
        let options = TransferOptions(partSize: UInt64(partSize), concurrency: parallel)
        _ = try await client.downloadFile(source, to: file, options: options)
        say("grown", ProcessFigures.peakMemory - idle)
        try await waitUntilClosed(file)
    }

    private static func s3() throws -> S3Client {
        var configuration = S3ClientConfiguration(
            endpoint: S3Endpoint(url: variable("ENDPOINT") ?? "", region: "cn-beijing"), credential: credential)
        configuration.transport.proxy = .none
        return try S3Client(configuration: configuration)
    }

    private static func appServer() throws -> VODAppServerClient {
        var transport = TransportConfiguration()
        transport.proxy = .none
        return try VODAppServerClient(url: (variable("ENDPOINT") ?? "") + "/app", transport: transport)
    }

    // MARK: Handles

    private static func failures(_ file: String, count: Int) async throws {
        // What the language's runtime and libraries open once is open before the measurement.
        try await uploadFailing(file, count: 10)
        let before = ProcessFigures.descriptors.count
        try await uploadFailing(file, count: count)
        while ProcessFigures.descriptors.count > before { try await Task.sleep(for: .milliseconds(1)) }
        say("more", 0)
    }

    /// Those whose number ends in 9 are given up after a short silence.
    private static func uploadFailing(_ file: String, count: Int) async throws {
        let patient = try client { $0.retryPolicy.maxRetries = 0 }
        let impatient = try client {
            $0.retryPolicy.maxRetries = 0
            $0.transport.idleTimeout = .milliseconds(200)
        }
        var codes: Set<String> = []
        for number in 0..<count {
            let copy = "\(file).\(number)"
            guard link(file, copy) == 0 else { exit(4) }
            var input = OSSUploadFileInput(bucket: bucket, key: "k\(number)", filePath: copy)
            input.partSize = 100 << 10
            input.pauseGrace = .zero
            do {
                _ = try await (number % 10 == 9 ? impatient : patient).uploadFile(input)
                codes.insert("success")
            } catch let error as TransferError {
                codes.insert(error.code.rawValue)
            }
            unlink(copy)
            while ProcessFigures.descriptors.contains(where: { $0.hasPrefix(file) }) {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        say("codes", codes.sorted().joined(separator: " "))
        await patient.shutdown()
        await impatient.shutdown()
    }

    private static func clients(_ count: Int, shutsDown: Bool) async throws {
        // The pool of the language's runtime and what libraries make once are there before the measurement.
        for number in 0..<16 { try await useOnce(number, shutsDown: true) }
        let threads = ProcessFigures.threads
        let descriptors = ProcessFigures.descriptors.count
        var most = 0
        for number in 0..<count {
            try await useOnce(number, shutsDown: shutsDown)
            most = max(most, ProcessFigures.threads - threads)
        }
        // A client that is let go of ends by itself, on threads of its own: the test limits how long that may take.
        while ProcessFigures.threads > threads || ProcessFigures.descriptors.count > descriptors {
            try await Task.sleep(for: .milliseconds(1))
        }
        say("threads", 0)
        say("most", most)
    }

    private static func useOnce(_ number: Int, shutsDown: Bool) async throws {
        switch number % 4 {
        case 0:
            let client = try client()
            _ = try await client.headObject(OSSHeadObjectInput(bucket: bucket, key: "k"))
            if shutsDown { await client.shutdown() }
        case 1:
            let client = try s3()
            _ = try await client.headObject(ObjectLocation(bucket: bucket, key: "k"))
            if shutsDown { await client.shutdown() }
        case 2:
            var configuration = TOSClientConfiguration(
                endpoint: TOSEndpoint(url: variable("ENDPOINT") ?? "", region: "cn-beijing"), credential: credential)
            configuration.transport.proxy = .none
            let client = try TOSClient(configuration: configuration)
            _ = try await client.headObject(TOSHeadObjectInput(bucket: bucket, key: "k"))
            if shutsDown { await client.shutdown() }
        default:
            let backend = try appServer()
            var config = VODUploadConfig(getAuth: .appServer(backend))
            config.checkpoint = false
            config.proxy = .none
            let uploader = try VODUploader(config)
            _ = try await uploader.uploadFile(variable("FILE") ?? "")
            if shutsDown {
                await uploader.shutdown()
                await backend.shutdown()
            }
        }
    }

    // MARK: Broken connections

    private static func broken(_ count: Int) async throws {
        say("deadly", ProcessFigures.brokenPipeIsDeadly)
        let client = try client {
            $0.retryPolicy.maxRetries = 50
            $0.retryPolicy.maxDelay = .milliseconds(5)
        }
        let gate = try Self.client(variable("GATE"))
        let bytes = [UInt8](repeating: 7, count: 300 << 10)
        for number in 0..<count {
            _ = try await client.putObject(
                OSSPutObjectInput(bucket: bucket, key: "k\(number)", content: MemorySource(bytes)))
            // Meanwhile the peer closes what is idle.
            if number % 10 == 9 {
                _ = try await gate.headObject(OSSHeadObjectInput(bucket: bucket, key: "gate-\(number)"))
            }
        }
        await client.shutdown()
        say("stored", count)
        say("deadly", ProcessFigures.brokenPipeIsDeadly)
    }

    // MARK: Small objects

    private static func small(_ count: Int, parallel: Int) async throws {
        let client = try client()
        let bytes = [UInt8](repeating: 7, count: 4 << 10)
        let start = ProcessFigures.processorTime
        let begun = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= parallel { try await group.next() }
                group.addTask {
                    let source = UploadSource.bytes(bytes, name: "k")
                    _ = try await client.uploadFile(
                        OSSUploadFileInput(bucket: bucket, key: "small/\(number)", source: source))
                }
            }
            try await group.waitForAll()
        }
        say("processor-ms-per-file", (ProcessFigures.processorTime - start) * 1_000 / Double(max(1, count)))
        say("seconds", (ContinuousClock.now - begun) / .seconds(1))
        await client.shutdown()
    }
}

/// Every name is this machine.
private struct LoopbackResolver: HostResolver {
    func addresses(of host: String) async throws -> [String] { ["127.0.0.1"] }
}

/// The greatest of the numbers it is told.
///
/// Sendable by hand: the listener of a transfer is called once at a time, and is done when the transfer is.
private final class Most: @unchecked Sendable {
    private(set) var value = 0
    func note(_ number: Int) { value = max(value, number) }
}
