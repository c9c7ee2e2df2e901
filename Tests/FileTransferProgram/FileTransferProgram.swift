import ExampleSupport
import ObjectTransfer
import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Uploads or downloads a file and prints one line an event, for tests that kill it. After as many events as asked for it stops itself, so
/// that the kill comes at that event and not some time later.
///
///     FileTransferProgram upload|download|upload-oss BUCKET KEY FILE CHECKPOINTS [EVENTS]
///
/// CHECKPOINTS is a path; `-` for the default place; `shared:DIRECTORY` for a `SharedCheckpointStore`. The service is in the
/// environment, as for the examples; so are PARALLEL and IDLE_TIMEOUT, in milliseconds. An interrupt pauses. With DIE_AT the process kills itself in that call of the
/// checkpoint's file system, counted from 1, and DIE_HOW says how far the call comes.
@main
struct FileTransferProgram {
    static func main() async throws {
        Terminal.prepare()
        let words = CommandLine.arguments
        guard words.count >= 6, ["upload", "download", "upload-oss"].contains(words[1]) else { Terminal.exit(.usage) }
        let hook = TransferCancelHook()
        let interrupt = Interrupt { hook.cancel() }
        let program = FileTransferProgram(
            bucket: words[2], key: words[3], file: words[4], checkpoints: words[5],
            parallel: Int(variable("PARALLEL")) ?? 3, hook: hook,
            events: EventPrinter(stopsAfter: words.count > 6 ? Int(words[6]) : nil))
        do {
            let verification =
                switch words[1] {
                case "upload": try await program.upload()
                case "download": try await program.download()
                default: try await program.uploadToOSS()
                }
            Terminal.print("done \(verification)")
        } catch let error as TransferError {
            Terminal.printError("\(error.code) \(error.field ?? "-"): \(error)")
            Terminal.exit(error.code == .paused ? .paused : .failed)
        }
        withExtendedLifetime(interrupt) {}
    }

    let bucket: String
    let key: String
    let file: String
    let checkpoints: String
    let parallel: Int
    let hook: TransferCancelHook
    fileprivate let events: EventPrinter

    private func upload() async throws -> TransferReceipt.Verification {
        let client = try Self.tos()
        var input = TOSUploadFileInput(bucket: bucket, key: key, filePath: file)
        input.partSize = 5 << 20
        input.taskNum = parallel
        input.enableCheckpoint = true
        input.checkpointFile = path
        input.checkpointStore = store
        input.cancelHook = hook
        input.uploadEventListener = { events.print($0.type.rawValue, part: $0.uploadPartInfo?.partNumber) }
        let output = try await client.uploadFile(input)
        await client.shutdown()
        return output.verification
    }

    private func download() async throws -> TransferReceipt.Verification {
        let client = try Self.tos()
        var input = TOSDownloadFileInput(bucket: bucket, key: key, filePath: file)
        input.partSize = 5 << 20
        input.taskNum = parallel
        input.enableCheckpoint = true
        input.checkpointFile = path
        input.checkpointStore = store
        input.cancelHook = hook
        input.downloadEventListener = { events.print($0.type.rawValue, part: $0.downloadPartInfo?.partNumber) }
        let output = try await client.downloadFile(input)
        await client.shutdown()
        return output.verification
    }

    /// Types of events are those of TOS here, too.
    private func uploadToOSS() async throws -> TransferReceipt.Verification {
        var configuration = OSSClientConfiguration(
            endpoint: OSSEndpoint(url: Self.variable("OSS_ENDPOINT"), region: Self.variable("OSS_REGION")),
            credential: OSSCredential(
                accessKey: Self.variable("OSS_ACCESS_KEY"), secretKey: Self.variable("OSS_SECRET_KEY")))
        configuration.retryPolicy.baseDelay = .milliseconds(1)
        if let idleTimeout = Self.idleTimeout { configuration.transport.idleTimeout = idleTimeout }
        let client = try OSSClient(configuration: configuration)
        var input = OSSUploadFileInput(bucket: bucket, key: key, filePath: file)
        input.partSize = 100 << 10
        input.parallel = parallel
        input.enableCheckpoint = true
        input.checkpointFile = path
        input.checkpointStore = store
        input.cancelHook = hook
        input.onEvent = { event in
            switch event {
            case .uploadCreated: events.print(1, part: nil)
            case .partCompleted(let part, _): events.print(3, part: part.number)
            case .completed: events.print(6, part: nil)
            default: break
            }
        }
        let output = try await client.uploadFile(input)
        await client.shutdown()
        return output.verification
    }

    private static func tos() throws -> TOSClient {
        var configuration = TOSClientConfiguration(
            endpoint: TOSEndpoint(url: variable("TOS_ENDPOINT"), region: variable("TOS_REGION")),
            credential: TOSCredential(accessKey: variable("TOS_ACCESS_KEY"), secretKey: variable("TOS_SECRET_KEY")))
        if let idleTimeout { configuration.transport.idleTimeout = idleTimeout }
        return try TOSClient(configuration: configuration)
    }

    private static var idleTimeout: Duration? { Int(variable("IDLE_TIMEOUT")).map { .milliseconds($0) } }

    private static let shared = "shared:"
    private var path: String? { checkpoints == "-" || checkpoints.hasPrefix(Self.shared) ? nil : checkpoints }
    private var store: (any CheckpointStore)? {
        if checkpoints.hasPrefix(Self.shared) {
            return SharedCheckpointStore(directory: String(checkpoints.dropFirst(Self.shared.count)))
        }
        guard let number = Int(Self.variable("DIE_AT")),
            let death = FaultyFileSystem.Death.allCases.first(where: { "\($0)" == Self.variable("DIE_HOW") })
        else { return nil }
        let system = FaultyFileSystem { kill(getpid(), SIGKILL) }
        system.die(at: number, death)
        return FileCheckpointStore(path: checkpoints, fileSystem: system)
    }

    private static func variable(_ name: String) -> String { Environment.value(name) ?? "" }
}

/// Prints events, and stops the process after some.
///
/// Sendable by hand: the listener of a transfer is called once at a time.
private final class EventPrinter: @unchecked Sendable {
    private let limit: Int?
    private var count = 0

    init(stopsAfter limit: Int?) { self.limit = limit }

    func print(_ type: Int, part: Int?) {
        Terminal.print("event \(type)" + (part.map { " part \($0)" } ?? ""))
        count += 1
        if count == limit { kill(getpid(), SIGSTOP) }
    }
}
