/// Who is told how uploads went. Nothing leaves the machine unless a conformance sends it.
///
///     struct LineReporter: TransferReporter {
///         func report(_ report: TransferReport) {
///             print(report.uploadTaskId, report.event.rawValue, report.durationMs, report.errorCode ?? "-")
///         }
///     }
public protocol TransferReporter: Sendable {
    /// Takes one report: when an upload begins, and when it ends. Called from any thread, and never after
    /// `VODUploader.dispose()` returned. Should return at once: the end of an upload waits for it.
    func report(_ report: TransferReport)
}
