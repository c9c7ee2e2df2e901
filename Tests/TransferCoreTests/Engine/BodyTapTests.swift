import Testing

@testable import TransferCore

@Suite struct BodyTapTests {
    @Test func aBodyIsKeptBackBeforeItsEnd() throws {
        let tap = BodyTap(isEmpty: false)
        try tap.pass(isEnd: false)
        #expect(!tap.isWithheld)
        #expect(tap.close())
        #expect(tap.close())
        #expect(tap.isWithheld)
        #expect(throws: CancellationError.self) { try tap.pass(isEnd: false) }
        #expect(throws: CancellationError.self) { try tap.pass(isEnd: true) }
    }

    /// A later attempt does not take back what an earlier one may have done.
    @Test func aBodyWhoseEndHasPassedIsNot() throws {
        let tap = BodyTap(isEmpty: false)
        try tap.pass(isEnd: true)
        #expect(!tap.close())
        try tap.pass(isEnd: false)
        #expect(!tap.close())
        #expect(!tap.isWithheld)
    }

    @Test func whatIsEmptyIsWholeAsItIs() {
        #expect(!BodyTap(isEmpty: true).close())
    }
}
