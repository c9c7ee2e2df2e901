package import TransferCore

extension [CompletedPart] {
    /// The parts as Complete names them: in ascending order, which services insist on. Throws `.invalidArgument` naming
    /// `parts` for none, a number out of range, one that stands twice, or a part without an ETag.
    package func checkedForComplete(_ limits: BackendCapabilities.PartLimits) throws(TransferError) -> [CompletedPart] {
        guard !isEmpty else { throw .invalidArgument("parts", "an object is made of at least one part") }
        let parts = sorted { $0.number < $1.number }
        for part in parts {
            try NameRules.checkPartNumber(part.number, of: limits, field: "parts")
            guard !part.etag.isEmpty else { throw .invalidArgument("parts", "part \(part.number) has no ETag") }
        }
        if let twice = zip(parts, parts.dropFirst()).first(where: { $0.number == $1.number }) {
            throw .invalidArgument("parts", "part \(twice.0.number) is named twice")
        }
        return parts
    }
}
