import TransferPrimitives

extension ObjectContent {
    /// Why content could not be read.
    struct NotKept: Error {}

    /// Whether every byte can be read.
    public var isReadable: Bool { pieces.allSatisfy(\.isReadable) }

    /// The CRC-64/XZ of the content, or nil when it cannot be known: a part of a discarded upload.
    public var crc64: UInt64? {
        var sum: UInt64 = 0
        for piece in pieces {
            guard let next = piece.checksum else { return nil }
            sum = CRC64.combine(sum, next, lengthOfB: piece.count)
        }
        return sum
    }

    /// The bytes of `range`, or of the whole content; nil when they are not kept or the range does not lie within.
    ///
    /// They are all brought into memory: meant for small objects and samples of large ones.
    public func read(_ range: Range<UInt64>? = nil) -> [UInt8]? {
        let range = range ?? 0..<length
        guard range.upperBound <= length, let count = Int(exactly: range.upperBound - range.lowerBound) else {
            return nil
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        do {
            try slice(range).forEachBuffer { bytes.append(contentsOf: $0) }
        } catch {
            return nil
        }
        return bytes
    }

    /// The offset of the first byte that differs from `other`, or nil when both are equal in length and bytes.
    ///
    /// Content that is not kept is compared by its checksum, and then a difference is reported at offset 0.
    public func firstDifference(from other: ObjectContent) -> UInt64? {
        guard isReadable && other.isReadable else {
            return length == other.length && crc64 != nil && crc64 == other.crc64 ? nil : 0
        }
        let shared = min(length, other.length)
        if let piece = pieces.first, pieces.count == 1, other.pieces.count == 1, case .repeating(let a, 0, _) = piece,
            case .repeating(let b, 0, _) = other.pieces[0], a.seed == b.seed
        {
            return length == other.length ? nil : shared
        }
        var offset: UInt64 = 0
        while offset < shared {
            let end = min(shared, offset + 4 << 20)
            guard let mine = read(offset..<end), let theirs = other.read(offset..<end) else { return offset }
            if mine != theirs {
                return offset + UInt64(zip(mine, theirs).prefix { $0 == $1 }.count)
            }
            offset = end
        }
        return length == other.length ? nil : shared
    }

    /// Calls `body` with the content in order, in runs of at most 1 MiB.
    func forEachBuffer(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        var scratch: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .chunk(let chunk, let start, let count):
                try chunk.bytes.withUnsafeBytes {
                    try body(UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)]))
                }
            case .generated(let stream, let start, let count):
                try Self.produce(count, &scratch, body) { stream.fill($0, from: start + $1) }
            case .repeating(let pattern, let start, let count):
                try Self.produce(count, &scratch, body) { pattern.fill($0, from: start + $1) }
            case .summary: throw NotKept()
            }
        }
    }

    private static func produce(
        _ count: UInt64, _ scratch: inout [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Void,
        fill: (UnsafeMutableRawBufferPointer, UInt64) -> Void
    ) throws {
        if scratch.isEmpty { scratch = [UInt8](repeating: 0, count: 256 << 10) }
        var offset: UInt64 = 0
        while offset < count {
            let length = Int(min(count - offset, UInt64(scratch.count)))
            try scratch.withUnsafeMutableBytes { buffer in
                fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]), offset)
                try body(UnsafeRawBufferPointer(rebasing: buffer[..<length]))
            }
            offset += UInt64(length)
        }
    }

    /// The ETag of this content stored as one object or part, 32 hexadecimal digits without quotes.
    ///
    /// It is the MD5 of the bytes when they are real and no more than `digestLimit`; else an opaque value made from the
    /// length and the CRC-64, the same for the same content.
    func etag(digestLimit: UInt64, knownMD5: [UInt8]? = nil) -> String {
        if let knownMD5 { return Hex.encode(knownMD5) }
        if length <= digestLimit, pieces.allSatisfy(\.isReal) {
            var digest = MD5Hasher()
            do {
                try forEachBuffer { digest.update($0) }
                return Hex.encode(digest.finalize())
            } catch {
                // Real content is readable; should it ever not be, the opaque form below still names it.
            }
        }
        let checksum = crc64.map { String($0) } ?? "unknown"
        return Hex.encode(Digest.md5("opaque \(length) \(checksum)".utf8))
    }

    /// The same content with one byte inverted.
    func flippingByte(at offset: UInt64) -> ObjectContent? {
        guard offset < length, let byte = read(offset..<(offset + 1))?.first else { return nil }
        var result = slice(0..<offset)
        result.append(.bytes([~byte]))
        result.append(slice((offset + 1)..<length))
        return result
    }
}
