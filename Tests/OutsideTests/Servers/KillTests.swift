import Foundation
import ObjectTransfer
import TestSupport
import Testing

extension RealServerTests {
    /// The examples, killed while they work on a real server, and run again.
    @Suite(.serialized) struct KillTests {
        /// A program and what it is to do.
        struct Job: Sendable, CustomTestStringConvertible {
            let kind: RealServer.Kind
            let way: String

            var testDescription: String { "\(kind): \(way)" }
            static let all = RealServer.Kind.allCases.flatMap { kind in
                ["upload", "copy", "download", "copy by TOSClient"].map { Job(kind: kind, way: $0) }
            }
        }

        private static let size: UInt64 = 40 << 20

        @Test(arguments: Job.all) func `kills at random moments cost no durable part`(_ job: Job) async throws {
            let fixture = try ServerFixture(job.kind, size: Self.size)
            if job.way != "upload" { _ = try await fixture.client.uploadFile(fixture.file, to: fixture.film()) }
            var durableBefore = 0
            for round in 1...4 {
                let (program, command) = command(job, fixture, round)
                let victim = try Program(program, command, environment: fixture.server.environment)
                // A random moment: after so many parts, and a little later.
                for _ in 0..<Int.random(in: 1...5) { _ = await victim.waitForLine { $0.contains("\"partCompleted\"") } }
                try await Task.sleep(for: .microseconds(Int.random(in: 0...5_000)))
                victim.signal(SIGKILL)
                let death = await victim.wait()
                // Either it was killed, or it was done before the signal came.
                #expect(death.wasKilled || death.status == 0, "\(death.errors)")
                let durable = try CheckpointDirectory.durableParts(in: fixture.checkpoint)
                durableBefore += durable.count

                let next = try await Program.run(program, command, environment: fixture.server.environment)
                #expect(next.status == 0, "round \(round): \(next.errors)")
                let again = try Self.partsDone(next).intersection(durable)
                #expect(again.isEmpty, "round \(round)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.checkpoint).isEmpty)
                if job.way == "download" {
                    let path = fixture.directory.path("returned-\(round)")
                    #expect(FileManager.default.contentsEqual(atPath: path, andPath: fixture.file))
                } else {
                    #expect(try await fixture.holdsFile(fixture.copy("copy-\(round)")))
                }
            }
            #expect(durableBefore > 0, "no kill came late enough to test anything")
            try Observation(
                table: RealServer.table, row: fixture.server.version, column: "kill -9: \(job.way)", passed: true,
                note: "resumed"
            ).write()
        }

        /// The program and its arguments.
        private func command(_ job: Job, _ fixture: ServerFixture, _ round: Int) -> (String, [String]) {
            let film = fixture.film()
            let copy = fixture.copy("copy-\(round)")
            let options = ["--part-size", "5m", "--checkpoint", fixture.checkpoint + "/", "--events", "json"]
            let transfer = ["--parallel", "2"] + options
            switch job.way {
            case "upload": return ("S3Transfer", ["upload", fixture.file, "s3://\(copy)"] + transfer)
            case "download":
                return (
                    "S3Transfer", ["download", "s3://\(film)", fixture.directory.path("returned-\(round)")] + transfer
                )
            case "copy": return ("S3Transfer", ["copy", "s3://\(film)", "s3://\(copy)"] + transfer)
            default:
                let objects = [
                    "--wire", "s3", "--source-bucket", film.bucket, "--source-key", film.key, "--bucket", copy.bucket,
                    "--key", copy.key, "--task-num", "2",
                ]
                return ("ResumableCopy", objects + options)
            }
        }

        /// The numbers of the parts that a run tells to have moved.
        private static func partsDone(_ outcome: Program.Outcome) throws -> Set<String> {
            var numbers: Set<String> = []
            for line in outcome.lines {
                let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                if event?["event"] as? String == "partCompleted", let part = event?["part"] as? Int {
                    numbers.insert(String(part))
                }
            }
            return numbers
        }
    }
}
