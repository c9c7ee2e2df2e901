import ObjectStoreStub
import ObjectTransfer
import TestSupport
import TransferConformance
import TransferPrimitives

/// The backends that are put to the test. All checks of one work side by side on one server, below keys of their own.
enum Subjects {
    static let all = [
        Subject("directory", Result { suite(LocalDirectoryBackend(try LocalDirectory(buckets: bucket))) }),
        Subject("OSS", onStub { OSSBackend(try OSSFixture.client(of: $0)) }),
        Subject("OSS with signature V1", onStub { OSSBackend(try OSSFixture.client(of: $0) { $0.signature = .v1 }) }),
        Subject("TOS", onStub { TOSBackend(try CopyFixture.client(of: $0)) }),
        Subject(
            "TOS compatible with S3",
            onStub { TOSBackend(try CopyFixture.client(of: $0) { $0.wireFormat = .s3Compatible }) },
            leavesOut: ["capabilities.checksums does not name CRC-64"]),
        Subject(
            "S3", onStub { S3Backend(try S3Fixture.client(of: $0) { $0.honoursCopyPreconditions = true }) },
            leavesOut: ["capabilities.checksums does not name CRC-64"]),
    ]

    private static let bucket = "films"
    /// Those that the checks work on; a server that is let go of stops.
    private static let servers = LockBox<[ObjectStoreStub]>([])

    private static func onStub(
        _ backend: (ObjectStoreStub) throws -> any TransferBackend
    ) -> Result<ConformanceSuite, any Error> {
        Result {
            var configuration = StubConfiguration()
            configuration.buckets = [bucket]
            configuration.quirks.maximumPageLength = 3
            let server = try ObjectStoreStub.startNow(configuration)
            servers.withLock { $0.append(server) }
            return suite(try backend(server))
        }
    }

    private static func suite(_ backend: any TransferBackend) -> ConformanceSuite {
        var subject = ConformanceSubject(bucket: bucket) { backend }
        subject.missingBucket = "nowhere"
        subject.partsBeyondPage = 7
        return ConformanceSuite(subject)
    }
}

/// A backend that is put to the test.
struct Subject: Sendable {
    let name: String
    let suite: Result<ConformanceSuite, any Error>
    /// Why some checks do not apply; each reason comes from what the backend claims.
    let leavesOut: Set<String>

    init(_ name: String, _ suite: Result<ConformanceSuite, any Error>, leavesOut: Set<String> = []) {
        self.name = name
        self.suite = suite
        self.leavesOut = leavesOut
    }
}

/// One check of one backend.
struct ConformanceCase: Sendable, CustomStringConvertible {
    let subject: Subject
    let check: ConformanceCheck

    var description: String { "\(subject.name): \(check)" }

    static func all() throws -> [ConformanceCase] {
        try Subjects.all.flatMap { subject in
            try subject.suite.get().checks.map { ConformanceCase(subject: subject, check: $0) }
        }
    }
}
