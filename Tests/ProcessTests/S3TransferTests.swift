import Foundation
import TestSupport
import Testing

/// What `Examples/S3Transfer` promises on its usage page.
@Suite struct S3TransferTests {
    /// What points the program at a server.
    private func environment(_ stub: StubProcess) -> [String: String] {
        [
            "AWS_ENDPOINT_URL_S3": stub.endpoint, "AWS_REGION": stub.environment["TOS_REGION"] ?? "",
            "AWS_ACCESS_KEY_ID": stub.accessKey, "AWS_SECRET_ACCESS_KEY": stub.secretKey, "AWS_SESSION_TOKEN": "",
        ]
    }

    private func stub(latency: Int = 20) async throws -> StubProcess {
        try await StubProcess(["--object", "src/film=32m", "--bucket", "dst", "--latency", "\(latency)"])
    }

    @Test func theDemonstrationGoesRoundAndCompares() async throws {
        let outcome = try await Program.run("S3Transfer", [])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("equal"))
        #expect(outcome.output.contains("parts stored twice:   0"))
        #expect(outcome.lines.count { $0.hasPrefix("resumed ") } == 3)
    }

    @Test func everyWayIsPausedWithThreeAndResumed() async throws {
        let stub = try await stub()
        let directory = try TemporaryDirectory()
        let file = directory.path("film")
        for way in [
            ["copy", "s3://src/film", "s3://dst/a/copied film"], ["download", "s3://dst/a/copied film", file],
            ["upload", file, "s3://dst/back"],
        ] {
            let command =
                way + ["--part-size", "5m", "--parallel", "1", "--checkpoint", directory.path("checkpoint")]
            let paused = try await Program.run(
                "S3Transfer", command + ["--pause-after-parts", "2"], environment: environment(stub))
            #expect(paused.status == 3, "\(way): \(paused.errors)")
            #expect(paused.errors.contains("run the same command again to resume"))
            let resumed = try await Program.run("S3Transfer", command, environment: environment(stub))
            #expect(resumed.status == 0, "\(way): \(resumed.errors)")
            #expect(resumed.lines.contains { $0.hasPrefix("resumed ") })
            #expect(directory.files == (way[0] == "copy" ? [] : ["film"]))
        }
        #expect(try stub.object("dst/back") == stub.object("src/film"))
        // On a busy machine the part in flight is cut at the end of its grace, when the server may have it already.
        for stored in try stub.storedParts().values {
            #expect(stored["1"] == 1 && stored["2"] == 1)
            #expect(stored.values.map { $0 - 1 }.reduce(0, +) <= 1)
        }
    }

    @Test func anInterruptPauses() async throws {
        // Slow enough for the signal to come before the last part, however busy the machine is.
        let stub = try await stub(latency: 1000)
        let directory = try TemporaryDirectory()
        let command = [
            "download", "s3://src/film", directory.path("film"), "--part-size", "5m", "--parallel", "1", "--checkpoint",
            directory.path("checkpoint"),
        ]
        let first = try Program("S3Transfer", command, environment: environment(stub))
        #expect(await first.waitForLine { $0.hasPrefix("part 1 ") } != nil)
        first.signal(SIGINT)
        #expect(await first.wait().status == 3)
        let next = try await Program.run("S3Transfer", command, environment: environment(stub))
        #expect(next.status == 0, "\(next.errors)")
        #expect(directory.files == ["film"])
    }

    @Test func anAbortEndsWithFourAndLeavesNothing() async throws {
        let stub = try await stub()
        let directory = try TemporaryDirectory()
        let outcome = try await Program.run(
            "S3Transfer",
            [
                "copy", "s3://src/film", "s3://dst/k", "--part-size", "5m", "--parallel", "1", "--checkpoint",
                directory.path("checkpoint"), "--abort-after-parts", "2", "--events", "json",
            ], environment: environment(stub))
        #expect(outcome.status == 4, "\(outcome.errors)")
        #expect(directory.files.isEmpty)
        for line in outcome.lines {
            #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
        }
    }

    @Test func aFailureEndsWithOneAndShowsNoSecret() async throws {
        let stub = try await stub()
        let missing = try await Program.run(
            "S3Transfer", ["copy", "s3://src/none", "s3://dst/k", "--no-checkpoint"], environment: environment(stub))
        #expect(missing.status == 1)
        #expect(missing.errors.contains("notFound"))
        let refused = try await Program.run(
            "S3Transfer",
            ["copy", "s3://src/film", "s3://dst/k", "--no-checkpoint", "--secret-key", "NotTheSecret000"],
            environment: environment(stub))
        #expect(refused.status == 1)
        #expect(!(refused.errors + refused.output).contains("NotTheSecret000"))
    }

    @Test(arguments: [
        ["--no-such-option"], ["upload", "file"], ["upload", "file", "bucket/key"], ["copy", "s3://b/k", "s3://b"],
        ["copy", "s3://b/k", "s3://b/"], ["download", "s3:///k", "file"], ["move", "s3://b/k", "s3://b/l"],
        ["upload", "file", "s3://b/k", "--source-version", "1"],
        ["upload", "file", "s3://b/k", "--checkpoint", "c", "--no-checkpoint"],
        ["upload", "file", "s3://b/k", "--region"],
    ])
    func wrongUsageEndsWithTwo(_ arguments: [String]) async throws {
        let keys = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
        let outcome = try await Program.run("S3Transfer", arguments, environment: keys)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("--help"))
    }

    @Test func helpEndsWithZero() async throws {
        #expect(try await Program.run("S3Transfer", ["upload", "--help"]).status == 0)
    }
}
