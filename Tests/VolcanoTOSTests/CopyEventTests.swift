import Testing
import TransferCore

@testable import VolcanoTOS

/// Spec section 6.6: the seven events and what they hold.
@Suite struct CopyEventTests {
    private func mapped(_ happenings: [TransferEvent]) -> [TOSCopyEvent] {
        var mapper = StepMapper()
        return happenings.compactMap { mapper.map($0) }.compactMap {
            TOSCopyEvent(
                $0, source: ObjectLocation(bucket: "src-bucket", key: "s", versionID: "v1"),
                target: ObjectLocation(bucket: "dst-bucket", key: "k"))
        }
    }

    private let range = ByteRange(offset: 20, length: 10)

    @Test func `a copy that goes well`() {
        let events = mapped([
            .checkpointClaimed(location: "/c/x", notes: []), .uploadCreated(uploadID: "u"),
            .partCompleted(CompletedPart(number: 3, etag: ETag("\"e\"")), range: range),
            .progress(TransferProgress(completedBytes: 10, totalBytes: 30)),
            .completed(TransferReceipt(etag: ETag("t"))),
        ])
        #expect(events.map(\.type.rawValue) == [1, 3, 6])
        for event in events {
            #expect(event.bucket == "dst-bucket" && event.key == "k" && event.uploadID == "u")
            #expect(event.srcBucket == "src-bucket" && event.srcKey == "s" && event.srcVersionID == "v1")
            #expect(event.checkpointFile == "/c/x")
            #expect(event.error == nil)
        }
        let part = events[1].copyPartInfo
        #expect(part?.partNumber == 3)
        #expect(part?.copySourceRangeStart == 20)
        #expect(part?.copySourceRangeEnd == 29)
        #expect(part?.eTag == "\"e\"")
        #expect(events[0].copyPartInfo == nil && events[2].copyPartInfo == nil)
    }

    @Test func `a resumed copy has no creation and knows its upload`() {
        let events = mapped([
            .resumed(uploadID: "old", parts: 1, bytes: 5),
            .partCompleted(CompletedPart(number: 2, etag: ETag("e")), range: range),
        ])
        #expect(events.map(\.type) == [.uploadPartCopySucceed])
        #expect(events.first?.uploadID == "old")
    }

    @Test func `a restarted copy is created again`() {
        let events = mapped([
            .restarted(.sourceChanged), .uploadCreationFailed(TransferError(.serviceUnavailable, "x")),
        ])
        #expect(events.map(\.type) == [.createMultipartUploadFailed])
        #expect(events.first?.uploadID == nil)
        #expect(events.first?.error?.code == .serviceUnavailable)
    }

    @Test(arguments: [
        TransferError.Code.serviceUnavailable, .credentialsExpired, .clockSkew, .sourceArchived, .sourceChanged,
    ])
    func `a part that fails otherwise is a failed part, and the failed call no event of its own`(
        code: TransferError.Code
    ) {
        let error = TransferError(code, "x")
        let events = mapped([.partFailed(number: 2, range: range, error), .stopping(error)])
        #expect(events.map(\.type) == [.uploadPartCopyFailed])
        #expect(events.first?.copyPartInfo?.partNumber == 2)
        #expect(events.first?.copyPartInfo?.eTag == nil)
        #expect(events.first?.error?.code == code)
    }

    @Test(arguments: [TransferError.Code.accessDenied, .notFound, .methodNotAllowed])
    func `a denied part stops the copy: one event 5`(code: TransferError.Code) {
        let error = TransferError(code, "x")
        let events = mapped([
            .uploadCreated(uploadID: "u"), .partFailed(number: 2, range: range, error), .stopping(error),
            .partFailed(number: 3, range: range, error), .stopping(TransferError(.aborted, "y")),
        ])
        #expect(events.map(\.type.rawValue) == [1, 5, 4])
        #expect(events[1].copyPartInfo?.partNumber == 2)
    }

    @Test(arguments: [TransferError.Code.paused, .aborted, .disposed])
    func `a wish to stop is one event 5`(code: TransferError.Code) {
        let events = mapped([
            .stopping(TransferError(code, "x")), .partCut(number: 1, range: range),
            .stopping(TransferError(.aborted, "x")),
        ])
        #expect(events.map(\.type) == [.uploadPartCopyAborted])
        #expect(events.first?.copyPartInfo == nil)
        #expect(events.first?.error?.code == code)
    }

    @Test func `Complete that fails`() {
        let events = mapped([.completionFailed(TransferError(.uploadNotFound, "x"))])
        #expect(events.map(\.type.rawValue) == [7])
    }

    @Test func `the part of an empty object ends before it begins`() {
        let events = mapped([
            .partCompleted(CompletedPart(number: 1, etag: ETag("e")), range: ByteRange(offset: 0, length: 0))
        ])
        #expect(events.first?.copyPartInfo?.copySourceRangeStart == 0)
        #expect(events.first?.copyPartInfo?.copySourceRangeEnd == -1)
    }

    @Test func `the values are those of the vendor's SDKs`() {
        #expect(TOSCopyEventType.allCases.map(\.rawValue) == Array(1...7))
        #expect(TOSCopyEventType.uploadPartCopySucceed.rawValue == 3)
        #expect(TOSCopyEventType.uploadPartCopyAborted.rawValue == 5)
    }
}
