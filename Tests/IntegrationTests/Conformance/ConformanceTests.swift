import ObjectTransfer
import TestSupport
import Testing
import TransferConformance

/// Every backend does what the engine relies on. Each check of each backend is a case of its own; one that does not apply has
/// the reason in its name.
@Suite struct ConformanceTests {
    @Test(arguments: try ConformanceCase.all()) func conforms(_ conformance: ConformanceCase) async throws {
        let outcome = await conformance.check.run()
        if case .skipped(let reason) = outcome {
            #expect(conformance.subject.leavesOut.contains(reason))
        } else {
            #expect(outcome == .passed)
        }
    }

    @Test func onlyWhatIsKnownToBeMissingIsLeftOut() throws {
        for subject in Subjects.all {
            let reasons = Set(try subject.suite.get().checks.compactMap(\.skipReason))
            #expect(reasons == subject.leavesOut, "\(subject.name)")
        }
    }

    @Test func checksHaveNamesOfTheirOwn() throws {
        for (name, cases) in Dictionary(grouping: try ConformanceCase.all(), by: \.description) {
            #expect(cases.count == 1, "\(name)")
        }
    }
}
