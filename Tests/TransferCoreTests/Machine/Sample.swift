import TransferPrimitives

@testable import TransferCore

/// A transfer of 25 bytes in parts of 10, of which two may be in flight: values for tests of pure decisions.
enum Sample {
    static let size: UInt64 = 25
    static let limits = BackendCapabilities.PartLimits(
        minimumSize: 1, maximumSize: 1 << 40, maximumCount: 10_000, defaultSize: 10)
    static let source = ObjectLocation(bucket: "a", key: "k")
    static let target = ObjectLocation(bucket: "b", key: "k")
    static let bytes = (0..<25).map { UInt8($0) }
    static let plan = PartPlan.fixed(size: size, partSize: 10)

    static func settings(
        concurrency: Int = 2, keeps: Bool = true, abortsOnDenial: Bool = false, rechecks: Bool = true,
        acceptsUnrecorded: Bool = false, checksLocal: Bool = false
    ) -> TransferMachine.Settings {
        TransferMachine.Settings(
            concurrency: concurrency, keepsCheckpoint: keeps, abortsOnDenial: abortsOnDenial, rechecksSource: rechecks,
            acceptsUnrecordedParts: acceptsUnrecorded, checksLocalParts: checksLocal)
    }

    static let identity = SourceIdentity(
        size: size, object: source, etag: ETag("\"source\""), checksums: Checksums(crc64: crc64(bytes)))

    /// A record of the upload `u1`.
    static func checkpoint(
        parts: [Int] = [], isCompleting: Bool = false, uploadID: String = "u1", digest: String = "d"
    ) -> TransferCheckpoint {
        TransferCheckpoint(
            kind: .copy, provider: "p", target: target, source: identity, partSize: 10, partCount: 3,
            uploadID: uploadID, optionsDigest: digest, parts: parts.map { part($0) }, isCompleting: isCompleting)
    }

    static func inspection(hasPrecondition: Bool = true) -> TransferMachine.Inspection {
        TransferMachine.Inspection(
            shape: .parts(plan), checkpoint: checkpoint(uploadID: ""), hasPrecondition: hasPrecondition)
    }

    static var wholeInspection: TransferMachine.Inspection {
        TransferMachine.Inspection(shape: .whole, checkpoint: checkpoint(uploadID: ""))
    }

    static func bytes(of number: Int) -> [UInt8] {
        guard let range = plan.part(number)?.range else { return [] }
        return Array(bytes[Int(range.offset)..<Int(range.end)])
    }

    private static let parts = (1...3).map { number in
        CompletedPart(
            number: number, etag: etag(bytes(of: number)), size: UInt64(bytes(of: number).count),
            checksums: Checksums(crc64: crc64(bytes(of: number))), isConfirmed: true)
    }

    /// Part 1, 2 or 3 as a service answers it that confirms checksums.
    static func part(_ number: Int) -> CompletedPart { parts[number - 1] }

    static func etag(_ bytes: [UInt8]) -> ETag { ETag(Hex.encode(Digest.md5(bytes))) }

    static func crc64(_ bytes: [UInt8]) -> UInt64 {
        var crc = CRC64()
        crc.update(bytes)
        return crc.value
    }

    /// The tag that exactly the three parts give.
    static let objectETag = ETag(Hex.encode(Digest.md5((1...3).flatMap { Digest.md5(bytes(of: $0)) })) + "-3")

    /// An answer to Complete that verifies by itself.
    static let receipt = TransferReceipt(etag: objectETag, checksums: Checksums(crc64: crc64(bytes)))

    /// The object as a HEAD tells it.
    static let info = ObjectInfo(
        size: size, etag: objectETag, versionID: "v", checksums: Checksums(crc64: crc64(bytes)))
}

extension PartPlan {
    /// A plan whose numbers are known to fit.
    static func fixed(size: UInt64, partSize: UInt64) -> PartPlan {
        do {
            return try PartPlan(size: size, requested: partSize, limits: Sample.limits)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
