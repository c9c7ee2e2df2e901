import TestSupport
import Testing
import TransferCore
import TransferService

/// What Complete is asked to make an object of.
@Suite struct PartsToCompleteTests {
    private let limits = BackendCapabilities.PartLimits(
        minimumSize: 1, maximumSize: 10, maximumCount: 100, defaultSize: 5)

    private func part(_ number: Int, etag: String = "\"e\"") -> CompletedPart {
        CompletedPart(number: number, etag: ETag(etag), size: 1)
    }

    @Test func `parts are named in ascending order`() throws {
        let parts = try [part(100), part(2), part(1)].checkedForComplete(limits)
        #expect(parts.map(\.number) == [1, 2, 100])
    }

    @Test func `what no object can be made of is refused`() {
        for parts in [
            [], [part(0)], [part(1), part(101)], [part(2), part(1), part(2)], [part(1), part(2, etag: "\"\"")],
        ] {
            let error = transferError { try parts.checkedForComplete(limits) }
            #expect(error?.code == .invalidArgument && error?.field == "parts", "\(parts.map(\.number))")
        }
    }
}
