import CChecksum
import Testing
import TransferPrimitives

@Suite struct CRC32Tests {
    @Test(arguments: [("", 0 as UInt32), ("123456789", 0xCBF4_3926), ("a", 0xE8B7_BE43)])
    func checkValues(text: String, expected: UInt32) {
        #expect(CRC32.checksum(text.utf8) == expected)
        #expect(CRC32.checksum(AnySequence(text.utf8)) == expected)
    }

    @Test func equalsTheDefinitionAndContinues() {
        let bytes = (0..<5000).map { _ in UInt8.random(in: 0...255) }
        var state: UInt32 = .max
        for byte in bytes {
            state ^= UInt32(byte)
            for _ in 0..<8 { state = state & 1 == 1 ? state >> 1 ^ 0xEDB8_8320 : state >> 1 }
        }
        #expect(CRC32.checksum(bytes) == ~state)

        let first = transfer_crc32_update(0, Array(bytes[..<1234]), 1234)
        #expect(transfer_crc32_update(first, Array(bytes[1234...]), 5000 - 1234) == ~state)
    }

    @Test func everySingleBitFlipShows() {
        let line = Array(#"{"n":17,"etag":"9b2cf535f27731c974343645a3985328","size":5242880}"#.utf8)
        let right = CRC32.checksum(line)
        for bit in 0..<line.count * 8 {
            var flipped = line
            flipped[bit / 8] ^= 1 << (bit % 8)
            #expect(CRC32.checksum(flipped) != right)
        }
    }
}
