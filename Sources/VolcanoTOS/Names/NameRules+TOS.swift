internal import TransferCore
internal import TransferService

extension NameRules {
    /// 1 to 1,024 bytes of UTF-8 (TOS: "Common Concepts", Object). Older SDKs stop at 696; the service decides there.
    static func checkKey(_ key: String, field: String) throws(TransferError) {
        guard !key.isEmpty else { throw .invalidArgument(field, "a key has at least 1 byte") }
        guard key.utf8.count <= 1024 else {
            throw .invalidArgument(field, "a key has at most 1024 bytes, and this one has \(key.utf8.count)")
        }
    }

    static func checkPartNumber(_ number: Int, field: String = "partNumber") throws(TransferError) {
        try checkPartNumber(number, of: TOSProvider.partLimits, field: field)
    }
}
