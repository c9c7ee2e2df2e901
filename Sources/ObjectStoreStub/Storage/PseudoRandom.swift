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
        guard let base = buffer.baseAddress else { return }
        var position = 0
        let skew = Int(offset & 7)
        if skew > 0 { position = copyPart(of: offset >> 3, skipping: skew, to: buffer, at: 0) }
        let words = (buffer.count - position) / 8
        if words > 0 {
            fillWords(base + position, count: words, counter: (offset &+ UInt64(position)) >> 3)
            position += words * 8
        }
        if position < buffer.count {
            _ = copyPart(of: (offset &+ UInt64(position)) >> 3, skipping: 0, to: buffer, at: position)
        }
    }

    /// Copies the end of a word, or its beginning where the buffer ends, and returns the position behind it.
    private func copyPart(
        of counter: UInt64, skipping: Int, to buffer: UnsafeMutableRawBufferPointer, at position: Int
    ) -> Int {
        let word = Self.word(seed &+ (counter &+ 1) &* Self.step).littleEndian
        let end = min(buffer.count, position + 8 - skipping)
        withUnsafeBytes(of: word) { bytes in
            for index in position..<end { buffer[index] = bytes[skipping + index - position] }
        }
        return end
    }

    private func fillWords(_ target: UnsafeMutableRawPointer, count: Int, counter: UInt64) {
        var state = seed &+ counter &* Self.step
        if Int(bitPattern: target) & 7 == 0 {
            // Spelled out with a typed pointer and local constants: an unoptimised build spends most of its time here.
            let words = target.assumingMemoryBound(to: UInt64.self)
            let step = Self.step
            var index = 0
            while index < count {
                state = state &+ step
                var z = (state ^ (state &>> 30)) &* 0xBF58_476D_1CE4_E5B9
                z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
                words[index] = (z ^ (z &>> 31)).littleEndian
                index = index &+ 1
            }
        } else {
            for index in 0..<count {
                state = state &+ Self.step
                target.storeBytes(of: Self.word(state).littleEndian, toByteOffset: index * 8, as: UInt64.self)
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

    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private static func word(_ state: UInt64) -> UInt64 {
        var z = (state ^ (state &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z &>> 31)
    }
}
