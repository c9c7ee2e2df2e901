import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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
        guard range.upperBound <= length, isReadable, let count = Int(exactly: range.upperBound - range.lowerBound)
        else {
            return nil
        }
        // An array made for no bytes would write its count to the storage that all empty arrays share: a race.
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = copy(range, to: UnsafeMutableRawBufferPointer(buffer)) ? count : 0
        }
    }

    /// Copies the bytes of `range` to the start of `target`, which is long enough; false when they are not kept.
    private func copy(_ range: Range<UInt64>, to target: UnsafeMutableRawBufferPointer) -> Bool {
        var position = 0
        do {
            try slice(range).forEachBuffer { bytes in
                UnsafeMutableRawBufferPointer(rebasing: target[position...]).copyMemory(from: bytes)
                position += bytes.count
            }
            return true
        } catch {
            return false
        }
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
        let window = 1 << 20
        let buffers = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * window, alignment: 16)
        defer { buffers.deallocate() }
        while offset < shared {
            let count = Int(min(shared - offset, UInt64(window)))
            let mine = UnsafeMutableRawBufferPointer(rebasing: buffers[..<count])
            let theirs = UnsafeMutableRawBufferPointer(rebasing: buffers[window..<(window + count)])
            let range = offset..<(offset + UInt64(count))
            guard copy(range, to: mine), other.copy(range, to: theirs), let a = mine.baseAddress,
                let b = theirs.baseAddress
            else { return offset }
            if memcmp(a, b, count) != 0 { return offset + UInt64(zip(mine, theirs).prefix { $0 == $1 }.count) }
            offset = range.upperBound
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
    ///
    /// - Parameter crc64: the checksum of the content, which the caller has at hand.
    func etag(digestLimit: UInt64, crc64: UInt64?, knownMD5: [UInt8]? = nil) -> String {
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
