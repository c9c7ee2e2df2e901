import ExampleSupport
import ObjectStoreStub
import ObjectTransfer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Takes an object round: up from a file, to another bucket, and down again, each way paused on its way and resumed by
/// another client, against a server in this process.
struct Demo {
    private static let key = "films/holiday 2026.mov"
    private static let size: UInt64 = 64 << 20

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
        configuration.buckets = ["demo-films", "demo-archive"]
        // A server on the same machine would be too fast to watch.
        configuration.latency = .milliseconds(50)
        server = try ObjectStoreStub.startNow(configuration)
        directory = FileManager.default.temporaryDirectory.path + "/s3-transfer-\(UInt64.random(in: 0 ... .max))/"
    }

    private func run() async throws -> ExitStatus {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer {
            server.stop()
            try? FileManager.default.removeItem(atPath: directory)
        }
        Terminal.print("A server that speaks S3 runs in this process at \(server.endpoint).")
        let original = directory + "original.mov"
        let returned = directory + "returned.mov"
        try Self.writeFilm(to: original)
        let film = ObjectLocation(bucket: "demo-films", key: Self.key)
        let copy = ObjectLocation(bucket: "demo-archive", key: Self.key)

        Terminal.print("\n1. Upload a file of \(Units.bytes(Self.size)).")
        try await pauseAndResume(.upload(file: original, film))
        Terminal.print("\n2. Copy it to another bucket, inside the service.")
        try await pauseAndResume(.copy(film, copy))
        Terminal.print("\n3. Download the copy.")
        try await pauseAndResume(.download(copy, file: returned))

        Terminal.print("\n4. Compare both files.")
        let again = server.storage.storedPartCounts.values.flatMap(\.values).reduce(0) { $0 + $1 - 1 }
        let isEqual = FileManager.default.contentsEqual(atPath: original, andPath: returned)
        Terminal.print(
            """
                 bytes:                \(isEqual ? "equal" : "different")
                 parts stored twice:   \(again)
            """)
        return isEqual && again == 0 ? .done : .failed
    }

    private func pauseAndResume(_ way: Options.Way) async throws {
        guard try await run(way, pauseAfterParts: 3) == nil else {
            throw DemoError("the transfer was to be paused, and completed")
        }
        Terminal.print("paused; another client goes on")
        guard let receipt = try await run(way, pauseAfterParts: nil) else {
            throw DemoError("the transfer was to be completed, and was paused")
        }
        Terminal.print("done, verified by the library: \(receipt.verification)")
    }

    /// One call with a client of its own. Returns nil when it was paused.
    private func run(_ way: Options.Way, pauseAfterParts: Int?) async throws -> TransferReceipt? {
        let client = try S3Client(
            configuration: S3ClientConfiguration(
                endpoint: S3Endpoint(url: server.endpoint, region: server.region),
                credential: S3Credential(accessKey: server.accessKey, secretKey: server.secretKey)))
        let hook = TransferCancelHook()
        let transfer = try client.start(
            way,
            TransferOptions(
                concurrency: 2, checkpoint: .store(FileCheckpointStore(path: directory + "checkpoints/")),
                cancelHook: hook,
                // A busy machine is to cut nothing that would be moved again.
                pauseGrace: .seconds(60)))
        var display = TransferDisplay(.human)
        var moved = 0
        for await event in transfer.events {
            if case .partCompleted = event {
                moved += 1
                if moved == pauseAfterParts { hook.cancel() }
            }
            display.show(event)
        }
        display.end()
        do {
            let receipt = try await transfer.value
            await client.shutdown()
            return receipt
        } catch let error as TransferError where error.code == .paused {
            await client.shutdown()
            return nil
        }
    }

    /// Bytes that differ from part to part.
    private static func writeFilm(to path: String) throws {
        var generator = SystemRandomNumberGenerator()
        var film = Data(capacity: Int(size))
        let block = (0..<1 << 17).map { _ in generator.next() }.withUnsafeBytes { Data($0) }
        while film.count < Int(size) {
            film.append(block)
            film[film.count - block.count] = UInt8(truncatingIfNeeded: film.count / block.count)
        }
        try film.write(to: URL(filePath: path))
    }
}

/// What the demonstration did not expect.
private struct DemoError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
