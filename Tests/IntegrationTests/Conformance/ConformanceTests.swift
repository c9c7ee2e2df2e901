import ObjectTransfer
import TestSupport
import Testing
import TransferConformance

/// Every backend does what the engine relies on. Each check of each backend is a case of its own.
@Suite struct ConformanceTests {
    @Test(arguments: try ConformanceCase.all()) func conforms(_ conformance: ConformanceCase) async throws {
        // What these backends claim leaves nothing out; what cannot be found out is no success.
        let outcome = await conformance.check.run()
        #expect(outcome == .passed)
    }

    @Test func checksHaveNamesOfTheirOwn() throws {
        for (name, cases) in Dictionary(grouping: try ConformanceCase.all(), by: \.description) {
            #expect(cases.count == 1, "\(name)")
        }
    }
}
