/// The exit statuses of the examples, as their usage texts promise them.
package enum ExitStatus: Int32, Sendable {
    case done = 0
    case failed = 1
    case usage = 2
    case paused = 3
    case aborted = 4

    /// The worse of two: one that failed outweighs one that was stopped, and that one those that are done.
    package func worst(_ other: ExitStatus) -> ExitStatus { severity >= other.severity ? self : other }

    private var severity: Int {
        switch self {
        case .done: 0
        case .paused: 1
        case .aborted: 2
        case .failed: 3
        case .usage: 4
        }
    }
}
