internal import TransferPrimitives

/// A random UUID (RFC 9562, version 4), from the randomness that is injected everywhere.
enum TaskID {
    static func make(_ random: any RandomSource) -> String {
        let high = random.next() & ~0xF000 | 0x4000
        let low = random.next() & ~(3 << 62) | 1 << 63
        let digits = hex(high) + hex(low)
        var groups: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }

    private static func hex(_ number: UInt64) -> String {
        Hex.encode((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }
}
