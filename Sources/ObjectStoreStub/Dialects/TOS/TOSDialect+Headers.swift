extension TOSDialect {
    private static let allowedValues: [(name: String, values: Set<String>)] = [
        (
            "x-tos-acl",
            [
                "private", "public-read", "public-read-write", "authenticated-read", "bucket-owner-read",
                "bucket-owner-full-control", "log-delivery-write", "bucket-owner-entrusted", "default",
            ]
        ),
        (
            "x-tos-storage-class",
            [
                "STANDARD", "IA", "ARCHIVE_FR", "INTELLIGENT_TIERING", "COLD_ARCHIVE", "ARCHIVE", "DEEP_COLD_ARCHIVE",
            ]
        ),
        ("x-tos-server-side-encryption", ["AES256", "kms"]),
        ("x-tos-forbid-overwrite", ["true", "false"]),
        ("x-tos-complete-all", ["yes"]),
        ("x-tos-metadata-directive", ["COPY", "REPLACE"]),
        ("x-tos-tagging-directive", ["Copy", "Replace"]),
    ]

    /// Refuses headers with values that the service does not know, or where they do not belong.
    static func checkHeaders(_ head: RequestHead) throws(ServiceFailure) {
        for (name, values) in allowedValues {
            guard let value = head.value(name), !values.contains(value) else { continue }
            throw .invalidArgument("\(name) cannot be \(value).")
        }
        if head.method == "GET" || head.method == "HEAD", head.value("x-tos-server-side-encryption") != nil {
            throw .invalidArgument("x-tos-server-side-encryption belongs to the request that makes the object.")
        }
    }

    /// The days that an object is to be kept.
    static func life(_ head: RequestHead) throws(ServiceFailure) -> Int? {
        guard let text = head.value("x-tos-object-expires") else { return nil }
        guard let days = Int(text), (1...36_500).contains(days) else {
            throw .invalidArgument("x-tos-object-expires must be a number of days.")
        }
        return days
    }
}
