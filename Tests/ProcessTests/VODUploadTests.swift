import Foundation
import TestSupport
import Testing

/// What `Examples/VODUpload` promises on its usage page.
@Suite struct VODUploadTests {
    /// A directory of this test's own, with files in it.
    private final class Files {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("vod-\(UUID().uuidString)/")

        init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(at: directory) }

        func file(_ name: String, megabytes: Int) throws -> String {
            let url = directory.appendingPathComponent(name)
            var bytes = Data(count: megabytes << 20)
            for offset in stride(from: 0, to: bytes.count, by: 4096) { bytes[offset] = UInt8.random(in: 0...255) }
            try bytes.write(to: url)
            return url.path
        }

        var records: String { directory.appendingPathComponent("records").path }
    }

    @Test func withoutArgumentsItUploadsAFileOfItsOwn() async throws {
        let outcome = try await Program.run("VODUpload", [])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("done (server in this process): video "))
        #expect(outcome.output.contains("64.0 MiB"))
        #expect(outcome.output.contains("verified by crc64"))
    }

    @Test func aReaderThatGoesAwayDoesNotEndTheUpload() async throws {
        let stub = try await StubProcess(["--latency", "50"])
        let files = try Files()
        let program = try Program(
            "VODUpload", ["--app-server", stub.appServer, "--no-checkpoint", try files.file("a.mp4", megabytes: 8)])
        #expect(await program.waitForLine { $0.contains("part ") } != nil)
        program.closeOutput()
        #expect(await program.wait().status == 0)
        let video = try #require(try stub.media().videos.first)
        #expect(try stub.object("\(video.bucket)/\(video.key)").length == 8 << 20)
    }

    @Test func wrongUsageEndsWithTwo() async throws {
        for arguments in [
            ["--no-such-option"], ["--app-server"], ["--parallel", "0"], ["--part-size", "-1k"], ["--signature", "v2"],
            ["--events", "xml"],
            ["--accelerate", "--user-data", "{}"], ["--no-checkpoint", "--checkpoint-dir", "x"],
            ["--app-server", "http://h", "--access-key", "k"], ["--access-key", "k"],
        ] {
            let outcome = try await Program.run(
                "VODUpload", arguments, environment: ["ALIBABA_CLOUD_ACCESS_KEY_SECRET": ""])
            #expect(outcome.status == 2, "\(arguments)")
            #expect(outcome.errors.contains("--help"))
        }
        #expect(try await Program.run("VODUpload", ["--help"]).status == 0)
    }

    /// A key in the environment, and a success that never left the machine.
    @Test func keysInTheEnvironmentWithoutAServiceAreRefused() async throws {
        let keys = ["ALIBABA_CLOUD_ACCESS_KEY_ID": "LTAIexample", "ALIBABA_CLOUD_ACCESS_KEY_SECRET": "secret-of-it"]
        let outcome = try await Program.run("VODUpload", ["a.mp4"], environment: keys)
        #expect(outcome.status == 2)
        #expect(
            outcome.errors.contains(
                "ALIBABA_CLOUD_ACCESS_KEY_ID is set: add --region to upload to VOD, or unset it for the server in this process"
            ))
        #expect(outcome.output.isEmpty)
    }

    @Test(arguments: ["v4", "v1"]) func severalFilesByTheAppServer(_ signature: String) async throws {
        let stub = try await StubProcess([])
        let files = try Files()
        let paths =
            try (1...6).map { try files.file("film \($0).mp4", megabytes: 3) } + [files.file("a.png", megabytes: 1)]
        let outcome = try await Program.run(
            "VODUpload",
            [
                "--app-server", stub.appServer, "--checkpoint-dir", files.records, "--title", "Ferien", "--signature",
                signature, "--part-size", "100k", "--parallel", "3",
            ] + paths)
        #expect(outcome.status == 0, "\(outcome.errors)")
        for path in paths { #expect(outcome.output.contains("\(path): done: ")) }
        let media = try stub.media()
        #expect(media.videos.count == 6 && media.images.count == 1)
        #expect(media.videos.allSatisfy { $0.title == "Ferien" && $0.refreshes == 0 })
        for video in media.videos { #expect(try stub.object("\(video.bucket)/\(video.key)").length == 3 << 20) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.records).isEmpty)
    }

    @Test func theOpenAPIIsCalledWithAnAccessKey() async throws {
        let stub = try await StubProcess([])
        let files = try Files()
        let keys = [
            "ALIBABA_CLOUD_ACCESS_KEY_ID": stub.accessKey, "ALIBABA_CLOUD_ACCESS_KEY_SECRET": stub.secretKey,
        ]
        let arguments = ["--endpoint", stub.endpoint, "--no-checkpoint", try files.file("a.mp4", megabytes: 2)]
        let good = try await Program.run("VODUpload", arguments, environment: keys)
        #expect(good.status == 0, "\(good.errors)")
        let bad = try await Program.run(
            "VODUpload", ["--access-key", stub.accessKey, "--secret-key", "NotTheSecret000"] + arguments)
        #expect(bad.status == 1)
        #expect(bad.errors.contains("SignatureDoesNotMatch"))
        #expect(!(bad.errors + bad.output).contains("NotTheSecret000"))
        #expect(try stub.media().videos.count == 1)
    }

    @Test func theWorstFileDecidesTheStatus() async throws {
        let files = try Files()
        let outcome = try await Program.run(
            "VODUpload", [try files.file("a.mp4", megabytes: 1), "/no/such/file.mp4", "--no-checkpoint"])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("done (server in this process): video "))
        #expect(outcome.errors.contains("/no/such/file.mp4: failed: FileNotExist"))
    }

    @Test func interruptsPauseAndTheNextRunGoesOn() async throws {
        // One by one the parts would take 18 s, so that the signal comes before the last one, however busy the machine is.
        let stub = try await StubProcess(["--latency", "300"])
        let files = try Files()
        let arguments = [
            "--app-server", stub.appServer, "--checkpoint-dir", files.records, "--part-size", "100k",
            try files.file("a.mp4", megabytes: 6), try files.file("b.mp4", megabytes: 6),
        ]
        let first = try Program("VODUpload", ["--parallel", "1"] + arguments)
        #expect(await first.waitForLine { $0.contains("a.mp4: part 1,") } != nil)
        first.signal(SIGINT)
        let outcome = await first.wait()
        #expect(outcome.status == 3, "\(outcome.errors)")
        #expect(outcome.errors.contains("a.mp4: paused"))
        let again = try await Program.run("VODUpload", ["--parallel", "32"] + arguments)
        #expect(again.status == 0, "\(again.errors)")
        #expect(again.output.contains("a.mp4: goes on: "))
        let media = try stub.media()
        #expect(media.videos.count == 2)
        let parts = try stub.storedParts()
        for video in media.videos {
            #expect(parts["\(video.bucket)/\(video.key)"]?.values.allSatisfy { $0 == 1 } == true)
        }
    }

    @Test func killsAtRandomMomentsCostNoDurablePartAndNoSecondVideo() async throws {
        let stub = try await StubProcess(["--latency", "150"])
        let files = try Files()
        var durableBefore = 0
        for round in 1...8 {
            let videosBefore = try stub.media().videos.count
            let path = try files.file("film-\(round).mp4", megabytes: 12)
            let arguments = ["--app-server", stub.appServer, "--checkpoint-dir", files.records, path]
            let victim = try Program("VODUpload", arguments)
            for _ in 0..<Int.random(in: 1...8) { _ = await victim.waitForLine { $0.contains(": part ") } }
            victim.signal(SIGKILL)
            _ = await victim.wait()
            let durable = try CheckpointDirectory.durableParts(in: files.records)
            durableBefore += durable.count
            // A kill comes after a part, thus after the record of its video; that is only gone again when the upload is done,
            // which the next run cannot know.
            let isDone = try FileManager.default.contentsOfDirectory(atPath: files.records).isEmpty
            let next = try await Program.run("VODUpload", arguments)
            #expect(next.status == 0, "round \(round): \(next.errors)")
            let made = try stub.media().videos.dropFirst(videosBefore)
            #expect(made.count == (isDone ? 2 : 1), "round \(round)")
            for video in made { #expect(try stub.object("\(video.bucket)/\(video.key)").length == 12 << 20) }
            let video = try #require(made.last)
            let stored = try #require(try stub.storedParts()["\(video.bucket)/\(video.key)"])
            for number in durable { #expect(stored[number] == 1, "round \(round), part \(number)") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.records).isEmpty)
        }
        #expect(durableBefore > 0, "no kill came late enough to test anything")
    }

    @Test func eventsAreObjectsOfJSON() async throws {
        let files = try Files()
        let outcome = try await Program.run(
            "VODUpload", ["--events", "json", "--report", try files.file("a.mp4", megabytes: 3), "/no/such.mp4"])
        #expect(outcome.status == 1)
        func objects(_ text: String) throws -> [[String: Any]] {
            try text.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
        }
        let events = try objects(outcome.output)
        #expect(events.count { $0["event"] as? String == "partCompleted" } == 3)
        #expect(events.contains { $0["event"] as? String == "uploaded" && $0["videoId"] != nil })
        #expect(events.contains { $0["event"] as? String == "failed" && $0["file"] as? String == "/no/such.mp4" })
        let reports = try objects(
            outcome.errors.split(separator: "\n").filter { $0.hasPrefix("{") }.joined(separator: "\n"))
        #expect(reports.compactMap { $0["event"] as? String }.sorted() == ["failed", "started", "succeeded"])
    }
}
