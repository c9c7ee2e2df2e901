import TestSupport
import Testing
import TransferConformance

/// Every backend does what the engine relies on. Each check of each backend is a case of its own; one that does not apply has
/// the reason in its name.
@Suite struct ConformanceTests {
    @Test(arguments: try ConformanceCase.all()) func conforms(_ conformance: ConformanceCase) async throws {
        let outcome = try await conformance.run()
        #expect(outcome == conformance.skipReason.map { .skipped($0) } ?? .passed)
    }

    @Test func onlyWhatIsKnownToBeMissingIsLeftOut() throws {
        for (name, cases) in Dictionary(grouping: try ConformanceCase.all(), by: \.subject.name) {
            #expect(Set(cases.compactMap(\.skipReason)) == cases.first?.subject.leavesOut, "\(name)")
        }
    }

    @Test func checksHaveNamesOfTheirOwn() throws {
        for (name, cases) in Dictionary(grouping: try ConformanceCase.all(), by: \.description) {
            #expect(cases.count == 1, "\(name)")
        }
    }
}
