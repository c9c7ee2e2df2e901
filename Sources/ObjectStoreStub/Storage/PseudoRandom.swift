import TransferPrimitives

/// Pseudo-random bytes that are a function of a seed and an offset, so that they need no memory and any range can be read.
///
/// The bytes are the little-endian words of SplitMix64 at counter 0, 1, 2 and so on.
final class PseudoRandomStream: Sendable {
    let seed: UInt64
    /// Checksums of whole blocks that have been computed once.
    private let blockChecksums = LockBox<[UInt64: UInt64]>([:])
    private static let blockLength: UInt64 = 1 << 20

    init(seed: UInt64) { self.seed = seed }

    func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) {
        let count = buffer.count
        var position = 0
        while position < count {
            let place = offset &+ UInt64(position)
            var word = Self.word(seed, place >> 3)
            let skip = Int(place & 7)
            if skip == 0 && count - position >= 8 {
                buffer.storeBytes(of: word.littleEndian, toByteOffset: position, as: UInt64.self)
                position += 8
            } else {
                word >>= UInt64(skip * 8)
                let end = min(count, position + 8 - skip)
                while position < end {
                    buffer[position] = UInt8(truncatingIfNeeded: word)
                    word >>= 8
                    position += 1
                }
            }
        }
    }

    /// The CRC-64 of a range. Whole blocks are computed once and remembered.
    func checksum(from start: UInt64, count: UInt64) -> UInt64 {
        var sum: UInt64 = 0
        var offset = start
        var left = count
        while left > 0 {
            let block = offset / Self.blockLength
            let length = min(left, (block + 1) * Self.blockLength - offset)
            let part: UInt64
            if length == Self.blockLength {
                if let known = blockChecksums.withLock({ $0[block] }) {
                    part = known
                } else {
                    part = compute(from: offset, count: length)
                    blockChecksums.withLock { $0[block] = part }
                }
            } else {
                part = compute(from: offset, count: length)
            }
            sum = CRC64.combine(sum, part, lengthOfB: length)
            offset += length
            left -= length
        }
        return sum
    }

    private func compute(from start: UInt64, count: UInt64) -> UInt64 {
        var bytes = [UInt8](repeating: 0, count: Int(count))
        bytes.withUnsafeMutableBytes { fill($0, from: start) }
        var sum = CRC64()
        sum.update(bytes)
        return sum.value
    }

    private static func word(_ seed: UInt64, _ counter: UInt64) -> UInt64 {
        var z = seed &+ (counter &+ 1) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
