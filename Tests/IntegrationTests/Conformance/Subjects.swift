import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import TransferConformance

/// A backend that is put to the test.
struct Subject: Sendable {
    let name: String
    /// A suite over a service of its own, which ends with it.
    let suite: @Sendable () throws -> ConformanceSuite
    /// Why some checks do not apply; each reason comes from what the backend claims.
    let leavesOut: Set<String>

    init(
        _ name: String, leavesOut: Set<String> = [], _ suite: @escaping @Sendable () throws -> ConformanceSuite
    ) {
        self.name = name
        self.suite = suite
        self.leavesOut = leavesOut
    }

    static let all = [
        Subject("directory") { suite(LocalDirectoryBackend(try LocalDirectory(buckets: bucket))) },
        Subject("OSS") { try onStub { OSSBackend(try OSSFixture.client(of: $0)) } },
        Subject("OSS with signature V1") {
            try onStub { OSSBackend(try OSSFixture.client(of: $0) { $0.signature = .v1 }) }
        },
        Subject("TOS") { try onStub { TOSBackend(try CopyFixture.client(of: $0)) } },
        Subject("TOS compatible with S3", leavesOut: ["capabilities.checksums does not name CRC-64"]) {
            try onStub { TOSBackend(try CopyFixture.client(of: $0) { $0.wireFormat = .s3Compatible }) }
        },
        Subject("S3", leavesOut: ["capabilities.checksums does not name CRC-64"]) {
            try onStub { S3Backend(try S3Fixture.client(of: $0) { $0.honoursCopyPreconditions = true }) }
        },
    ]

    private static let bucket = "films"

    /// A server that is let go of stops; it is kept by what the suite makes its backends with.
    private static func onStub(_ backend: (ObjectStoreStub) throws -> any TransferBackend) throws -> ConformanceSuite {
        var configuration = StubConfiguration()
        configuration.buckets = [bucket]
        configuration.quirks.maximumPageLength = 3
        let server = try ObjectStoreStub.startNow(configuration)
        return suite(try backend(server)) { server.storage.removeObject($0.key, in: $0.bucket) }
    }

    private static func suite(
        _ backend: any TransferBackend, remove: (@Sendable (ObjectLocation) async throws -> Void)? = nil
    ) -> ConformanceSuite {
        var subject = ConformanceSubject(bucket: bucket) { backend }
        subject.missingBucket = "nowhere"
        subject.partsBeyondPage = 7
        subject.remove = remove
        return ConformanceSuite(subject)
    }
}

/// One check of one backend, by name: it gets a service of its own when it is run.
struct ConformanceCase: Sendable, CustomStringConvertible {
    let subject: Subject
    let check: String
    let skipReason: String?
    let description: String

    func run() async throws -> ConformanceCheck.Outcome? {
        try await subject.suite().checks.first { $0.name == check }?.run()
    }

    static func all() throws -> [ConformanceCase] {
        try Subject.all.flatMap { subject in
            try subject.suite().checks.map { check in
                ConformanceCase(
                    subject: subject, check: check.name, skipReason: check.skipReason,
                    description: "\(subject.name): \(check)")
            }
        }
    }
}
