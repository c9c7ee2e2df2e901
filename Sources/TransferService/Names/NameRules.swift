package import TransferCore

/// What may be a bucket, a version, an upload, a part. What may be a key, each provider says.
package enum NameRules {
    /// What the name of a bucket is made of.
    package enum BucketNames: Sendable, Hashable {
        /// 3 to 63 letters a–z, digits and hyphens, no hyphen at either end (OSS: "Bucket naming"; TOS: "Common Concepts",
        /// Bucket).
        case label
        /// 3 to 63 characters in such labels between dots, however short each, and no IP address (S3: "General purpose bucket
        /// naming rules").
        case labels
    }

    package static func checkBucket(
        _ bucket: String, field: String, _ names: BucketNames = .label
    ) throws(TransferError) {
        let isWellFormed =
            names == .label
            ? isLabel(bucket.utf8[...]) : areLabels(bucket.utf8.split(separator: dot, omittingEmptySubsequences: false))
        guard (3...63).contains(bucket.utf8.count), isWellFormed else {
            let dots = names == .labels ? "labels between dots, each of " : ""
            throw .invalidArgument(
                field,
                """
                \(shortened(bucket)) is no bucket name; expected 3 to 63 characters: \(dots)a–z, 0–9 and -, with no - at \
                either end
                """)
        }
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        !label.isEmpty && label.allSatisfy(isBucketByte) && label.first != hyphen && label.last != hyphen
    }

    private static func areLabels(_ labels: [Substring.UTF8View]) -> Bool {
        labels.allSatisfy(isLabel) && !isAddress(labels)
    }

    /// Four numbers between dots would be taken for a host.
    private static func isAddress(_ labels: [Substring.UTF8View]) -> Bool {
        labels.count == 4 && labels.joined().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Nil means the current version; an empty text is a mistake that would silently mean the same.
    package static func checkVersion(_ versionID: String?, field: String) throws(TransferError) {
        if let versionID, versionID.isEmpty {
            throw .invalidArgument(field, "a version id is not empty; leave it nil for the current version")
        }
    }

    /// An id is the service's own text; only an empty one cannot be.
    package static func checkUploadID(_ uploadID: String, field: String = "uploadID") throws(TransferError) {
        if uploadID.isEmpty { throw .invalidArgument(field, "an upload id is needed") }
    }

    /// 1 to the most parts that the provider takes.
    package static func checkPartNumber(
        _ number: Int, of limits: BackendCapabilities.PartLimits, field: String
    ) throws(TransferError) {
        guard (1...limits.maximumCount).contains(number) else {
            throw .invalidArgument(field, "part number \(number) is outside 1…\(limits.maximumCount)")
        }
    }

    private static let hyphen = UInt8(ascii: "-")
    private static let dot = UInt8(ascii: ".")

    private static func isBucketByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), hyphen: true
        default: false
        }
    }

    /// Quoted for a message, however long or odd it is.
    private static func shortened(_ text: String) -> String {
        text.utf8.count <= 80 ? text.debugDescription : String(text.prefix(80)).debugDescription + "…"
    }
}
