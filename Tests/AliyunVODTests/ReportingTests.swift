import TestSupport
import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunVOD

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps all reports.
final class ReportCollector: TransferReporter {
    private let box = LockBox<[TransferReport]>([])
    var reports: [TransferReport] { box.withLock { $0 } }
    func report(_ report: TransferReport) { box.withLock { $0.append(report) } }
}

@Suite struct ReportingTests {
    @Test func metricsOfAnUpload() async throws {
        let refused = Tally(1)
        let oss = FakeOSS { seen, _ in
            seen.part == 2 && refused.add() == 1 ? try .refusal(500, "InternalError") : nil
        }
        let fixture = try Fixture(oss: oss)
        let collector = ReportCollector()
        let task = try fixture.uploader { $0.reporter = collector }.uploadTask(
            try fixture.file("secret-name.mp4", count: 3 * Fixture.partSize))
        _ = try await task.value
        await waitForReports(2, in: collector)
        let reports = collector.reports
        #expect(reports.map(\.event) == [.started, .succeeded])
        #expect(reports.allSatisfy { $0.uploadTaskId == task.uploadTaskId })
        let end = try #require(reports.last)
        #expect(end.media == "video")
        #expect(end.fileExtension == "mp4")
        #expect(end.fileSize == UInt64(3 * Fixture.partSize))
        #expect(end.videoId == "video-1")
        #expect(end.host == "oss-cn-shanghai.aliyuncs.com")
        #expect(end.bucket == "outin-0123456789abcdef")
        #expect(end.partSize == UInt64(Fixture.partSize))
        #expect(end.partCount == 3)
        #expect(end.partsStored == 3)
        #expect(end.requests == 6)
        #expect(end.failedRequests == 1)
        #expect(end.authCalls == 1)
        #expect(end.bytesSent >= UInt64(4 * Fixture.partSize))
        #expect(end.requestId == "request-1")
        #expect(end.errorCode == nil)
        let json = String(decoding: try JSONEncoder().encode(reports), as: UTF8.self)
        #expect(!json.contains("secret-name"))
        #expect(!json.contains(fixture.directory))
    }

    @Test func failureAndCancellation() async throws {
        let fixture = try Fixture(oss: FakeOSS { _, _ in try .refusal(403, "AccessDenied") })
        let collector = ReportCollector()
        let uploader = try fixture.uploader { $0.reporter = collector }
        let path = try fixture.file(count: 10)
        _ = await uploadError { _ = try await uploader.uploadFile(path) }
        await waitForReports(2, in: collector)
        #expect(collector.reports.last?.event == .failed)
        #expect(collector.reports.last?.errorCode == "AccessDenied")
        #expect(collector.reports.last?.requestId == "request-1")
        uploader.dispose()
        _ = await uploadError { _ = try await uploader.uploadFile(path) }
        await waitForReports(3, in: collector)
        #expect(collector.reports.last?.event == .cancelled)
    }

    @Test func summaryInMemory() async throws {
        let fixture = try Fixture(
            oss: FakeOSS { seen, _ in seen.bytes == 11 ? try .refusal(403, "AccessDenied") : nil })
        let reporter = TransferSummaryReporter()
        let uploader = try fixture.uploader { $0.reporter = reporter }
        _ = try await uploader.uploadFile(try fixture.file("a.mp4", count: 10))
        _ = await uploadError { _ = try await uploader.uploadFile(try fixture.file("b.mp4", count: 11)) }
        await uploader.shutdown()
        let summary = reporter.summary
        #expect(summary.started == 2)
        #expect(summary.succeeded == 1)
        #expect(summary.failed == 1)
        #expect(summary.bytesStored == 10)
        #expect(summary.failures == ["AccessDenied": 1])
        #expect(summary.requests == 2)
        #expect(summary.authCalls == 2)
    }

    @Test func switchedOff() async throws {
        let fixture = try Fixture()
        let collector = ReportCollector()
        let uploader = try fixture.uploader {
            $0.reporter = collector
            $0.reportEnabled = false
        }
        _ = try await uploader.uploadFile(try fixture.file(count: 10))
        await uploader.shutdown()
        #expect(collector.reports.isEmpty)
    }

    @Test func sumsAreBounded() {
        let reporter = TransferSummaryReporter()
        for number in 1...500 {
            let error = VODUploadError(
                TransferError(.refused, "", service: ServiceInfo(status: 400, code: "C\(number)")))
            reporter.report(UploadMetrics(uploadTaskID: "", clock: SystemClock()).endReport(.failure(error)))
        }
        #expect(reporter.summary.failures.count == 101)
        #expect(reporter.summary.failures["other"] == 400)
    }

    // MARK: Over HTTP

    @Test func reportsAreSentAsJSON() async throws {
        let bodies = LockBox<[(String, HTTPHeaders, [UInt8])]>([])
        let transport = ClosureTransport { request in
            bodies.withLock { $0.append((request.url, request.headers, (try? request.body.bytes()) ?? [])) }
            return HTTPResponse(status: bodies.withLock { $0.count } == 2 ? 500 : 204)
        }
        let reporter = try HTTPTransferReporter(
            url: "https://metrics.example.com/uploads?site=1", headers: ["Authorization": "Bearer t"], over: transport)
        let fixture = try Fixture()
        let uploader = try fixture.uploader { $0.reporter = reporter }
        _ = try await uploader.uploadFile(try fixture.file(count: 10))
        await uploader.shutdown()
        await reporter.shutdown()
        let sent = bodies.withLock { $0 }
        #expect(sent.map(\.0) == Array(repeating: "https://metrics.example.com/uploads?site=1", count: 2))
        #expect(sent.allSatisfy { $0.1["Authorization"] == "Bearer t" && $0.1["Content-Type"] == "application/json" })
        let reports = try sent.map { try JSONDecoder().decode(TransferReport.self, from: Data($0.2)) }
        #expect(reports.map(\.event) == [.started, .succeeded])
        #expect(reporter.counts == (sent: 1, lost: 1))
        reporter.report(reports[0])
        #expect(reporter.counts == (sent: 1, lost: 2))
    }

    @Test func slowServerCostsTheOldestReports() async throws {
        let hold = Gate()
        let transport = ClosureTransport { _ in
            await hold.wait()
            return HTTPResponse(status: 204)
        }
        let reporter = try HTTPTransferReporter(url: "https://metrics.example.com", over: transport)
        let report = UploadMetrics(uploadTaskID: "x", clock: SystemClock()).startReport
        for _ in 0..<(HTTPTransferReporter.capacity + 11) { reporter.report(report) }
        hold.open()
        await reporter.flush()
        let counts = reporter.counts
        #expect(counts.sent + counts.lost == HTTPTransferReporter.capacity + 11)
        #expect(counts.lost >= 10)
    }

    @Test(arguments: ["", "metrics.example.com", "ftp://x/", "https://", "https://a b/", "https://a/#x", "https://ü/"])
    func urlThatIsNone(_ url: String) {
        let error = #expect(throws: TransferError.self) {
            _ = try HTTPTransferReporter(url: url, over: ClosureTransport { _ in HTTPResponse(status: 204) })
        }
        #expect(error?.field == "url")
    }

    private func waitForReports(_ count: Int, in collector: ReportCollector) async {
        while collector.reports.count < count { await Task.yield() }
    }
}

/// Answers requests by a closure.
struct ClosureTransport: HTTPTransport {
    let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse
    init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) { self.answer = answer }
    func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await answer(request) }
    func shutdown() async {}
}
