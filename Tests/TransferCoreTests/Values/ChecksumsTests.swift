import Testing
import TransferCore

@Suite struct ChecksumsTests {
    /// FR-079: the whole unsigned range; anything else is "not verified".
    @Test func onlyUnsignedNumbersAreAChecksum() {
        for value in [0, 1, UInt64.max, UInt64(Int64.max) + 1] {
            #expect(Checksums(crc64: value).crc64 == value)
            #expect(([.crc64: String(value)] as Checksums).crc64 == value)
        }
        for text in ["", " ", "-1", "18446744073709551616", "0x10", "12 ", " 12", "1.0", "null", "+"] {
            #expect(([.crc64: text] as Checksums).crc64 == nil)
        }
    }

    @Test func absenceIsEmpty() {
        #expect(Checksums(crc64: nil).isEmpty)
        #expect((([:] as Checksums)).isEmpty)
        #expect(!Checksums(crc64: 0).isEmpty, "the checksum of nothing is a checksum")
        var checksums = Checksums(crc64: 1)
        checksums.crc64 = nil
        #expect(checksums.isEmpty)
    }

    @Test func algorithmsDoNotMix() {
        let checksums: Checksums = [.crc64NVME: "AAAAAAAAAAE="]
        #expect(checksums.crc64 == nil)
        #expect(checksums[.crc64NVME] == "AAAAAAAAAAE=")
        #expect(!checksums.isEmpty)
    }

    @Test func passThroughJSON() throws {
        let checksums: Checksums = [.crc64: "18446744073709551615", .crc64NVME: "x"]
        #expect(try JSON.decode(Checksums.self, JSON.encode(checksums)) == checksums)
    }
}
