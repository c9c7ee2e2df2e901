import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// Field reports about resuming, and about the state it needs.
@Suite("Field reports: resume") struct ResumeReports {
    @Test("FR-018: 2,500 parts are listed in three pages, and none is copied again")
    func pagesOfParts() async throws {
        let fixture = try await CopyFixture(size: 2_501 * UInt64(CopyFixture.partSize))
        let hook = TOSCancelHook()
        fixture.server.faults.add(.on(.uploadPartCopy).part(2_501).first(1), .stall)
        var first = fixture.input()
        first.taskNum = 16
        first.cancelHook = hook
        async let paused = failure { _ = try await fixture.client.resumableCopyObject(first) }
        try await fixture.server.wireLog.waitFor(count: 2_500) {
            $0.operation == .uploadPartCopy && $0.request.partNumber != 2_501 && $0.status == 200
        }
        hook.cancel()
        let error = await paused
        #expect(error?.code == .paused)

        let before = fixture.server.wireLog.entries.count
        _ = try await fixture.client.resumableCopyObject(fixture.input())
        let second = fixture.server.wireLog.entries.dropFirst(before)
        #expect(second.count { $0.operation == .listParts } == 3)
        #expect(second.filter { $0.operation == .uploadPartCopy }.map(\.request.partNumber) == [2_501])
        #expect(fixture.isCopied)
    }
}
