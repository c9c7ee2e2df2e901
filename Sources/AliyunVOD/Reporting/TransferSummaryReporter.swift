internal import TransferPrimitives

/// Sums reports up in memory. What an uploader does unless told otherwise.
public final class TransferSummaryReporter: TransferReporter {
    private let sums = LockBox(TransferSummary())

    /// With nothing counted.
    public init() {}

    /// The sums so far.
    public var summary: TransferSummary { sums.withLock { $0 } }

    public func report(_ report: TransferReport) { sums.withLock { $0.add(report) } }
}

/// The uploads of a process in a few numbers.
public struct TransferSummary: Sendable, Hashable, Codable {
    /// Uploads that began.
    public var started = 0
    /// Uploads that succeeded.
    public var succeeded = 0
    /// Uploads that failed.
    public var failed = 0
    /// Uploads that were cancelled, or whose uploader was disposed of.
    public var cancelled = 0
    /// Bytes of the files whose upload succeeded.
    public var bytesStored: UInt64 = 0
    /// Bytes in request bodies.
    public var bytesSent: UInt64 = 0
    /// Requests to OSS of the uploads that ended, each attempt counted.
    public var requests = 0
    /// Those of `requests` that failed.
    public var failedRequests = 0
    /// How often `getAuth` was asked for the uploads that ended.
    public var authCalls = 0
    /// The time of all uploads that ended, added up.
    public var durationMs: Int64 = 0
    /// How many uploads failed, by error code. Of a hundred codes each has its own count; all others share `other`.
    public var failures: [String: Int] = [:]

    /// With nothing counted.
    public init() {}

    mutating func add(_ report: TransferReport) {
        switch report.event {
        case .started:
            started += 1
            return
        case .succeeded:
            succeeded += 1
            bytesStored &+= report.fileSize ?? 0
        case .failed:
            failed += 1
            let code = report.errorCode ?? "other"
            failures[failures[code] != nil || failures.count < 100 ? code : "other", default: 0] += 1
        case .cancelled: cancelled += 1
        }
        bytesSent &+= report.bytesSent
        requests += report.requests
        failedRequests += report.failedRequests
        authCalls += report.authCalls
        durationMs &+= report.durationMs
    }
}
