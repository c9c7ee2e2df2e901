import ObjectStoreStub
import StubFixtures

/// The official client that does what the recordings of a dialect do with the library.
struct GoldenClient: Sendable {
    let driver: String
    /// The flows that it can go on with by itself: they are interrupted. Others are made from its operations.
    let resumes: Set<GoldenFlow>
    /// The parts from 2 to this one fail once. A client that goes on after the second would send the third before it.
    private(set) var lastInterrupted = 2
    /// What its driver is told besides.
    let prepare: @Sendable (inout DriverSettings, ObjectStoreStub) -> Void

    init(_ dialect: GoldenDialect) {
        switch dialect {
        case .oss:
            self.init("record_oss_v2.py", resumes: .resumableUpload) { $0.region = $1.ossRegion }
        case .ossV1:
            self.init("record_oss2.py", resumes: .resumableUpload) { settings, server in
                settings.region = server.ossRegion
                settings.signature = "v1"
            }
        case .tos:
            self.init("record_tos.py", resumes: .resumableUpload, .resumableCopy) { settings, _ in
                settings.addressing = .host
            }
            lastInterrupted = 3
        case .s3:
            self.init("record_boto3.py")
        case .tosS3:
            self.init("record_boto3.py") { settings, _ in settings.checksums = "when_required" }
        }
    }

    private init(
        _ driver: String, resumes: GoldenFlow...,
        prepare: @escaping @Sendable (inout DriverSettings, ObjectStoreStub) -> Void = { _, _ in }
    ) {
        self.driver = driver
        self.resumes = Set(resumes)
        self.prepare = prepare
    }
}
