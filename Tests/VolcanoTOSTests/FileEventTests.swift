import Testing
import TransferCore
import TransferPrimitives

@testable import VolcanoTOS

/// Spec sections 6.6 and 7: the events of uploads and downloads, and what they hold.
@Suite struct FileEventTests {
    /// What `input` tells its listener of `happenings`.
    private func uploadEvents(
        _ happenings: [TransferEvent],
        _ input: TOSUploadFileInput = TOSUploadFileInput(bucket: "dst-bucket", key: "k", filePath: "a/b.mov")
    ) -> [TOSUploadEvent] {
        let log = LockBox<[TOSUploadEvent]>([])
        var input = input
        input.uploadEventListener = { event in log.withLock { $0.append(event) } }
        let listener = input.listener
        for happening in happenings { listener?(happening) }
        return log.withLock { $0 }
    }

    private func downloadEvents(_ happenings: [TransferEvent]) -> [TOSDownloadEvent] {
        let log = LockBox<[TOSDownloadEvent]>([])
        var input = TOSDownloadFileInput(bucket: "src-bucket", key: "s", versionID: "v1", filePath: "a/b.mov")
        input.downloadEventListener = { event in log.withLock { $0.append(event) } }
        let listener = input.listener
        for happening in happenings { listener?(happening) }
        return log.withLock { $0 }
    }

    private static let range = ByteRange(offset: 20, length: 10)
    private static let failure = TransferError(.serviceUnavailable, "x")
    private static let denial = TransferError(.accessDenied, "x")
    private static let pause = TransferError(.paused, "x")
    private static let part = CompletedPart(
        number: 3, etag: ETag("\"e\""), size: 10, checksums: Checksums(crc64: 77))

    private static let histories: [(happenings: [TransferEvent], values: [Int])] = [
        (
            [
                .uploadCreated(uploadID: "u"), .partCompleted(part, range: range),
                .completed(TransferReceipt(etag: ETag("t"))),
            ], [1, 3, 6]
        ),
        ([.uploadCreationFailed(failure), .stopping(failure)], [2]),
        ([.partFailed(number: 3, range: range, failure), .stopping(failure)], [4]),
        ([.partFailed(number: 3, range: range, denial), .stopping(denial)], [5]),
        ([.stopping(pause), .partCut(number: 3, range: range), .stopping(TransferError(.aborted, "x"))], [5]),
        ([.completionFailed(failure), .stopping(failure)], [7]),
        (
            [
                .resumed(uploadID: "u", parts: 1, bytes: 1),
                .progress(TransferProgress(completedBytes: 1, totalBytes: 2)),
            ], []
        ),
    ]

    @Test(arguments: histories.indices) func `the same happenings are the same values in all three`(index: Int) {
        let (happenings, values) = Self.histories[index]
        #expect(uploadEvents(happenings).map(\.type.rawValue) == values)
        var mapper = StepMapper()
        #expect(happenings.compactMap { mapper.map($0) }.map(\.kind.rawValue) == values)
    }

    @Test(arguments: histories.indices) func `a download keeps one state over its events`(index: Int) {
        #expect(downloadEvents(Self.histories[index].happenings).map(\.type.rawValue) == Self.histories[index].values)
    }

    @Test func `every step has its event`() {
        let here = ObjectLocation(bucket: "dst-bucket", key: "k")
        for kind in TransferStep.Kind.allCases {
            let step = TransferStep(kind: kind)
            #expect(TOSCopyEvent(step, source: here, target: here)?.type.rawValue == kind.rawValue)
            #expect(TOSUploadEvent(step, target: here, filePath: nil)?.type.rawValue == kind.rawValue)
            #expect(TOSDownloadEvent(step, source: here, filePath: "p")?.type.rawValue == kind.rawValue)
        }
        #expect(TOSUploadEventType.allCases.map(\.rawValue) == Array(1...7))
        #expect(TOSDownloadEventType.allCases.map(\.rawValue) == Array(1...7))
        #expect(TOSUploadEventType.uploadPartAborted.rawValue == 5)
        #expect(TOSDownloadEventType.renameTempFileSucceed.rawValue == 6)
    }

    @Test func `what the events of an upload hold`() {
        let events = uploadEvents([
            .checkpointClaimed(location: "/c/x", notes: []), .uploadCreated(uploadID: "u"),
            .partCompleted(Self.part, range: Self.range), .partFailed(number: 4, range: Self.range, Self.failure),
        ])
        #expect(events.map(\.uploadID) == ["u", "u", "u"])
        #expect(events.allSatisfy { $0.bucket == "dst-bucket" && $0.key == "k" && $0.filePath == "a/b.mov" })
        #expect(events.allSatisfy { $0.checkpointFile == "/c/x" })
        #expect(events[0].uploadPartInfo == nil && events[0].error == nil)
        let (stored, failed) = (events[1].uploadPartInfo, events[2].uploadPartInfo)
        #expect(stored?.partNumber == 3 && stored?.partSize == 10 && stored?.offset == 20)
        #expect(stored?.eTag == "\"e\"" && stored?.hashCrc64ecma == 77)
        #expect(failed?.partNumber == 4 && failed?.eTag == nil && failed?.hashCrc64ecma == nil)
        #expect(events[2].error?.code == .serviceUnavailable)
    }

    @Test func `bytes of the caller's own have no path`() {
        let input = TOSUploadFileInput(
            bucket: "dst-bucket", key: "k", source: .bytes([1], name: "a"))
        #expect(uploadEvents([.uploadCreated(uploadID: "u")], input).map(\.filePath) == [nil])
    }

    @Test func `what the events of a download hold`() {
        let events = downloadEvents([
            .checkpointClaimed(location: "/c/x", notes: []), .uploadCreated(uploadID: "/a/b.mov.part"),
            .partCompleted(Self.part, range: Self.range),
            .partCompleted(Self.part, range: ByteRange(offset: 0, length: 0)), .restarted(.sourceChanged),
            .uploadCreationFailed(TransferError(.diskFull, "x")),
        ])
        #expect(events.map(\.type.rawValue) == [1, 3, 3, 2])
        #expect(events.map(\.tempFilePath) == ["/a/b.mov.part", "/a/b.mov.part", "/a/b.mov.part", nil])
        #expect(events.allSatisfy { $0.bucket == "src-bucket" && $0.key == "s" && $0.versionID == "v1" })
        #expect(events.allSatisfy { $0.filePath == "a/b.mov" && $0.checkpointFile == "/c/x" })
        let part = events[1].downloadPartInfo
        #expect(part?.partNumber == 3 && part?.rangeStart == 20 && part?.rangeEnd == 29 && part?.hashCrc64ecma == 77)
        #expect(events[2].downloadPartInfo?.rangeEnd == -1)
        #expect(events[3].error?.code == .diskFull && events[3].downloadPartInfo == nil)
    }

    @Test func `both listeners of an input are told`() {
        let other = LockBox(0)
        var input = TOSUploadFileInput(bucket: "dst-bucket", key: "k", filePath: "a")
        #expect(input.listener == nil)
        input.onEvent = { _ in other.withLock { $0 += 1 } }
        let events = uploadEvents([.uploadCreated(uploadID: "u"), .restarted(.sourceChanged)], input)
        #expect(events.count == 1)
        #expect(other.withLock { $0 } == 2)
    }
}
