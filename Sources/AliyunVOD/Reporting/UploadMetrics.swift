internal import TransferCore
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Counts what one upload does.
final class UploadMetrics: Sendable {
    private let clock: any TransferClock
    private let begun: Duration
    private let counts: LockBox<TransferReport>

    init(uploadTaskID: String, clock: any TransferClock) {
        self.clock = clock
        begun = clock.uptime
        counts = LockBox(TransferReport(.started, timeMs: 0, uploadTaskId: uploadTaskID))
    }

    /// Milliseconds since the upload began.
    var durationMs: Int64 {
        let (seconds, attoseconds) = (clock.uptime - begun).components
        return seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000
    }

    // MARK: What is seen

    func begin(_ request: UploadRequest) {
        counts.withLock { counts in
            counts.media = request.media.rawValue
            counts.fileExtension = MediaKind.fileExtension(of: request.source.name)
            counts.fileSize = request.source.source.length
            counts.parallel = request.parallel
        }
    }

    func planned(_ checkpoint: TransferCheckpoint) {
        counts.withLock { counts in
            counts.bucket = checkpoint.target.bucket
            counts.partSize = checkpoint.partSize > 0 ? checkpoint.partSize : nil
            counts.partCount = checkpoint.partCount
        }
    }

    func asked() { counts.withLock { $0.authCalls += 1 } }
    func granted(host: String) { counts.withLock { $0.host = host } }

    func attempted(_ bytes: UInt64, succeeded: Bool) {
        counts.withLock { counts in
            counts.requests += 1
            if !succeeded { counts.failedRequests += 1 }
            counts.bytesSent &+= bytes
        }
    }

    func note(_ event: TransferEvent) {
        counts.withLock { counts in
            switch event {
            case .partCompleted: counts.partsStored += 1
            case .partFailed: counts.partsFailed += 1
            case .resumed(_, let parts, _): counts.partsResumed = parts
            case .restarted: counts.restarts += 1
            default: break
            }
        }
    }

    // MARK: Reports

    var startReport: TransferReport { report(.started) }

    func endReport(_ outcome: UploadOutcome) -> TransferReport {
        var report =
            switch outcome {
            case .success: report(.succeeded)
            case .failure(let error): report(error.isCancellation ? .cancelled : .failed)
            case .cancelled: report(.cancelled)
            }
        report.durationMs = durationMs
        switch outcome.result {
        case .success(let result):
            report.videoId = result.videoId
            report.imageId = result.imageId
            report.requestId = result.requestId
        case .failure(let error):
            report.videoId = error.videoId
            report.errorCode = error.errorCode
            report.errorSummary = error.underlying.shortDescription
            report.requestId = error.requestId
        }
        return report
    }

    private func report(_ event: TransferReport.Event) -> TransferReport {
        var report = counts.withLock { $0 }
        report.event = event
        let milliseconds = clock.now.timeIntervalSince1970 * 1000
        report.timeMs = Int64(exactly: milliseconds.rounded()) ?? 0
        return report
    }
}
