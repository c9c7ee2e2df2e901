import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TLSSupport
import TestSupport
import Testing
import TransferPrimitives

/// Field reports about memory, handles, threads, connections and pace.
@Suite("Field reports: performance and resources") struct PerformanceReports {
    // MARK: FR-092

    private static let partSize = 8 << 20
    /// What a transfer may take at most beyond what the process has before it: twice the parts in flight, and 32 MiB. In KiB.
    fileprivate static let bound = (4 * partSize * 2 + (32 << 20)) >> 10

    /// The figures that a program in a process of its own prints.
    private func figures(
        _ server: ObjectStoreStub, _ words: [String], _ environment: [String: String] = [:]
    ) async throws -> [String: String] {
        var all = ["ENDPOINT": server.endpoint, "ACCESS_KEY": server.accessKey, "SECRET_KEY": server.secretKey]
        all.merge(environment) { $1 }
        let outcome = try await Program.run("MeteredProgram", words, environment: all)
        #expect(outcome.status == 0, "\(words): \(outcome.errors)")
        return Dictionary(
            outcome.lines.map { line in
                let parts = line.split(separator: " ", maxSplits: 1)
                return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
            }, uniquingKeysWith: { $1 })
    }

    /// A server that keeps nothing of what is uploaded.
    private func server() async throws -> ObjectStoreStub {
        var configuration = StubConfiguration()
        configuration.buckets = ["src-bucket"]
        configuration.vod.bucket = "dst-bucket"
        let server = try await ObjectStoreStub.start(configuration)
        server.storage.createBucket("dst-bucket", discardsUploads: true)
        return server
    }

    private func sparseFile(_ directory: TemporaryDirectory, _ name: String = "big.mp4", size: UInt64) throws -> String
    {
        let system = LocalFileSystem()
        try system.truncate(system.open(directory.path(name), .replace), to: size)
        return directory.path(name)
    }

    fileprivate func memory(_ kind: String, size: UInt64) async throws -> Int {
        let server = try await server()
        let directory = try TemporaryDirectory()
        if kind == "download" {
            try server.storage.putObject("big", in: "src-bucket", .pretended(length: size))
            let figures = try await figures(server, ["download", directory.path("big"), "\(Self.partSize)", "4"])
            #expect(figures["left"] == "0")
            return try #require(figures["grown"].flatMap { Int($0) })
        }
        let file = try sparseFile(directory, size: size)
        let figures = try await figures(server, ["upload", kind, file, "\(Self.partSize)", "4"])
        let stored = server.wireLog.entries(of: .uploadPart, .putObject).map(\.bodyLength).reduce(0, +)
        #expect(stored == size + 4)
        #expect(figures["left"] == "0")
        return try #require(figures["grown"].flatMap { Int($0) })
    }

    @Test(
        "FR-092: memory does not grow with the size of the file", .timeLimit(.minutes(2)),
        arguments: ["oss", "s3", "vod", "download"])
    func memoryIsBounded(_ kind: String) async throws {
        let small = try await memory(kind, size: 64 << 20)
        let large = try await memory(kind, size: 512 << 20)
        #expect(small <= Self.bound && large <= Self.bound, "\(small) and \(large) KiB")
        // Eight times the file takes no part more.
        #expect(large <= small + Self.partSize >> 10, "\(small) and \(large) KiB")
    }

    // MARK: FR-093

