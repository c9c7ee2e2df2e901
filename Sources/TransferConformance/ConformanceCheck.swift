internal import TransferCore

/// One thing that a backend must do, ready to be run.
public struct ConformanceCheck: Sendable, Identifiable, CustomStringConvertible {
    /// What came of a check.
    public enum Outcome: Sendable, Hashable {
        /// The backend does it.
        case passed
        /// It does not: what was expected, and what was found.
        case failed(String)
        /// It does not claim to, or it cannot be found out.
        case skipped(String)
    }

    /// The area, and what is expected, such as `put: an empty object`. Stable.
    public let name: String
    /// Why the check does not apply to this backend; nil when it does.
    public let skipReason: String?
    private let requirement: Requirement
    private let subject: ConformanceSubject
    private let number: Int

    init(_ requirement: Requirement, number: Int, of subject: ConformanceSubject, claiming backend: any TransferBackend)
    {
        name = requirement.name
        skipReason = requirement.needs.lazy.compactMap { $0.reasonToSkip(backend, subject) }.first
        self.requirement = requirement
        self.subject = subject
        self.number = number
    }

    /// The name.
    public var id: String { name }
    /// The name, and the reason when the check is skipped.
    public var description: String { name + (skipReason.map { " (skipped: \($0))" } ?? "") }

    /// Runs the check. Uploads that it opened are aborted and objects removed, where they can be, before this returns, also
    /// when the task is cancelled: the check then is skipped, unless it had passed.
    public func run() async -> Outcome {
        if let skipReason { return .skipped(skipReason) }
        let bench = Bench(subject, folder: "\(number)/")
        var outcome: Outcome
        do {
            try await requirement.body(bench)
            outcome = .passed
        } catch let unmet as Unmet {
            outcome = .failed(unmet.reason)
        } catch let undecided as Undecided {
            outcome = .skipped(undecided.reason)
        } catch {
            outcome = .failed("an error that was not expected: \(error)")
        }
        // What a cancelled task asks of a backend is what a backend must refuse.
        if Task.isCancelled, case .failed = outcome { outcome = .skipped("cancelled") }
        // In a task of its own, which nobody cancels: what is left behind is charged.
        await Task { await bench.cleanUp() }.value
        return outcome
    }

    /// Runs the check and throws `ConformanceFailure` when it fails. A check that is skipped returns.
    public func verify() async throws {
        if case .failed(let reason) = await run() { throw ConformanceFailure(check: name, reason: reason) }
    }
}

/// A check that failed.
public struct ConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The check's name.
    public let check: String
    /// What was expected, and what was found.
    public let reason: String

    public var description: String { "\(check): \(reason)" }
}
