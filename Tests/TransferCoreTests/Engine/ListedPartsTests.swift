import Testing
import TransferPrimitives

@testable import TransferCore

/// Which parts of an earlier call are kept: the service's list is the truth, the record a check on it.
@Suite struct ListedPartsTests {
    private func kept(
        recorded: [CompletedPart], listed: [CompletedPart], acceptsUnrecorded: Bool = false
    ) -> [Int: CompletedPart] {
        ListedParts(recorded: recorded, listed: listed, plan: Sample.plan, acceptsUnrecorded: acceptsUnrecorded).kept
    }

    private func part(_ number: Int = 1, _ change: (inout CompletedPart) -> Void = { _ in }) -> CompletedPart {
        var part = Sample.part(number)
        change(&part)
        return part
    }

    @Test func keepsWhatBothSidesKnow() {
        #expect(kept(recorded: [part(1), part(2)], listed: [part(1), part(2)]).keys.sorted() == [1, 2])
        #expect(kept(recorded: [part(1), part(2)], listed: [part(2)]).keys.sorted() == [2])
        #expect(kept(recorded: [], listed: []).isEmpty)
    }

    @Test func doesNotKeepWhatDiffers() {
        #expect(kept(recorded: [part()], listed: [part { $0.etag = ETag("other") }]).isEmpty)
        #expect(kept(recorded: [part()], listed: [part { $0.size = 9 }]).isEmpty)
        #expect(kept(recorded: [part()], listed: [part { $0.checksums = Checksums(crc64: 1) }]).isEmpty)
        // Also where it was not recorded at all.
        #expect(kept(recorded: [], listed: [part { $0.size = 9 }], acceptsUnrecorded: true).isEmpty)
    }

    @Test func ignoresNumbersOutsideThePlan() {
        for number in [0, -1, 4, .max] {
            let stray = CompletedPart(number: number, etag: ETag("e"), size: 10)
            #expect(kept(recorded: [stray], listed: [stray], acceptsUnrecorded: true).isEmpty)
        }
    }

    @Test func acceptsUnrecordedPartsOnlyWhenToldAndWhole() {
        #expect(kept(recorded: [], listed: [part()]).isEmpty)
        #expect(kept(recorded: [], listed: [part()], acceptsUnrecorded: true).keys.sorted() == [1])
        #expect(kept(recorded: [], listed: [part { $0.size = nil }], acceptsUnrecorded: true).isEmpty)
        #expect(kept(recorded: [], listed: [part { $0.etag = ETag("\"\"") }], acceptsUnrecorded: true).isEmpty)
    }

    @Test func bothSidesAddWhatTheyKnow() {
        let bare = part { part in
            part.checksums = [:]
            part.isConfirmed = false
            part.size = nil
        }
        let merged = kept(recorded: [part()], listed: [bare])[1]
        #expect(merged?.checksums == part().checksums)
        #expect(merged?.isConfirmed == true)
        #expect(merged?.size == 10)
        let confirmed = kept(recorded: [bare], listed: [part()])[1]
        #expect(confirmed?.isConfirmed == true)
        #expect(confirmed?.checksums == part().checksums)
    }

    @Test func aTagIsComparedInEveryForm() {
        let listed = part { $0.etag = ETag("\"\($0.etag.bare.uppercased())\"") }
        #expect(kept(recorded: [part()], listed: [listed]).keys.sorted() == [1])
    }
}
