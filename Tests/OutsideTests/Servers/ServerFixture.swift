import Foundation
import ObjectTransfer
import TestSupport

/// A server, a client of it, a file with bytes of its own, and places below a key of the test's own.
struct ServerFixture: Sendable {
    static let partSize: UInt64 = 5 << 20
    /// Three parts and a rest.
    static let size = 3 * partSize + 17

    let server: RealServer
    let client: S3Client
    let directory: TemporaryDirectory
    let file: String
    private let folder = "tests/\(UUID().uuidString)/"

    init(_ kind: RealServer.Kind, size: UInt64 = size) throws {
        server = try RealServers.named(kind)
        client = try server.client()
        directory = try TemporaryDirectory()
        file = directory.path("original")
        try Self.film(size).write(to: URL(filePath: file))
    }

    /// Bytes of which no two stretches of 64 KiB, from a multiple of that on, are the same.
    private static func film(_ size: UInt64) -> Data {
        var generator = SystemRandomNumberGenerator()
        let stretch = (0..<8 << 10).map { _ in generator.next() }
        var film = Data(capacity: Int(size) + stretch.count * 8)
        for number in 0...(size / UInt64(stretch.count * 8)) {
            withUnsafeBytes(of: number) { film.append(contentsOf: $0) }
            stretch.withUnsafeBytes { film.append(contentsOf: $0.dropFirst(8)) }
        }
        return film.prefix(Int(size))
    }

    /// With what clients encode in more ways than one.
    func film(_ name: String = "a b+中?#.mov") -> ObjectLocation {
        ObjectLocation(bucket: RealServer.buckets[0], key: folder + name)
    }

    func copy(_ name: String = "copy +%2541.mov") -> ObjectLocation {
        ObjectLocation(bucket: RealServer.buckets[1], key: folder + name)
    }

    var checkpoint: String { directory.path("checkpoint") }

    /// Small parts, two at a time, and a checkpoint; paused while the first part is recorded where there is a hook.
    func options(_ hook: TransferCancelHook? = nil) -> TransferOptions {
        let store = FileCheckpointStore(path: checkpoint)
        return TransferOptions(
            partSize: Self.partSize, concurrency: 2,
            checkpoint: .store(hook.map { PausingStore(store: store, hook: $0) } ?? store),
            cancelHook: hook, pauseGrace: .seconds(3600))
    }

    /// Whether an object holds the bytes of the file, downloaded without this library's engine.
    func holdsFile(_ object: ObjectLocation) async throws -> Bool {
        let url = try await client.presignedURL(.get, for: object)
        return try PlainHTTP.get(url.url).body == TemporaryDirectory.read(file)
    }
}
