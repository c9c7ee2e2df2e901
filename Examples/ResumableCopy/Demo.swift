import ExampleSupport
import ObjectStoreStub
import ObjectTransfer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Shows a copy that is paused half-way, resumed by another client, and verified, against a server in this process.
struct Demo {
    private static let size: UInt64 = 256 << 20
    private static let source = (bucket: "demo-source", key: "films/holiday 2026.mov")
    private static let target = (bucket: "demo-target", key: "archive/holiday 2026.mov")

    static func run() async -> ExitStatus {
        do {
            return try await Demo().run()
        } catch {
            Terminal.printError("failed: \(error)")
            return .failed
        }
    }

    private let server: ObjectStoreStub
    private let directory: String

    private init() throws {
        var configuration = StubConfiguration()
        configuration.buckets = [Self.source.bucket, Self.target.bucket]
        // A server on the same machine would be too fast to watch.
        configuration.latency = .milliseconds(100)
        server = try ObjectStoreStub.startNow(configuration)
        directory = FileManager.default.temporaryDirectory.path + "/resumable-copy-\(UInt64.random(in: 0 ... .max))/"
    }

    private func run() async throws -> ExitStatus {
        defer {
            server.stop()
            try? FileManager.default.removeItem(atPath: directory)
        }
        let start = ContinuousClock.now
        Terminal.print("A TOS server runs in this process at \(server.endpoint).")
        try server.storage.putObject(
            Self.source.key, in: Self.source.bucket, .generated(seed: 2026, length: Self.size))
        Terminal.print(
            "It holds \(Self.source.bucket)/\(Self.source.key), \(Units.bytes(Self.size)) of pseudo-random bytes.\n")

        Terminal.print("1. Copy it to \(Self.target.bucket) with 3 tasks, and pause about half-way.")
        let (pausedAt, before) = try await copy(pauseAfterParts: 4)
        guard pausedAt == nil else { throw DemoError("the copy was to be paused, and completed") }
        try await showCheckpoint()

        Terminal.print("\n3. Resume with another client.")
        let (output, after) = try await copy(pauseAfterParts: nil)
        guard let output else { throw DemoError("the copy was to be completed, and was paused") }

        Terminal.print("\n4. Compare both objects.")
        return try summarise(output, before: before, after: after, time: ContinuousClock.now - start)
    }

    /// One call with a client of its own. Returns what it made, or nil when it was paused, and the parts it copied.
    private func copy(pauseAfterParts: Int?) async throws -> (TOSResumableCopyObjectOutput?, Int) {
        let client = try TOSClient(
            configuration: TOSClientConfiguration(
                endpoint: TOSEndpoint(url: server.endpoint, region: server.region),
                credential: TOSCredential(accessKey: server.accessKey, secretKey: server.secretKey)))
        let hook = TOSCancelHook()
        var input = TOSResumableCopyObjectInput(
            srcBucket: Self.source.bucket, srcKey: Self.source.key, bucket: Self.target.bucket, key: Self.target.key)
        input.taskNum = 3
        input.enableCheckpoint = true
        input.checkpointFile = directory
        input.cancelHook = hook
        let copy = try client.startResumableCopyObject(input)
        var display = Display(.human)
        var copied = 0
        for await event in copy.events {
            if case .partCompleted = event {
                copied += 1
                if copied == pauseAfterParts { hook.cancel() }
            }
            display.show(event)
        }
        display.end()
        do {
            let output = try await copy.value
            await client.shutdown()
            return (output, copied)
        } catch let error as TransferError where error.code == .paused {
            await client.shutdown()
            return (nil, copied)
        }
    }

    private func showCheckpoint() async throws {
        guard let summary = try await FileCheckpointStore(path: directory).pending().first else {
            throw DemoError("a paused copy was to leave a checkpoint")
        }
        Terminal.print(
            """

            2. Paused. The checkpoint holds
                 source      \(summary.source.object?.description ?? "?"), etag \(summary.source.etag?.bare ?? "?")
                 target      \(summary.target)
                 upload      \(summary.uploadID)
                 parts       \(summary.partsDone) of \(summary.partCount ?? 0), \(Units.bytes(summary.bytesDone))
               and no key, no token.
            """)
    }

    private func summarise(
        _ output: TOSResumableCopyObjectOutput, before: Int, after: Int, time: Duration
    ) throws -> ExitStatus {
        guard let original = server.storage.object(Self.source.key, in: Self.source.bucket),
            let copied = server.storage.object(Self.target.key, in: Self.target.bucket)
        else { throw DemoError("an object is missing") }
        let difference = original.content.firstDifference(from: copied.content)
        let again = server.storage.storedPartCounts.values.flatMap(\.values).reduce(0) { $0 + $1 - 1 }
        let isEqual = difference == nil && original.crc64 == copied.crc64
        Terminal.print(
            """
                 parts copied before the pause: \(before)
                 parts copied after it:         \(after)
                 re-copied: \(again)
                 crc64 of the source:           \(original.crc64.map(String.init) ?? "?")
                 crc64 of the copy:             \(copied.crc64.map(String.init) ?? "?")
                 bytes:                         \(difference.map { "differ at \($0)" } ?? "equal, all \(copied.length)")
                 verified by the library:       \(output.verification)
                 time:                          \(Units.seconds(time))
            """)
        return isEqual && again == 0 ? .done : .failed
    }
}

/// What the demonstration did not expect.
private struct DemoError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
