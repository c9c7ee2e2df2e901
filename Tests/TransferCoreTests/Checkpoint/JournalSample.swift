import TransferPrimitives

@testable import TransferCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A journal with every kind of line.
enum JournalSample {
    static let checkpoint = TransferCheckpoint(
        kind: .copy, provider: "tos", target: ObjectLocation(bucket: "b", key: "ключ/\"q\"\n"),
        source: SourceIdentity(
            size: .max, object: ObjectLocation(bucket: "a", key: "k", versionID: "v"), etag: ETag("\"e-3\""),
            lastModified: Date(timeIntervalSince1970: 1_751_356_800.123), checksums: [.crc64: "18446744073709551615"],
            fileName: "f", path: "/a/f"),
        partSize: 20 << 20, partCount: 4, uploadID: "u/1", optionsDigest: "d", extras: ["media": "m"])

    static let parts = [
        CompletedPart(number: 2, etag: ETag("\"2\""), size: 20 << 20, checksums: [.crc64: "7"], isConfirmed: true),
        CompletedPart(number: 1, etag: ETag("1")),
        CompletedPart(number: 4, etag: ETag("4"), size: 1),
    ]

    static func lines(parts: [CompletedPart] = parts, isCompleting: Bool = true) throws -> [[UInt8]] {
        try [CheckpointJournal.header(checkpoint)] + parts.map { CheckpointJournal.part($0) }
            + (isCompleting ? [CheckpointJournal.completing()] : [])
    }

    static func bytes(parts: [CompletedPart] = parts, isCompleting: Bool = true) throws -> [UInt8] {
        try lines(parts: parts, isCompleting: isCompleting).flatMap(\.self)
    }

    /// The whole record that `bytes(…)` holds.
    static func record(parts: [CompletedPart] = parts, isCompleting: Bool = true) -> TransferCheckpoint {
        var record = checkpoint
        record.parts = parts.sorted { $0.number < $1.number }
        record.isCompleting = isCompleting
        return record
    }

    /// Any JSON as a whole line of a journal.
    static func line(_ json: String) -> [UInt8] {
        let bytes = Array(json.utf8)
        let digits = String(CRC32.checksum(bytes), radix: 16)
        return bytes + Array(" \(String(repeating: "0", count: 8 - digits.count))\(digits)\n".utf8)
    }
}

extension CheckpointJournal.Contents {
    var record: TransferCheckpoint? { if case .record(let record, _) = self { record } else { nil } }
    var goodLength: UInt64? { if case .record(_, let length) = self { length } else { nil } }
    var name: String {
        switch self {
        case .empty: "empty"
        case .record: "record"
        case .newer(let version): "newer \(version)"
        case .damaged: "damaged"
        case .foreign: "foreign"
        }
    }
}
