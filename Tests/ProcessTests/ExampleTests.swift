import Foundation
import TestSupport
import Testing

/// What `Examples/ResumableCopy` promises on its usage page.
@Suite struct ExampleTests {
    private func stub(latency: Int = 20) async throws -> StubProcess {
        try await StubProcess(["--object", "src/film=32m", "--bucket", "dst", "--latency", "\(latency)"])
    }

    private func arguments(_ key: String, _ more: String...) -> [String] {
        ["--source-bucket", "src", "--source-key", "film", "--bucket", "dst", "--key", key, "--part-size", "5m"] + more
    }

    private func checkpoint() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("example-\(UUID().uuidString)").path
    }

    @Test func theDemonstrationCopiesPausesResumesAndCompares() async throws {
        let outcome = try await Program.run("ResumableCopy", [])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("re-copied: 0"))
        #expect(outcome.output.contains("verified by the library:       crc64"))
    }

    @Test func theStepsByHandMakeTheSameObject() async throws {
        let alone = try await Program.run("MultipartCopy", [])
        #expect(alone.status == 0, "\(alone.errors)")
        #expect(alone.output.contains("equal"))
        let stub = try await stub()
        for wire in ["native", "s3"] {
            let outcome = try await Program.run(
                "MultipartCopy", arguments("by-hand-" + wire, "--wire", wire), environment: stub.environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try stub.object("dst/by-hand-" + wire) == stub.object("src/film"))
        }
        let refused = try await Program.run(
            "MultipartCopy", arguments("k", "--secret-key", "NotTheSecret000"), environment: stub.environment)
        #expect(refused.status == 1)
        #expect(try await Program.run("MultipartCopy", ["--part-size", "1"]).status == 2)
    }

    @Test func aCopyOverTheOtherWire() async throws {
        let stub = try await stub()
        let outcome = try await Program.run(
            "ResumableCopy", arguments("other-wire", "--no-checkpoint", "--wire", "s3"), environment: stub.environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("verified    partETags"))
        #expect(try stub.object("dst/other-wire") == stub.object("src/film"))
    }

    @Test func wrongUsageEndsWithTwo() async throws {
        for arguments in [["--no-such-option"], ["--source-bucket"], ["--bucket", "b"], ["--task-num", "0"]] {
            let outcome = try await Program.run("ResumableCopy", arguments, environment: ["TOS_ENDPOINT": ""])
            #expect(outcome.status == 2, "\(arguments)")
            #expect(outcome.errors.contains("--help"))
        }
        #expect(try await Program.run("ResumableCopy", ["--help"]).status == 0)
    }

    @Test func aPauseEndsWithThreeAndTheNextRunResumes() async throws {
        let stub = try await stub()
        let path = checkpoint()
        let command = arguments("paused", "--checkpoint", path, "--task-num", "1")
        let paused = try await Program.run(
            "ResumableCopy", command + ["--pause-after-parts", "2"], environment: stub.environment)
        #expect(paused.status == 3)
        #expect(paused.errors.contains("parts stored; run the same command again to resume"))
        #expect(FileManager.default.fileExists(atPath: path))
        let resumed = try await Program.run("ResumableCopy", command, environment: stub.environment)
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try stub.storedParts()["dst/paused"]?.values.allSatisfy { $0 == 1 } == true)
        #expect(try stub.object("dst/paused") == stub.object("src/film"))
    }

    @Test func aPauseWithoutACheckpointPromisesNoResumption() async throws {
        let stub = try await stub()
        let outcome = try await Program.run(
            "ResumableCopy", arguments("unkept", "--no-checkpoint", "--task-num", "1", "--pause-after-parts", "2"),
            environment: stub.environment)
        #expect(outcome.status == 3)
        #expect(
            outcome.errors
                == "paused without a checkpoint: the parts were given up, a later call begins again\n")
    }

    @Test func anAbortEndsWithFourAndLeavesNothing() async throws {
        let stub = try await stub()
        let path = checkpoint()
        let outcome = try await Program.run(
            "ResumableCopy", arguments("aborted", "--checkpoint", path, "--abort-after-parts", "2"),
            environment: stub.environment)
        #expect(outcome.status == 4)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aFailureEndsWithOneAndNamesRequestAndCode() async throws {
        let stub = try await stub()
        let outcome = try await Program.run(
            "ResumableCopy",
            ["--source-bucket", "src", "--source-key", "none", "--bucket", "dst", "--key", "k", "--no-checkpoint"],
            environment: stub.environment)
        #expect(outcome.status == 1)
        #expect(outcome.errors.split(separator: "\n").count == 1)
        for fact in ["notFound", "requestId=", "ec=", "status=404"] { #expect(outcome.errors.contains(fact)) }
        #expect(!outcome.errors.contains(stub.environment["TOS_SECRET_KEY"] ?? "?"))
    }

    @Test func aWrongSecretFailsWithoutShowingIt() async throws {
        let stub = try await stub()
        let outcome = try await Program.run(
            "ResumableCopy", arguments("k", "--no-checkpoint", "--secret-key", "NotTheSecret000"),
            environment: stub.environment)
        #expect(outcome.status == 1)
        #expect(!(outcome.errors + outcome.output).contains("NotTheSecret000"))
    }

    @Test func interruptsPauseOnceAndThenEnd() async throws {
        // Slow enough for the signal to come before the last part, however busy the machine is.
        let stub = try await stub(latency: 1000)
        let path = checkpoint()
        let command = arguments("interrupted", "--checkpoint", path, "--task-num", "1")
        let first = try Program("ResumableCopy", command, environment: stub.environment)
        #expect(await first.waitForLine { $0.hasPrefix("part 1 ") } != nil)
        first.signal(SIGINT)
        #expect(await first.wait().status == 3)
        #expect(try await Program.run("ResumableCopy", command, environment: stub.environment).status == 0)
        #expect(try stub.storedParts()["dst/interrupted"]?.values.allSatisfy { $0 == 1 } == true)
    }

    @Test func eventsAreObjectsOfJSON() async throws {
        let stub = try await stub()
        let outcome = try await Program.run(
            "ResumableCopy", arguments("json", "--events", "json", "--no-checkpoint"), environment: stub.environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let events = try outcome.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let names = events.compactMap { $0["event"] as? String }
        #expect(names.count { $0 == "partCompleted" } == 7)
        #expect(names.last == "completed")
    }
}
