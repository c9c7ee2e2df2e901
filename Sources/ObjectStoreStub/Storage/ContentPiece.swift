import TransferPrimitives

/// Up to 1 MiB of bytes that never change, with their checksum.
final class ContentChunk: Sendable {
    static let size = 1 << 20

    let bytes: [UInt8]
    let checksum: UInt64

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var sum = CRC64()
        sum.update(bytes)
        checksum = sum.value
    }
}

/// A run of bytes with one origin.
enum ContentPiece: Sendable {
    case chunk(ContentChunk, start: Int, count: Int)
    case generated(PseudoRandomStream, start: UInt64, count: UInt64)
    case repeating(RepeatingPattern, start: UInt64, count: UInt64)
    case summary(count: UInt64, checksum: UInt64?)

    var count: UInt64 {
        switch self {
        case .chunk(_, _, let count): UInt64(count)
        case .generated(_, _, let count), .repeating(_, _, let count), .summary(let count, _): count
        }
    }

    /// Whether the bytes can be read at all.
    var isReadable: Bool {
        if case .summary = self { false } else { true }
    }

    /// Whether a digest over the bytes makes sense: not for content that is only pretended.
    var isReal: Bool {
        switch self {
        case .chunk, .generated: true
        case .repeating, .summary: false
        }
    }

    /// The CRC-64 of the piece as far as it can be known.
    var checksum: UInt64? {
        switch self {
        case .chunk(let chunk, let start, let count):
            if start == 0 && count == chunk.bytes.count { return chunk.checksum }
            var sum = CRC64()
            chunk.bytes.withUnsafeBytes { sum.update(UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)])) }
            return sum.value
        case .generated(let stream, let start, let count): return stream.checksum(from: start, count: count)
        case .repeating(let pattern, let start, let count): return pattern.checksum(from: start, count: count)
        case .summary(_, let checksum): return checksum
        }
    }

    /// The part of the piece that `range`, counted from its start, covers.
    func slice(_ range: Range<UInt64>) -> ContentPiece {
        let count = range.upperBound - range.lowerBound
        if count == self.count { return self }
        switch self {
        case .chunk(let chunk, let start, _):
            return .chunk(chunk, start: start + Int(range.lowerBound), count: Int(count))
        case .generated(let stream, let start, _):
            return .generated(stream, start: start + range.lowerBound, count: count)
        case .repeating(let pattern, let start, _):
            return .repeating(pattern, start: start + range.lowerBound, count: count)
        case .summary: return .summary(count: count, checksum: nil)
        }
    }

    /// One piece in place of two when `next` goes on where this one ends.
    func joined(with next: ContentPiece) -> ContentPiece? {
        switch (self, next) {
        case (.chunk(let chunk, let start, let count), .chunk(let other, let from, let more))
        where chunk === other && from == start + count:
            .chunk(chunk, start: start, count: count + more)
        case (.generated(let stream, let start, let count), .generated(let other, let from, let more))
        where stream.seed == other.seed && from == start + count:
            .generated(stream, start: start, count: count + more)
        case (.repeating(let pattern, let start, let count), .repeating(let other, let from, let more))
        where pattern.seed == other.seed && from == start + count:
            .repeating(pattern, start: start, count: count + more)
        case (.summary(let count, let a?), .summary(let more, let b?)):
            .summary(count: count + more, checksum: CRC64.combine(a, b, lengthOfB: more))
        default: nil
        }
    }
}
