import ExampleSupport
import ObjectStoreStub
import ObjectTransfer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Shows a copy that is paused half-way, resumed by another client, and verified, against a server in this process; then a
/// smaller one over the other wire.
struct Demo {
    private static let film = Film(key: "films/holiday 2026.mov", size: 256 << 20, wire: .native)
    private static let trailer = Film(key: "films/trailer 2026.mov", size: 48 << 20, wire: .s3Compatible)
    private static let source = "demo-source"
    private static let target = "demo-target"

    /// What is copied, to the same key in the other bucket.
    private struct Film {
        let key: String
        /// Bytes.
        let size: UInt64
        let wire: TOSWireFormat
    }

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
        configuration.buckets = [Self.source, Self.target]
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
        Terminal.print("A TOS server runs in this process at \(server.endpoint).")
        for film in [Self.film, Self.trailer] {
            try server.storage.putObject(film.key, in: Self.source, .generated(seed: 2026, length: film.size))
            Terminal.print("It holds \(Self.source)/\(film.key), \(Units.bytes(film.size)) of pseudo-random bytes.")
        }
        let main = try await showPausing()
        let second = try await showOtherWire()
        return main && second ? .done : .failed
    }

    /// Whether the copy is the source, with no part copied twice.
    private func showPausing() async throws -> Bool {
        let start = ContinuousClock.now
        Terminal.print("\n1. Copy \(Self.film.key) to \(Self.target) with 3 tasks, and pause about half-way.")
        let (pausedAt, before) = try await copy(Self.film, pauseAfterParts: 4)
        guard pausedAt == nil else { throw DemoError("the copy was to be paused, and completed") }
        try await showCheckpoint()

        Terminal.print("\n3. Resume with another client.")
        let (output, after) = try await copy(Self.film, pauseAfterParts: nil)
        guard let output else { throw DemoError("the copy was to be completed, and was paused") }

        Terminal.print("\n4. Compare both objects.")
        Terminal.print(
            """
                 parts copied before the pause: \(before)
                 parts copied after it:         \(after)
            """)
        return try compare(Self.film, output, time: ContinuousClock.now - start)
    }

    private func showOtherWire() async throws -> Bool {
        let start = ContinuousClock.now
        Terminal.print("\n5. Copy \(Self.trailer.key) over the S3-compatible wire: XML, AWS4-HMAC-SHA256.")
        let (output, _) = try await copy(Self.trailer, pauseAfterParts: nil)
        guard let output else { throw DemoError("the copy was to be completed, and was paused") }
        return try compare(Self.trailer, output, time: ContinuousClock.now - start)
    }

    /// One call with a client of its own. Returns what it made, or nil when it was paused, and the parts it copied.
    private func copy(
        _ film: Film, pauseAfterParts: Int?
    ) async throws -> (TOSResumableCopyObjectOutput?, Int) {
        var configuration = TOSClientConfiguration(
            endpoint: TOSEndpoint(url: server.endpoint, region: server.region),
            credential: TOSCredential(accessKey: server.accessKey, secretKey: server.secretKey))
        configuration.wireFormat = film.wire
        let client = try TOSClient(configuration: configuration)
        let hook = TOSCancelHook()
        var input = TOSResumableCopyObjectInput(
            srcBucket: Self.source, srcKey: film.key, bucket: Self.target, key: film.key)
        input.taskNum = 3
        input.enableCheckpoint = true
        input.checkpointFile = directory
        input.cancelHook = hook
        // A busy machine is to cut nothing that would be copied again.
        input.pauseGrace = .seconds(60)
        let copy = try client.startResumableCopyObject(input)
        var display = TransferDisplay(.human)
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

    private func compare(_ film: Film, _ output: TOSResumableCopyObjectOutput, time: Duration) throws -> Bool {
        guard let original = server.storage.object(film.key, in: Self.source),
            let copied = server.storage.object(film.key, in: Self.target)
        else { throw DemoError("an object is missing") }
        let difference = original.content.firstDifference(from: copied.content)
        let stored = server.storage.storedPartCounts["\(Self.target)/\(film.key)"] ?? [:]
        let again = stored.values.reduce(0) { $0 + $1 - 1 }
        let isEqual = difference == nil && original.crc64 == copied.crc64
        Terminal.print(
            """
                 re-copied: \(again)
                 crc64 of the source:           \(original.crc64.map(String.init) ?? "?")
                 crc64 of the copy:             \(copied.crc64.map(String.init) ?? "?")
                 bytes:                         \(difference.map { "differ at \($0)" } ?? "equal, all \(copied.length)")
                 verified by the library:       \(output.verification)
                 time:                          \(Units.seconds(time))
            """)
        return isEqual && again == 0
    }
}

/// What the demonstration did not expect.
private struct DemoError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
