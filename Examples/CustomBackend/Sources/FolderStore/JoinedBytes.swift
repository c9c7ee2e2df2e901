import Foundation
import ObjectTransfer

/// Files that are read as one. A source of one's own, too, is a length and one function.
struct JoinedBytes: ByteSource {
    private let pieces: [(range: Range<UInt64>, url: URL)]

    init(_ files: [(size: UInt64, url: URL)]) {
        var end: UInt64 = 0
        pieces = files.map { size, url in
            defer { end += size }
            return (end..<end + size, url)
        }
    }

    var length: UInt64 { pieces.last?.range.upperBound ?? 0 }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let piece = pieces.first(where: { $0.range.contains(offset) }) else { return 0 }
        let file = try FileHandle(forReadingFrom: piece.url)
        defer { try? file.close() }
        try file.seek(toOffset: offset - piece.range.lowerBound)
        let bytes = try file.read(upToCount: buffer.count) ?? Data()
        buffer.copyBytes(from: bytes)
        return bytes.count
    }
}
