import Foundation
import TestSupport
import TransferPrimitives

/// One transfer by programs that may be killed: how they are started, and what there is of it at the server and on the disk.
final class KilledTransfer {
    enum Kind: String, CaseIterable {
        /// To TOS in parts of 5 MiB, to OSS in parts of 100 KiB.
        case upload, uploadToOSS
        case copy, download
    }

    /// Parts in flight.
    static let parallel = 3
    /// The object that is copied and downloaded.
    static let source = "src/film"

    let kind: Kind
    let key: String
    private let stub: StubProcess
    /// The file that is uploaded.
    private let original: String
    private let directory: TemporaryDirectory

    init(_ kind: Kind, key: String, stub: StubProcess, original: String) throws {
        self.kind = kind
        self.key = key
        self.stub = stub
        self.original = original
        directory = try TemporaryDirectory()
    }

    private var records: String { directory.path("records/") }
    private var target: String { directory.path("film") }

    func start(_ variables: [String: String] = [:], events: Int? = nil) throws -> Program {
        let words: [String] =
            switch kind {
            case .upload: ["FileTransferProgram", "upload", "dst", key, original, records]
            case .uploadToOSS: ["FileTransferProgram", "upload-oss", "dst", key, original, records]
            case .download: ["FileTransferProgram", "download", "src", "film", target, records]
            case .copy:
                [
                    "ResumableCopy", "--source-bucket", "src", "--source-key", "film", "--bucket", "dst", "--key", key,
                    "--part-size", "5m", "--task-num", "\(Self.parallel)", "--checkpoint", records,
                ]
            }
        var environment = stub.environment
        environment["PARALLEL"] = "\(Self.parallel)"
        environment.merge(variables) { _, new in new }
        return try Program(words[0], words.dropFirst() + (events.map { ["\($0)"] } ?? []), environment: environment)
    }

    // MARK: What there is of it

    /// The numbers of the parts that its checkpoint holds.
    func durableParts() throws -> Set<String> { try CheckpointDirectory.durableParts(in: records) }

    /// Whether it has come to its end, but for that of the process: the result is there, and the checkpoint is gone.
    func isDone() -> Bool { leftFiles().isEmpty && (try? result()) != nil }

    /// How often each part was stored; of a download how often the server sent it, since line `start` of its log.
    func partCounts(since start: Int) throws -> [String: Int] {
        guard kind == .download else { return try stub.storedParts()["dst/\(key)"] ?? [:] }
        var counts: [String: Int] = [:]
        for line in try stub.requests().dropFirst(start) where line.contains(" GetObject ") {
            guard let range = line.range(of: "bytes=") else { continue }
            let first = Int(line[range.upperBound...].prefix { $0.isNumber }) ?? 0
            counts["\(first / (5 << 20) + 1)", default: 0] += 1
        }
        return counts
    }

    /// What it should come to.
    func expected() throws -> StubProcess.ObjectPage {
        switch kind {
        case .upload, .uploadToOSS: try Self.describe(original)
        case .copy, .download: try stub.object(Self.source)
        }
    }

    /// What it came to.
    func result() throws -> StubProcess.ObjectPage {
        kind == .download ? try Self.describe(target) : try stub.object("dst/\(key)")
    }

    /// Its files beside the result.
    func leftFiles() -> [String] { directory.files.filter { $0 != "film" } }

    /// The numbers of the parts of each of its uploads that are open at the server.
    func openUploads() throws -> [[Int]] { try stub.uploads().filter { $0.key == key }.map(\.parts) }

    /// What nobody sends by mistake.
    static func bytes(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: (count + 7) / 8 * 8) { buffer, initialized in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            for offset in stride(from: 0, to: count, by: 8) {
                raw.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
            }
            initialized = count
        }
    }

    private static func describe(_ path: String) throws -> StubProcess.ObjectPage {
        let bytes = try TemporaryDirectory.read(path)
        var crc = CRC64()
        crc.update(bytes)
        return StubProcess.ObjectPage(length: UInt64(bytes.count), crc64: "\(crc.value)")
    }
}
