import ObjectStoreStub
import Testing
import TransferPrimitives

@testable import ObjectStoreStub

@Suite struct ContentTests {
    private func crc(_ bytes: [UInt8]) -> UInt64 {
        var sum = CRC64()
        sum.update(bytes)
        return sum.value
    }

    @Test(arguments: [
        ObjectContent.generated(seed: 3, length: 1_200_000), .pretended(length: 1_200_000, seed: 5),
        .bytes((0..<1_200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }),
    ])
    func anyRangeHasTheBytesAndTheChecksumOfTheWhole(content: ObjectContent) throws {
        let whole = try #require(content.read())
        #expect(whole.count == 1_200_000)
        #expect(content.crc64 == crc(whole))
        let ranges: [Range<UInt64>] = [
            0..<0, 0..<1, 1..<2, 7..<9, 5..<70_003, 65_521..<131_042, 65_520..<65_522, 1_048_575..<1_048_577,
            100_003..<1_199_999, 0..<1_200_000,
        ]
        for range in ranges {
            let slice = content.slice(range)
            let expected = Array(whole[Int(range.lowerBound)..<Int(range.upperBound)])
            #expect(slice.read() == expected)
            #expect(slice.crc64 == crc(expected))
        }
    }

    @Test func slicesPutTogetherAgainAreOnePiece() {
        let content = ObjectContent.generated(seed: 1, length: 10 << 20)
        var joined = ObjectContent()
        for start in stride(from: UInt64(0), to: 10 << 20, by: 3 << 20) {
            joined.append(content.slice(start..<min(start + 3 << 20, 10 << 20)))
        }
        #expect(joined.pieces.count == 1)
        #expect(joined.firstDifference(from: content) == nil)
    }

    @Test func aPretendedTebibyteHasAChecksumAtOnce() throws {
        let size: UInt64 = 1 << 40
        let content = ObjectContent.pretended(length: size)
        let partSize = size / 10_000
        var sum: UInt64 = 0
        for number in 0..<UInt64(10_001) {
            let part = content.slice(number * partSize..<min((number + 1) * partSize, size))
            sum = CRC64.combine(sum, try #require(part.crc64), lengthOfB: part.length)
        }
        #expect(sum == content.crc64)
        #expect(content.slice(0..<100).crc64 != content.slice(partSize..<partSize + 100).crc64)
    }

    @Test func aSummaryKnowsItsWholeAndNoPart() {
        let content = ObjectContent.summary(length: 10, crc64: 5)
        #expect(content.crc64 == 5)
        #expect(content.slice(0..<9).crc64 == nil)
        #expect(content.read() == nil)
        var twice = content
        twice.append(.summary(length: 4, crc64: 9))
        #expect(twice.crc64 == CRC64.combine(5, 9, lengthOfB: 4))
    }

    @Test func aFlippedByteIsTheOnlyDifference() throws {
        let content = ObjectContent.generated(seed: 9, length: 5 << 20)
        let flipped = try #require(content.flippingByte(at: 3_000_001))
        #expect(flipped.firstDifference(from: content) == 3_000_001)
        #expect(flipped.flippingByte(at: 3_000_001)?.firstDifference(from: content) == nil)
        #expect(content.flippingByte(at: 5 << 20) == nil)
    }

    @Test func theETagOfSmallContentIsItsMD5() {
        let hello = ObjectContent.text("hello")
        #expect(hello.etag(digestLimit: 5, crc64: hello.crc64) == "5d41402abc4b2a76b9719d911017c592")
        let opaque = hello.etag(digestLimit: 4, crc64: hello.crc64)
        #expect(opaque != "5d41402abc4b2a76b9719d911017c592")
        #expect(opaque == hello.etag(digestLimit: 0, crc64: hello.crc64))
    }
}