    fileprivate func failingUploads(_ count: Int) async throws {
        let server = try await server()
        let directory = try TemporaryDirectory()
        let file = try sparseFile(directory, size: 350 << 10)
        // Each kind of failure meets its own uploads, by the last digit of their names.
        let faults: [Fault] = [
            .status(403), .status(500), .resetBeforeBody, .resetInBody(after: 1_000), .resetAfterBody, .closeAfterBody,
            .earlyAnswer(after: 1_000, status: 400), .loseAnswer, .corruptBody(), .stall,
        ]
        for (digit, fault) in faults.enumerated() {
            server.faults.add(
                .on(.uploadPart).parts(2...4).matching { $0.key?.hasSuffix("\(digit)") == true }, fault)
        }
        let figures = try await figures(server, ["failures", file, "\(count)"], ["DESCRIPTORS": "128"])
        #expect(
            figures["codes"] == "accessDenied checksumMismatch connectionFailed refused serviceUnavailable timedOut")
        // The program goes on only once the file of each is closed.
        #expect(figures["more"] == "0")
        // Nothing stays at the server either, where the client had the patience to say so.
        #expect(server.storage.uploads.allSatisfy { $0.key.hasSuffix("9") })
    }

    @Test("FR-093: uploads that fail, in every way, leave no file open", .timeLimit(.minutes(2)))
    func failuresLeaveNoHandles() async throws { try await failingUploads(200) }

    // MARK: FR-094

    fileprivate func manyParts(_ count: Int) async throws {
        let server = try await server()
        let directory = try TemporaryDirectory()
        let file = try sparseFile(directory, size: UInt64(count) * 102_400)
        let figures = try await figures(server, ["upload", "oss", file, "102400", "8"], ["DESCRIPTORS": "64"])
        let handles = try #require(figures["handles"].flatMap { Int($0) })
        #expect((1...9).contains(handles))
        #expect(figures["left"] == "0")
        #expect(server.wireLog.count(of: .uploadPart) == count)
        #expect(server.wireLog.entries(of: .completeMultipartUpload).map(\.status) == [200])
    }

    @Test("FR-094: many parts need no more handles than few, with 64 at most", .timeLimit(.minutes(2)))
    func handlesOfOneFile() async throws { try await manyParts(500) }

    // MARK: FR-095

    @Test(
        "FR-095: 500 clients that were used once leave no thread and no descriptor", .timeLimit(.minutes(2)),
        arguments: ["shutdown", "drop"])
    func clientsEnd(_ how: String) async throws {
        let server = try await server()
        try server.storage.putObject("k", in: "dst-bucket", .text(""))
        let directory = try TemporaryDirectory()
        try directory.write([1, 2, 3], to: "a.mp4")
        // The program returns only once the counts are what they were.
        let figures = try await figures(server, ["clients", "500", how], ["FILE": directory.path("a.mp4")])
        #expect(figures["threads"] == "0")
        if how == "shutdown" {
            let most = try #require(figures["most"].flatMap { Int($0) })
            #expect(most < 100, "threads pile up: \(most)")
        }
    }

    // MARK: FR-096

    @Test(
        "FR-096: the connections of a transfer, and of transfers after each other, are used again",
        arguments: [true, false])
    func connectionsAreUsedAgain(isTLS: Bool) async throws {
        let authority = try TestCertificate.authority()
        let fixture = try await OSSFixture { $0.latency = .milliseconds(3) }
        let relay = try TLSRelay(.loopback(by: authority), to: fixture.server.port)
        defer { relay.stop() }
        let client = try OSSFixture.client(of: fixture.server) {
            if isTLS { $0.endpoint.url = "https://127.0.0.1:\(relay.port)" }
            $0.transport.certificateAuthority = .bytes(Array(authority.pem.utf8))
        }
        func accepted() -> Int { isTLS ? relay.accepted : fixture.server.wireLog.connectionCount }
        let file = try sparseFile(fixture.directory, size: 200 * UInt64(OSSFixture.partSize))
        var input = OSSUploadFileInput(bucket: OSSFixture.bucket, key: "a", filePath: file)
        input.partSize = OSSFixture.partSize
        input.parallel = 4
        _ = try await client.uploadFile(input)
        #expect(fixture.server.wireLog.count(of: .uploadPart) == 200)
        #expect(accepted() <= 6)
        // The pool outlives the task.
        let before = accepted()
        for number in 0..<100 {
            let source = UploadSource.bytes([1, 2, 3], name: "b")
            _ = try await client.uploadFile(
                OSSUploadFileInput(bucket: OSSFixture.bucket, key: "b\(number)", source: source))
        }
        #expect(accepted() == before)

        let other = try OSSFixture.client(of: fixture.server) {
            if isTLS { $0.endpoint.url = "https://127.0.0.1:\(relay.port)" }
            $0.transport.certificateAuthority = .bytes(Array(authority.pem.utf8))
        }
        for number in 0..<100 {
            let source = UploadSource.bytes([1, 2, 3], name: "b")
            _ = try await other.uploadFile(
                OSSUploadFileInput(bucket: OSSFixture.bucket, key: "c\(number)", source: source))
        }
        #expect(accepted() <= before + 2)
    }

    @Test("FR-096: downloads and copies use them again as well")
    func connectionsOfDownloadsAndCopies() async throws {
        let fixture = try await CopyFixture(size: 20 * UInt64(CopyFixture.partSize))
        for turn in 1...3 {
            var copy = fixture.input()
            copy.taskNum = 4
            _ = try await fixture.client.resumableCopyObject(copy)
            var download = TOSDownloadFileInput(
                bucket: "src-bucket", key: fixture.source.key, filePath: fixture.directory.path("down\(turn)"))
            download.partSize = CopyFixture.partSize
            download.taskNum = 4
            _ = try await fixture.client.downloadFile(download)
        }
        #expect(fixture.server.wireLog.count(of: .uploadPartCopy) == 60)
        #expect(fixture.server.wireLog.count(of: .getObject) == 60)
        // Copies and downloads each have a handle kind of their own, and connections in common.
        #expect(fixture.server.wireLog.connectionCount <= 6)
    }

    // MARK: FR-097

    @Test("FR-097: a file fills its five connections from its first part to its last, with default settings")
    func theWindowIsFull() async throws {
        let fixture = try await OSSFixture()
        fixture.server.storage.createBucket("sink", discardsUploads: true)
        let file = try sparseFile(fixture.directory, size: 152 << 20)
        var input = OSSUploadFileInput(bucket: "sink", key: "a", filePath: file)
        input.parallel = 5
        // The first part stays on its way until all others have been: none waits for a batch to end.
        let first = fixture.server.faults.add(.on(.uploadPart).part(1), .hold)
        let others = fixture.server.faults.add(.on(.uploadPart).parts(2...5), .hold)
        let upload = try fixture.client.startUploadFile(input)
        try await others.waitUntilHeld(4)
        try await first.waitUntilHeld(1)
        others.release()
        try await fixture.server.wireLog.waitFor(count: 18, operation: .uploadPart, phase: .ended)
        #expect(first.heldCount == 1)
        first.release()
        let output = try await upload.value
        #expect(output.verification == .crc64)
        #expect(fixture.server.wireLog.mostAtOnce(of: .uploadPart) == 5)
        // 19 parts of 8 MiB, and a request each; nothing is asked besides.
        #expect(
            fixture.server.wireLog.counts == [.createMultipartUpload: 1, .uploadPart: 19, .completeMultipartUpload: 1])
        #expect(fixture.server.wireLog.connectionCount <= 6)
    }

    // MARK: FR-098

    @Test(
        "FR-098: a small file is one request on a connection that is used again, and 64 go at once",
        arguments: [Wire.oss, .tos, .s3])
    func smallFiles(_ wire: Wire) async throws {
        let first = try await WireScene(wire)
        // However slow the machine is, no connection becomes too old to be used again.
        let scene = try first.reached(by: first.server.endpoint) { $0.idleConnectionLifetime = .seconds(3_600) }
        let count = 1_000
        let held = scene.server.faults.add(.on(.putObject).first(64), .hold)
        let bytes = [UInt8](repeating: 7, count: 4 << 10)
        let engine = TransferEngine()
        let before = scene.server.wireLog.connectionCount
        async let all: Void = withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= 64 { try await group.next() }
                group.addTask {
                    let target = ObjectLocation(bucket: "dst-bucket", key: "small/\(number)")
                    let options = TransferOptions(singleRequestLimit: 8 << 20)
                    let handle = try engine.upload(
                        .bytes(bytes, name: "\(number)"), to: target, using: scene.backend, options: options)
                    _ = try await handle.value
                }
            }
            try await group.waitForAll()
        }
        try await held.waitUntilHeld(64)
        held.release()
        try await all
        #expect(scene.server.wireLog.counts == [.putObject: count])
        #expect(scene.server.wireLog.mostAtOnce(of: .putObject) == 64)
        #expect(scene.server.wireLog.connectionCount - before <= 64)
        #expect(scene.server.storage.object("small/999", in: "dst-bucket")?.content.read() == bytes)
    }
}

@Suite("Field reports: performance and resources, by make test-slow", .slow) struct SlowPerformanceReports {
    @Test("FR-092: memory does not grow with 4 GiB", arguments: ["oss", "s3", "vod", "download"])
    func memoryIsBoundedFor4GiB(_ kind: String) async throws {
        #expect(try await PerformanceReports().memory(kind, size: 4 << 30) <= PerformanceReports.bound)
    }

    @Test("FR-093: a thousand uploads that fail leave no file open", .timeLimit(.minutes(10)))
    func aThousandFailuresLeaveNoHandles() async throws { try await PerformanceReports().failingUploads(1_000) }

    @Test("FR-094: 10,000 parts need no more handles than few", .timeLimit(.minutes(10)))
    func handlesOf10000Parts() async throws { try await PerformanceReports().manyParts(10_000) }
}
