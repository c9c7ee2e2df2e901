internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The text of a checkpoint file: pure encoding and decoding.
///
/// Lines of JSON, each closed by a blank, the CRC-32 of what stands before that blank in eight hex digits, and a line feed. The first
/// line is the header, `{"objectTransferCheckpoint":1,"transfer":{…}}`; each further line is a stored part or
/// `{"completing":true}`. A later line for a part replaces an earlier one. A reader stops at the first line that is not
/// whole, so a torn tail costs the parts in it and nothing else.
package enum CheckpointJournal {
    /// The format that this version writes, and the newest it reads.
    package static let version = 1
    /// Bytes; a larger file is no journal. 10,000 parts take less than a quarter of it.
    package static let maximumSize: UInt64 = 16 << 20

    private static let prefix = Array(#"{"objectTransferCheckpoint":"#.utf8)

    /// What a file holds.
    package enum Contents {
        case empty
        /// A record; good up to `goodLength` bytes.
        case record(TransferCheckpoint, goodLength: UInt64)
        /// A newer version's record.
        case newer(version: Int)
        /// A record of ours whose header is damaged.
        case damaged
        /// Something else.
        case foreign
    }

    // MARK: Writing

    package static func header(_ checkpoint: TransferCheckpoint) throws -> [UInt8] {
        var bare = checkpoint
        bare.parts = []
        bare.isCompleting = false
        return try line(Header(objectTransferCheckpoint: version, transfer: bare))
    }

    package static func completing() throws -> [UInt8] { try line(Completing(completing: true)) }

    private struct Header: Codable {
        var objectTransferCheckpoint: Int
        var transfer: TransferCheckpoint
    }

    private struct Version: Decodable {
        var objectTransferCheckpoint: Int
    }

    private struct Completing: Codable {
        var completing: Bool
    }

    private static func line(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .millisecondsSince1970
        var line = [UInt8](try encoder.encode(value))
        close(&line, from: 0)
        return line
    }

    /// Closes the line whose JSON begins at `start`.
    static func close(_ bytes: inout [UInt8], from start: Int) {
        let sum = bytes.withUnsafeBytes { CRC32.checksum(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        bytes.append(UInt8(ascii: " "))
        for shift in stride(from: 28, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: sum >> UInt32(shift) & 15)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    // MARK: Reading

    package static func read(_ bytes: [UInt8]) -> Contents {
        if bytes.isEmpty { return .empty }
        guard bytes.starts(with: prefix) else { return .foreign }
        var lines = Lines(bytes)
        guard let first = lines.next() else { return .damaged }
        guard let version = decode(Version.self, first)?.objectTransferCheckpoint else { return .damaged }
        guard version <= self.version else { return .newer(version: version) }
        guard var checkpoint = decode(Header.self, first)?.transfer else { return .damaged }
        // The parts are what the lines say, whatever the header claims.
        var parts: [Int: CompletedPart] = [:]
        checkpoint.isCompleting = false
        var good = lines.offset
        while let line = lines.next() {
            if let part = decode(CompletedPart.self, line), part.number >= 1 {
                parts[part.number] = part
            } else if decode(Completing.self, line)?.completing == true {
                checkpoint.isCompleting = true
            } else {
                break
            }
            good = lines.offset
        }
        checkpoint.parts = parts.values.sorted { $0.number < $1.number }
        return .record(checkpoint, goodLength: UInt64(good))
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ json: ArraySlice<UInt8>) -> Value? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        return try? decoder.decode(type, from: Data(json))
    }

    /// The JSON of each whole line whose checksum is right; ends at the first other.
    private struct Lines: IteratorProtocol {
        let bytes: [UInt8]
        /// Behind the last good line.
        private(set) var offset = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func next() -> ArraySlice<UInt8>? {
            guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")), end - offset > 9 else { return nil }
            let json = bytes[offset..<(end - 9)]
            let sum = String(decoding: bytes[(end - 8)..<end], as: UTF8.self)
            guard bytes[end - 9] == UInt8(ascii: " "), UInt32(sum, radix: 16) == CRC32.checksum(json) else {
                return nil
            }
            offset = end + 1
            return json
        }
    }
}
