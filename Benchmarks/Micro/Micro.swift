internal import TransferPrimitives

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Times single steps of transfers, each by itself, and prints a line of JSON for each.
///
/// Part of the library's own package: some of the steps are no public interface.
@main
struct Micro {
    static func main() async {
        do {
            try await measureAll()
        } catch {
            print("bench-micro: \(error)")
            exit(1)
        }
    }

    private static func measureAll() async throws {
        for dialect in SigningStep.dialects { try signing(dialect) }
        checksums()
        try plans()
        for wire in ListingStep.Wire.allCases { try await listing(wire) }
        try await journal()
    }

    private static func signing(_ dialect: SigningStep.Dialect) throws {
        let step = try SigningStep(dialect)
        try Measurement("V4 signature of a part, \(dialect.name)").run(count: 2000) { try step.sign() }
    }

    private static func checksums() {
        let bytes = [UInt8](repeating: 0xA5, count: 8 << 20)
        Measurement("CRC-64 of 8 MiB", bytes: bytes.count).run(count: 8) {
            var crc = CRC64()
            crc.update(bytes)
            return crc.value
        }
        Measurement("CRC-64 of 8 MiB, by tables", bytes: bytes.count).run(count: 2) { TableCRC64.checksum(bytes) }
        Measurement("CRC-64 of two parts combined").run(count: 2000) {
            CRC64.combine(0x1234_5678_9ABC_DEF0, 0x0FED_CBA9_8765_4321, lengthOfB: 8 << 20)
        }
    }

    private static func plans() throws {
        try Measurement("PartPlan of 10,000 parts, all of them").run(count: 20) { try PlanStep.sumOfLengths() }
    }

    private static func listing(_ wire: ListingStep.Wire) async throws {
        let step = try ListingStep(wire)
        try await Measurement("ListParts of 1,000 parts, \(wire.rawValue)").run(count: 5) { try await step.list() }
        await step.end()
    }

    private static func journal() async throws {
        let step = try await JournalStep()
        var number = 0
        try await Measurement("checkpoint: a part recorded").run(count: 500) {
            number = number % 10_000 + 1
            try await step.record(number)
        }
        try await Measurement("checkpoint: a part recorded and flushed to the disk").run(count: 5) {
            number = number % 10_000 + 1
            try await step.record(number)
            try await step.flush()
        }
        try await step.remove()
    }
}
