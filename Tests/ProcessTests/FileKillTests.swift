import Foundation
import TestSupport
import Testing

/// A program that uploads and downloads, killed at its events.
@Suite(.serialized) struct FileKillTests {
    private static let partSize = 5 << 20
    /// Seven parts: the first event is the creation, the last the end.
    private static let size = 6 * partSize + 17

    /// One transfer of the program, until it is done.
    private struct Transfer {
        let stub: StubProcess
        /// Where the file and the checkpoints are.
        let directory: URL
        let kind: String
        let key: String
        let file: String

        var records: String { directory.appendingPathComponent("records").path }
        private var arguments: [String] { [kind, "bucket", key, file, records + "/"] }

        /// Kills the program at the `count`th event of this run, and returns the parts that are recorded then; nil when it had
        /// fewer.
        func dies(after count: Int) async throws -> Set<String>? {
            let victim = try Program("FileTransferProgram", arguments + ["\(count)"], environment: stub.environment)
            for _ in 0..<count { _ = await victim.waitForLine { $0.hasPrefix("event ") } }
            victim.signal(SIGKILL)
            let death = await victim.wait()
            #expect(death.wasKilled || death.status == 0, "\(kind) \(key): \(death.errors)")
            return death.wasKilled ? try CheckpointDirectory.durableParts(in: records) : nil
        }

        /// Runs the program to its end, and returns the types of its events.
        func ends() async throws -> [String] {
            let outcome = try await Program.run("FileTransferProgram", arguments, environment: stub.environment)
            #expect(outcome.status == 0, "\(kind) \(key): \(outcome.errors)")
            #expect(outcome.lines.last == "done crc64")
            #expect(try FileManager.default.contentsOfDirectory(atPath: records).isEmpty)
            return outcome.lines.filter { $0.hasPrefix("event ") }.map { String($0.split(separator: " ")[1]) }
        }
    }

    /// A file of random bytes.
    private func makeFile(at url: URL) throws {
        var bytes = Data(count: Self.size)
        bytes.withUnsafeMutableBytes { bytes in
            var random = SystemRandomNumberGenerator()
            for offset in stride(from: 0, to: bytes.count - 8, by: 8) {
                bytes.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
            }
        }
        try bytes.write(to: url)
    }

    /// How often the parts of a download were asked for since line `start` of the server's log.
    private func fetches(_ stub: StubProcess, since start: Int) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for line in try stub.requests().dropFirst(start) where line.contains(" GetObject ") {
            guard let range = line.range(of: "bytes=") else { continue }
            let first = Int(line[range.upperBound...].prefix { $0.isNumber }) ?? 0
            counts["\(first / Self.partSize + 1)", default: 0] += 1
        }
        return counts
    }

    @Test func killsAtTheEventsOfUploadsAndDownloadsCostNoDurablePart() async throws {
        let stub = try await StubProcess(["--bucket", "bucket", "--latency", "5"])
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("kills-\(UUID().uuidString)/")
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let original = directory.appendingPathComponent("original")
        try makeFile(at: original)
        var durable = 0
        // The creation; parts; the last part; the end, when only the record may still be there.
        for stop in [1, 2, 5, 8, 9] {
            let key = "film-\(stop)"
            let upload = Transfer(stub: stub, directory: directory, kind: "upload", key: key, file: original.path)
            let sent = try #require(try await upload.dies(after: stop))
            durable += sent.count
            let events = try await upload.ends()
            #expect(!events.contains("4") && !events.contains("5") && !events.contains("7"))
            #expect(events.last == "6")
            let stored = try #require(try stub.storedParts()["bucket/\(key)"])
            for number in sent { #expect(stored[number] == 1, "upload, stop \(stop), part \(number)") }
            #expect(try stub.object("bucket/\(key)").length == UInt64(Self.size))

            let copy = directory.appendingPathComponent("copy-\(stop)")
            let download = Transfer(stub: stub, directory: directory, kind: "download", key: key, file: copy.path)
            let fetched = try #require(try await download.dies(after: stop))
            durable += fetched.count
            let seen = try stub.requests().count
            #expect(try await download.ends().last == "6")
            for number in fetched {
                #expect(try fetches(stub, since: seen)[number] == nil, "stop \(stop), part \(number)")
            }
            #expect(FileManager.default.contentsEqual(atPath: copy.path, andPath: original.path))
            #expect(!FileManager.default.fileExists(atPath: copy.path + ".part"))
        }
        #expect(durable > 20, "the records were empty")
    }

    @Test func aDownloadThatIsKilledOverAndOverFetchesEachPartOnce() async throws {
        let stub = try await StubProcess(["--object", "bucket/film=\(Self.size)", "--latency", "20"])
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("kills-\(UUID().uuidString)/")
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let file = directory.appendingPathComponent("film").path
        let download = Transfer(stub: stub, directory: directory, kind: "download", key: "film", file: file)
        var kept: Set<String> = []
        while true {
            let before = try stub.requests().count
            // A run has two parts before it is killed, and may have recorded more than it told.
            guard let recorded = try await download.dies(after: 2), !FileManager.default.fileExists(atPath: file)
            else { break }
            #expect(recorded.isSuperset(of: kept) && recorded.count > kept.count)
            for number in kept { #expect(try fetches(stub, since: before)[number] == nil) }
            kept = recorded
        }
        #expect(!kept.isEmpty)
        #expect(try await download.ends().last == "6")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["film", "records"])
    }
}
