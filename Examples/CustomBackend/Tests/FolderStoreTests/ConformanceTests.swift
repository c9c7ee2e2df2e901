import FolderStore
import Foundation
import Testing
import TransferConformance

/// All that the engine relies on in a backend, a case for each.
@Suite struct ConformanceTests {
    private static let suite = Result {
        let path = NSTemporaryDirectory() + "/folder-store-\(UUID().uuidString)"
        let store = try FolderStore(path, buckets: ["films"])
        var subject = ConformanceSubject(bucket: "films") { FolderBackend(store) }
        subject.missingBucket = "nowhere"
        subject.partsBeyondPage = 20
        subject.remove = { try await store.delete($0) }
        return ConformanceSuite(subject)
    }

    @Test(arguments: try suite.get().checks)
    func conforms(_ check: ConformanceCheck) async throws { try await check.verify() }

    /// A folder does not copy by itself, and that is all that is left out.
    @Test func onlyCopiesAreSkipped() throws {
        let reasons = Set(try Self.suite.get().checks.compactMap(\.skipReason))
        #expect(reasons == ["the backend is no CopyBackend"])
    }
}
