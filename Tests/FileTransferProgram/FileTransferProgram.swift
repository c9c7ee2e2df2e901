import ExampleSupport
import ObjectTransfer

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
///     FileTransferProgram upload|download BUCKET KEY FILE CHECKPOINTS [EVENTS]
///
/// The service is in the environment, as for the examples.
@main
struct FileTransferProgram {
    static func main() async throws {
        Terminal.prepare()
        let words = CommandLine.arguments
        guard words.count >= 6, ["upload", "download"].contains(words[1]) else { Terminal.exit(.usage) }
        let events = EventPrinter(stopsAfter: words.count > 6 ? Int(words[6]) : nil)
        let client = try TOSClient(
            configuration: TOSClientConfiguration(
                endpoint: TOSEndpoint(url: variable("TOS_ENDPOINT"), region: variable("TOS_REGION")),
                credential: TOSCredential(
                    accessKey: variable("TOS_ACCESS_KEY"), secretKey: variable("TOS_SECRET_KEY"))))
        if words[1] == "upload" {
            var input = TOSUploadFileInput(bucket: words[2], key: words[3], filePath: words[4])
            input.partSize = 5 << 20
            input.taskNum = 3
            input.enableCheckpoint = true
            input.checkpointFile = words[5]
            input.uploadEventListener = { events.print($0.type.rawValue, part: $0.uploadPartInfo?.partNumber) }
            Terminal.print("done \(try await client.uploadFile(input).verification)")
        } else {
            var input = TOSDownloadFileInput(bucket: words[2], key: words[3], filePath: words[4])
            input.partSize = 5 << 20
            input.taskNum = 3
            input.enableCheckpoint = true
            input.checkpointFile = words[5]
            input.downloadEventListener = { events.print($0.type.rawValue, part: $0.downloadPartInfo?.partNumber) }
            Terminal.print("done \(try await client.downloadFile(input).verification)")
        }
        await client.shutdown()
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
