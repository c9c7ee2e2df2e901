/// Whether an earlier call's record can be continued, decided from facts alone.
enum ResumeDecision: Hashable {
    case resume
    case restart(RestartReason)

    /// Compares what was recorded with what is to be done now.
    init(saved: TransferCheckpoint, wanted: TransferCheckpoint, plan: PartPlan) {
        if saved.kind != wanted.kind || saved.provider != wanted.provider || saved.target != wanted.target {
            self = .restart(.targetChanged)
        } else if !saved.source.isSame(as: wanted.source) {
            self = .restart(.sourceChanged)
        } else if saved.optionsDigest != wanted.optionsDigest {
            self = .restart(.optionsChanged)
        } else if saved.partSize != plan.partSize {
            self = .restart(.partSizeChanged)
        } else if !Self.isSound(saved, plan: plan) {
            self = .restart(.recordInvalid)
        } else {
            self = .resume
        }
    }

    private static func isSound(_ saved: TransferCheckpoint, plan: PartPlan) -> Bool {
        guard !saved.uploadID.isEmpty, saved.partCount == nil || saved.partCount == plan.count else { return false }
        return saved.parts.allSatisfy { part in
            guard let planned = plan.part(part.number), !part.etag.isEmpty else { return false }
            return part.size == nil || part.size == planned.range.length
        }
    }
}

/// Which parts need not be sent again: the service's list is the truth, the record a check on it.
struct ListedParts {
    /// The parts to keep, by number.
    private(set) var kept: [Int: CompletedPart] = [:]

    /// - Parameter acceptsUnrecorded: Whether a listed part that was not recorded may be kept: only where each part copy
    ///   carried a precondition that the service honours, so that the part cannot stem from another source.
    init(recorded: [CompletedPart], listed: [CompletedPart], plan: PartPlan, acceptsUnrecorded: Bool) {
        var record: [Int: CompletedPart] = [:]
        for part in recorded { record[part.number] = part }
        for part in listed {
            guard let planned = plan.part(part.number), part.size == nil || part.size == planned.range.length else {
                continue
            }
            if let known = record[part.number] {
                guard known.etag == part.etag, Self.agree(known.checksums.crc64, part.checksums.crc64) else { continue }
                var merged = part
                if merged.checksums.isEmpty { merged.checksums = known.checksums }
                merged.isConfirmed = part.isConfirmed || known.isConfirmed
                merged.size = planned.range.length
                kept[part.number] = merged
            } else if acceptsUnrecorded, !part.etag.isEmpty, part.size != nil {
                kept[part.number] = part
            }
        }
    }

    private static func agree(_ a: UInt64?, _ b: UInt64?) -> Bool {
        guard let a, let b else { return true }
        return a == b
    }
}
