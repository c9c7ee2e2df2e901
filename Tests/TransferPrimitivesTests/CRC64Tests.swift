import CChecksum
import Testing
import TransferPrimitives

@Suite("TOS specification 11.2, check 8: CRC-64")
struct CRC64Tests {
    /// TOS: `x-tos-hash-crc64ecma`.
    @Test(arguments: [
        ("", 0 as UInt64), ("123456789", 11_051_210_869_376_104_954), ("hello", 11_177_612_005_948_864_433),
    ])
    func checkValues(text: String, expected: UInt64) {
        var crc = CRC64()
        crc.update(Array(text.utf8))
        #expect(crc.value == expected)
        #expect(table(0, Array(text.utf8)[...]) == expected)
    }

    @Test func combinesTheCheckValue() {
        let (a, b) = (checksum(Array("1234".utf8)), checksum(Array("56789".utf8)))
        #expect(CRC64.combine(a, b, lengthOfB: 5) == 11_051_210_869_376_104_954)
    }

    /// Every length around the widths of the fold and the tables, at every alignment of a 16-byte block.
    @Test func foldTableAndBitsAgreeOnEveryShortLength() {
        let bytes = randomBytes(400)
        var wrong: [String] = []
        for length in 0...300 {
            for offset in [0, 1, 3, 7, 8, 13, 15] {
                let slice = bytes[offset..<offset + length]
                let expected = bitwise(0x0123_4567_89AB_CDEF, slice)
                if table(0x0123_4567_89AB_CDEF, slice) != expected { wrong.append("table \(length)@\(offset)") }
                if fast(0x0123_4567_89AB_CDEF, slice) != expected { wrong.append("fold \(length)@\(offset)") }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test func foldTableAndBitsAgreeOnRandomPieces() {
        let bytes = randomBytes(200_000)
        var wrong = 0
        for _ in 0..<200 {
            let offset = Int.random(in: 0..<1000)
            let slice = bytes[offset..<offset + Int.random(in: 0...3000)]
            let seed = UInt64.random(in: .min ... .max)
            let expected = bitwise(seed, slice)
            if table(seed, slice) != expected || fast(seed, slice) != expected { wrong += 1 }
        }
        #expect(wrong == 0)
        #expect(fast(0, bytes[...]) == bitwise(0, bytes[...]))
        #expect(fast(0, bytes[...]) == table(0, bytes[...]))
    }

    @Test func splittingChangesNothing() {
        let bytes = randomBytes(50_000)
        let whole = checksum(bytes)
        for _ in 0..<50 {
            var crc = CRC64()
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...5000))
                piece.withUnsafeBytes { crc.update($0) }
                rest = rest.dropFirst(piece.count)
            }
            #expect(crc.value == whole)
            #expect(CRC64(crc.value).value == whole)
        }
    }

    @Test func combineEqualsConcatenation() {
        let bytes = randomBytes(20_000)
        let whole = checksum(bytes)
        var wrong = 0
        for cut in [0, 1, 2, 7, 8, 9, 9_999, 19_999, 20_000] + (0..<200).map({ _ in Int.random(in: 0...20_000) }) {
            let combined = CRC64.combine(
                checksum(Array(bytes[..<cut])), checksum(Array(bytes[cut...])), lengthOfB: UInt64(bytes.count - cut))
            if combined != whole { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test func combineOfManyPartsInOrder() {
        let bytes = randomBytes(100_000)
        var combined: UInt64 = 0
        for start in stride(from: 0, to: bytes.count, by: 777) {
            let part = Array(bytes[start...].prefix(777))
            combined = CRC64.combine(combined, checksum(part), lengthOfB: UInt64(part.count))
        }
        #expect(combined == checksum(bytes))
    }

    @Test func longRunsOfZeros() {
        for length in [1, 63, 64, 65, 4096, 1_000_003] {
            let zeros = [UInt8](repeating: 0, count: length)
            #expect(fast(0, zeros[...]) == bitwise(0, zeros[...]), "\(length) zeros")
            #expect(table(0, zeros[...]) == bitwise(0, zeros[...]), "\(length) zeros")
        }
    }

    /// Runs that no test could sum: built by doubling, they must agree with the sum of a short run and with each other.
    @Test func combineOfTerabytes() {
        func zeros(_ count: UInt64) -> UInt64 {
            var (result, power) = (0 as UInt64, checksum([0]))
            for bit in 0..<64 {
                let length = UInt64(1) << UInt64(bit)
                if count & length != 0 { result = CRC64.combine(result, power, lengthOfB: length) }
                power = CRC64.combine(power, power, lengthOfB: length)
            }
            return result
        }
        #expect(zeros(1_000_003) == checksum([UInt8](repeating: 0, count: 1_000_003)))
        for total in [1 << 40, 1 << 50, UInt64.max] {
            let third = total / 3
            #expect(CRC64.combine(zeros(third), zeros(total - third), lengthOfB: total - third) == zeros(total))
        }
    }

    @Test func combineWithNothing() {
        #expect(CRC64.combine(42, 0, lengthOfB: 0) == 42)
        #expect(CRC64.combine(0, 42, lengthOfB: 1 << 40) == 42)
    }

    @Test func oneThreadPerTask() async {
        let bytes = randomBytes(10_000)
        let expected = bitwise(0, bytes[...])
        await withTaskGroup(of: UInt64.self) { group in
            for _ in 0..<16 { group.addTask { self.checksum(bytes) } }
            for await value in group { #expect(value == expected) }
        }
    }

    private func checksum(_ bytes: [UInt8]) -> UInt64 {
        var crc = CRC64()
        crc.update(bytes)
        return crc.value
    }

    private func fast(_ crc: UInt64, _ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { transfer_crc64_update(crc, $0.baseAddress, $0.count) }
    }

    private func table(_ crc: UInt64, _ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { transfer_crc64_update_table(crc, $0.baseAddress, $0.count) }
    }

    /// The definition, a bit at a time.
    private func bitwise(_ crc: UInt64, _ bytes: ArraySlice<UInt8>) -> UInt64 {
        var state = ~crc
        for byte in bytes {
            state ^= UInt64(byte)
            for _ in 0..<8 { state = state & 1 == 1 ? state >> 1 ^ 0xC96C_5795_D787_0F42 : state >> 1 }
        }
        return ~state
    }

    private func randomBytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }
}
