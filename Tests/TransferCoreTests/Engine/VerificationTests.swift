import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// How far a stored object is known to be right, decided from facts alone.
@Suite struct VerificationTests {
    let parts = (1...3).map { Sample.part($0) }
    let crc = Sample.crc64(Sample.bytes)

    private func verify(
        source: UInt64? = nil, parts: [CompletedPart]? = nil, crc: UInt64? = nil, size: UInt64? = nil,
        etag: String = "opaque"
    ) -> Verification {
        Verification(
            sourceCRC64: source, size: Sample.size, parts: parts ?? self.parts, objectCRC64: crc, objectSize: size,
            objectETag: ETag(etag))
    }

    private func isMismatch(_ verification: Verification) -> Bool {
        if case .mismatch = verification { true } else { false }
    }

    @Test func theChecksumOfTheSourceDecides() {
        #expect(verify(source: crc, crc: crc) == .verified(.crc64))
        #expect(isMismatch(verify(source: crc &+ 1, crc: crc)))
        // Also where the tag of the parts would agree.
        #expect(isMismatch(verify(source: crc &+ 1, crc: crc, etag: Sample.objectETag.rawValue)))
    }

    @Test func elseTheCombinedChecksumOfTheParts() {
        #expect(verify(crc: crc) == .verified(.crc64))
        #expect(isMismatch(verify(crc: crc ^ 1)))
        var unconfirmed = parts
        unconfirmed[1].isConfirmed = false
        // What was sent is known, also where the service did not say what arrived.
        #expect(verify(parts: unconfirmed, crc: crc) == .verified(.crc64))
        #expect(isMismatch(verify(parts: unconfirmed, crc: crc ^ 1, etag: Sample.objectETag.rawValue)))
        #expect(verify(parts: Array(parts.dropLast()), crc: crc) == .undecided, "they do not cover the source")
    }

    @Test func elseTheTagThatThePartsGive() {
        for tag in [Sample.objectETag.bare, "\"\(Sample.objectETag.bare)\"", Sample.objectETag.bare.uppercased()] {
            #expect(verify(etag: tag) == .verified(.partETags))
        }
        #expect(verify(etag: Sample.objectETag.bare.replacing("-3", with: "-4")) == .undecided)
        #expect(
            verify(parts: parts.reversed(), etag: Sample.objectETag.bare) == .undecided,
            "another order is another object")
    }

    @Test func aSizeRefusesAndNeverAccepts() {
        #expect(verify(size: Sample.size) == .undecided)
        #expect(isMismatch(verify(source: crc, crc: crc, size: Sample.size - 1)))
        #expect(isMismatch(verify(size: Sample.size + 1, etag: Sample.objectETag.bare)))
        #expect(verify(parts: []) == .undecided)
    }

    @Test func checksumsCombineInAnySplit() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<50 {
            let bytes = (0..<Int.random(in: 1...4000, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            var parts: [CompletedPart] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...rest.count, using: &random))
                rest = rest.dropFirst(piece.count)
                parts.append(
                    CompletedPart(
                        number: parts.count + 1, etag: ETag("e"), size: UInt64(piece.count),
                        checksums: Checksums(crc64: Sample.crc64(Array(piece))), isConfirmed: true))
            }
            #expect(Verification.combinedCRC64(parts, size: UInt64(bytes.count)) == Sample.crc64(bytes))
            #expect(Verification.combinedCRC64(parts, size: UInt64(bytes.count) + 1) == nil)
        }
    }

    @Test func combiningNeedsEveryFact() {
        for change: (inout CompletedPart) -> Void in [
            { $0.checksums = [:] }, { $0.size = nil }, { $0.size = .max },
            { $0.checksums[.crc64] = "-1" }, { $0.checksums[.crc64] = "18446744073709551616" },
        ] {
            var parts = parts
            change(&parts[1])
            #expect(Verification.combinedCRC64(parts, size: Sample.size) == nil)
        }
        #expect(Verification.combinedCRC64([], size: 0) == nil)
    }

    @Test func onlyTagsThatLookLikeAnMD5Combine() {
        #expect(ETag.multipart(parts) == Sample.objectETag)
        for tag in [
            "", "opaque", String(repeating: "g", count: 32), String(repeating: "a", count: 31),
            "\(Sample.part(2).etag)-1",
        ] {
            var parts = parts
            parts[1].etag = ETag(tag)
            #expect(ETag.multipart(parts) == nil)
        }
        #expect(ETag.multipart([]) == nil)
    }
}
