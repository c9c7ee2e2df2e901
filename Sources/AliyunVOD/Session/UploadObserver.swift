internal import TransferHTTP

/// Sees the requests of one upload: counts them, and tells the session of those that succeeded.
struct UploadObserver: HTTPObserver {
    let session: UploadSession
    let metrics: UploadMetrics

    func attemptEnded(_ record: HTTPAttemptRecord) {
        let succeeded = record.status.map { (200...299).contains($0) } ?? false
        if succeeded { session.requestSucceeded() }
        metrics.attempted(record.requestBodyLength, succeeded: succeeded)
    }

    func operationEnded(_ record: HTTPOperationRecord) {}
}
