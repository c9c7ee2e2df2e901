import TransferPrimitives

/// The bytes of an object or of a part, as references: slicing and joining copy nothing.
///
/// What the server can know of content depends on how it came to be:
///
/// | made by | bytes | CRC-64 of any range | MD5 |
/// |---|---|---|---|
/// | ``bytes(_:)`` and uploads that are kept | yes | yes | yes |
/// | ``generated(seed:length:)`` | yes, computed when read | yes | yes |
/// | ``pretended(length:seed:)`` | yes, computed when read | yes, at once for any size | no |
/// | ``summary(length:crc64:)`` and uploads that are discarded | no | of the whole and of joins of wholes | no |
public struct ObjectContent: Sendable {
    private(set) var pieces: [ContentPiece] = []
    /// The offset behind each piece.
    private var ends: [UInt64] = []

    init() {}

    init(_ piece: ContentPiece) { append(piece) }

    /// The number of bytes.
    public var length: UInt64 { ends.last ?? 0 }

    /// Content held in memory.
    public static func bytes(_ bytes: some Sequence<UInt8>) -> ObjectContent {
        var content = ObjectContent()
        var rest = ArraySlice(Array(bytes))
        while !rest.isEmpty {
            content.append(chunk: ContentChunk(Array(rest.prefix(ContentChunk.size))))
            rest = rest.dropFirst(ContentChunk.size)
        }
        return content
    }

    /// The UTF-8 bytes of a text.
    public static func text(_ text: String) -> ObjectContent { bytes(text.utf8) }

    /// Pseudo-random content that is computed when it is read: no memory, but about a second of time for each GiB.
    public static func generated(seed: UInt64, length: UInt64) -> ObjectContent {
        ObjectContent(.generated(PseudoRandomStream(seed: seed), start: 0, count: length))
    }

    /// Content of any size that costs nothing: a 65,521-byte block repeated, with CRC-64 but without MD5.
    public static func pretended(length: UInt64, seed: UInt64 = 1) -> ObjectContent {
        ObjectContent(.repeating(RepeatingPattern(seed: seed), start: 0, count: length))
    }

    /// Content of which only the length and the CRC-64 are known; reading it is refused.
    public static func summary(length: UInt64, crc64: UInt64?) -> ObjectContent {
        ObjectContent(.summary(count: length, checksum: crc64))
    }

    mutating func append(chunk: ContentChunk) {
        append(.chunk(chunk, start: 0, count: chunk.bytes.count))
    }

    mutating func append(_ content: ObjectContent) {
        for piece in content.pieces { append(piece) }
    }

    /// Adds a piece at the end, joined with the last one where it continues it.
    private mutating func append(_ piece: ContentPiece) {
        guard piece.count > 0 else { return }
        let start = length
        if let last = pieces.last, let joined = last.joined(with: piece) {
            pieces[pieces.count - 1] = joined
            ends[ends.count - 1] = start + piece.count
        } else {
            pieces.append(piece)
            ends.append(start + piece.count)
        }
    }

    /// The bytes of `range`, shared and not copied. What of the range lies outside the content is left out.
    public func slice(_ range: Range<UInt64>) -> ObjectContent {
        let range = range.clamped(to: 0..<length)
        var result = ObjectContent()
        var index = firstPiece(endingAfter: range.lowerBound)
        while index < pieces.count {
            let start = index == 0 ? 0 : ends[index - 1]
            if start >= range.upperBound { break }
            let from = max(range.lowerBound, start) - start
            let to = min(range.upperBound, ends[index]) - start
            result.append(pieces[index].slice(from..<to))
            index += 1
        }
        return result
    }

    private func firstPiece(endingAfter offset: UInt64) -> Int {
        var low = 0
        var high = ends.count
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
