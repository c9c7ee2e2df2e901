import ObjectStoreStub
import ObjectTransfer
import TestSupport
import TransferConformance
import TransferPrimitives

/// The backends that are put to the test. All checks of one work side by side on one server, below keys of their own.
enum Subjects {
    static let all: [(name: String, suite: Result<ConformanceSuite, any Error>)] = [
        ("directory", Result { suite(LocalDirectoryBackend(try LocalDirectory(buckets: bucket))) }),
        ("OSS", onStub { OSSBackend(try OSSFixture.client(of: $0)) }),
        ("OSS with signature V1", onStub { OSSBackend(try OSSFixture.client(of: $0) { $0.signature = .v1 }) }),
        ("TOS", onStub { TOSBackend(try CopyFixture.client(of: $0)) }),
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

/// One check of one backend.
struct ConformanceCase: Sendable, CustomStringConvertible {
    let subject: String
    let check: ConformanceCheck

    var description: String { "\(subject): \(check)" }

    static func all() throws -> [ConformanceCase] {
        try Subjects.all.flatMap { name, suite in
            try suite.get().checks.map { ConformanceCase(subject: name, check: $0) }
        }
    }
}
