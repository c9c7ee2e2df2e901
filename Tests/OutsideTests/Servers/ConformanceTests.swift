import ObjectTransfer
import Testing
import TransferConformance
import TransferPrimitives

extension RealServerTests {
    /// What the engine relies on, put to real servers: each check of each server is a case. What a server is known not to do is
    /// listed with the reason, and noticed when it does it after all.
    @Suite struct ConformanceTests {
        @Test(arguments: try ServerCheck.all())
        func conforms(_ item: ServerCheck) async throws {
            let server = try RealServers.named(item.kind)
            let check = try #require(try ServerCheck.suite(of: server).checks.first { $0.name == item.name })
            let outcome = await check.run()
            if let reason = item.knownReason {
                withKnownIssue(Comment(rawValue: "\(server.version): \(reason)")) { #expect(outcome == .passed) }
            } else if case .skipped(let reason) = outcome {
                #expect(reason == check.skipReason)
                #expect(item.leavesOut.contains(reason))
            } else {
                #expect(outcome == .passed)
                if outcome == .passed { try Self.passed.add(server) }
            }
        }

        private static let passed = PassedChecks()
    }
}

/// How many checks each server has passed so far in this run, for the README's table.
private struct PassedChecks: Sendable {
    private let counts = LockBox<[RealServer.Kind: Int]>([:])

    func add(_ server: RealServer) throws {
        // Within the lock, so that the last to be written is the highest.
        try counts.withLock { counts in
            counts[server.kind, default: 0] += 1
            let known = ServerCheck.known[server.kind]?.count ?? 0
            try Observation(
                table: RealServer.table, row: server.version, column: "conformance", passed: true,
                note: "\(counts[server.kind, default: 0]) checks, \(known) known not to hold"
            ).write()
        }
    }
}

/// One check of one server.
struct ServerCheck: Sendable, CustomTestStringConvertible {
    let kind: RealServer.Kind
    let name: String
    let description: String

    var knownReason: String? { Self.known[kind]?[name] }
    var testDescription: String { "\(kind): \(description)" + (knownReason.map { " (known: \($0))" } ?? "") }

    /// By what the backend claims; no server is asked.
    static func all() throws -> [ServerCheck] {
        try RealServer.Kind.allCases.flatMap { kind in
            let nowhere = RealServer(
                kind: kind, endpoint: "http://127.0.0.1", region: "us-east-1", accessKey: "none", secretKey: "none",
                version: "")
            return try suite(of: nowhere).checks.map {
                ServerCheck(kind: kind, name: $0.name, description: $0.description)
            }
        }
    }

    static func suite(of server: RealServer) throws -> ConformanceSuite {
        let client = try server.client()
        var subject = ConformanceSubject(bucket: RealServer.buckets[0]) { S3Backend(client) }
        subject.missingBucket = "nowhere"
        subject.partsBeyondPage = 1_001
        subject.remove = { try await client.deleteObject($0) }
        return ConformanceSuite(subject)
    }

    /// What the backend does not claim to do.
    var leavesOut: Set<String> {
        switch kind {
        case .ceph:
            [
                "capabilities.checksums does not name CRC-64",
                "capabilities.honoursCopyPreconditions says that they are not",
            ]
        case .juicefs: ["capabilities.checksums does not name CRC-64"]
        }
    }

    /// What a server does otherwise, by the check that tells.
    static let known: [RealServer.Kind: [String: String]] = [
        .ceph: [
            "abort: no part and no Complete afterwards": "Complete of an upload that is gone is an InternalError",
            "missing: an upload of another id": "Complete of an upload that is gone is an InternalError",
        ],
        .juicefs: [
            "put: keys of any text, told apart byte for byte":
                "keys are paths of a file system: none can be below another",
            "complete: a part that was never stored is refused, and the upload stays":
                "a part that was never stored is a NoSuchUpload",
        ],
    ]
}
