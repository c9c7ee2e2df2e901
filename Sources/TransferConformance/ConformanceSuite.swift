internal import TransferCore

/// What the engine relies on in a backend, as checks that anybody can run against a backend of their own.
///
/// The suite selects itself: what a backend does not claim, by the protocols it conforms to and by its
/// `BackendCapabilities`, is skipped, and the reason is in the check's description. It needs no test framework:
///
///     let report = await ConformanceSuite(subject).run()
///     print(report)
///
/// With one, each check is a test case under its own name:
///
///     @Test(arguments: ConformanceSuite(subject).checks)
///     func conforms(_ check: ConformanceCheck) async throws { try await check.verify() }
///
/// Checks are independent of each other and may run side by side. Most store a few kilobytes, or about four of the backend's smallest
/// parts; reads that are cancelled begin with 1 MiB, and take more only where that came in one piece. None of it is held in memory.
public struct ConformanceSuite: Sendable {
    /// Every check, in the order in which a backend is best written; those that do not apply say why.
    public let checks: [ConformanceCheck]
    /// Where the objects are that the checks leave behind.
    public let keyPrefix: String

    /// The checks of one backend.
    public init(_ subject: ConformanceSubject) {
        let backend = subject.makeBackend()
        keyPrefix = subject.keyPrefix
        checks = Requirement.all.enumerated().map { index, requirement in
            ConformanceCheck(requirement, number: index + 1, of: subject, claiming: backend)
        }
    }

    /// Runs all checks, one after another.
    ///
    /// - Parameter onResult: Told of each as it ends.
    /// - Returns: What came of them. A failure does not keep the others from being run; those that had not ended when the task
    ///   was cancelled are reported as skipped.
    public func run(onResult: (ConformanceReport.Result) -> Void = { _ in }) async -> ConformanceReport {
        var report = ConformanceReport(keyPrefix: keyPrefix)
        for check in checks {
            let outcome = Task.isCancelled ? .skipped("cancelled") : await check.run()
            let result = ConformanceReport.Result(check: check.name, outcome: outcome)
            report.results.append(result)
            onResult(result)
        }
        return report
    }
}
