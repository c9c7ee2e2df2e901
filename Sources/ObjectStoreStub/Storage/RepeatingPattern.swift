import TransferPrimitives

/// A short pseudo-random block repeated for ever: content of any size whose bytes and checksums cost next to nothing.
///
/// The period is a prime, so two ranges of equal length that begin at different part boundaries have different bytes and
/// a copy of the wrong range shows in its CRC-64.
final class RepeatingPattern: Sendable {
    static let period = 65_521

    let seed: UInt64
    private let block: [UInt8]
    /// The checksum of the block's first 0, 256, 512 and so on bytes.
    private let prefixes: [UInt64]
    private static let spacing = 256
    /// Checksums of runs of whole blocks, by their number: the parts of one copy mostly have the same.
    private let runs = LockBox<[UInt64: UInt64]>([:])

    init(seed: UInt64) {
        self.seed = seed
        var block = [UInt8](repeating: 0, count: Self.period)
        block.withUnsafeMutableBytes { PseudoRandomStream(seed: seed).fill($0, from: 0) }
        var prefixes: [UInt64] = [0]
        var sum = CRC64()
        block.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: Self.period - Self.spacing, by: Self.spacing) {
                sum.update(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Self.spacing)]))
                prefixes.append(sum.value)
            }
        }
        self.block = block
        self.prefixes = prefixes
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) {
        var position = 0
        while position < buffer.count {
            let start = Int((offset &+ UInt64(position)) % UInt64(Self.period))
            let count = min(buffer.count - position, Self.period - start)
            UnsafeMutableRawBufferPointer(rebasing: buffer[position...]).copyBytes(from: block[start..<(start + count)])
            position += count
        }
    }

    /// The CRC-64 of a range, from the ends and the number of whole blocks between them.
    func checksum(from start: UInt64, count: UInt64) -> UInt64 {
        let period = UInt64(Self.period)
        let first = start % period
        guard first + count > period else { return checksum(Int(first)..<Int(first + count)) }
        let head = first == 0 ? 0 : period - first
        let whole = (count - head) / period
        let tail = (count - head) % period
        var sum = checksum(Int(first)..<Int(first + head))
        sum = CRC64.combine(sum, repeated(whole), lengthOfB: whole * period)
        return CRC64.combine(sum, checksum(0..<Int(tail)), lengthOfB: tail)
    }

    private func repeated(_ times: UInt64) -> UInt64 {
        if let known = runs.withLock({ $0[times] }) { return known }
        let sum = computeRun(times)
        runs.withLock { $0[times] = sum }
        return sum
    }

    /// The CRC-64 of `times` blocks, by doubling.
    private func computeRun(_ times: UInt64) -> UInt64 {
        var sum: UInt64 = 0
        var power = prefix(Self.period)
        var powerLength = UInt64(Self.period)
        var left = times
        while left > 0 {
            if left & 1 == 1 { sum = CRC64.combine(sum, power, lengthOfB: powerLength) }
            left >>= 1
            if left > 0 {
                power = CRC64.combine(power, power, lengthOfB: powerLength)
                powerLength *= 2
            }
        }
        return sum
    }

    /// The CRC-64 of a part of the block, from those of two prefixes: what comes before it is taken out of the longer one.
    private func checksum(_ range: Range<Int>) -> UInt64 {
        CRC64.combine(prefix(range.lowerBound), 0, lengthOfB: UInt64(range.count)) ^ prefix(range.upperBound)
    }

    private func prefix(_ count: Int) -> UInt64 {
        let index = count / Self.spacing
        var sum = CRC64(prefixes[index])
        block.withUnsafeBytes { sum.update(UnsafeRawBufferPointer(rebasing: $0[(index * Self.spacing)..<count])) }
        return sum.value
    }
}
