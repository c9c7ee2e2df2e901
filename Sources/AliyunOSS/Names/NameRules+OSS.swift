internal import TransferCore
internal import TransferService

extension NameRules {
    /// 1 to 1,023 bytes of UTF-8 that do not begin with a slash of either kind (OSS: "HTTP status code 400").
    static func checkKey(_ key: String, field: String) throws(TransferError) {
        guard !key.isEmpty else { throw .invalidArgument(field, "a key has at least 1 byte") }
        guard key.utf8.count <= 1023 else {
            throw .invalidArgument(field, "a key has at most 1023 bytes, and this one has \(key.utf8.count)")
        }
        guard key.utf8.first != UInt8(ascii: "/"), key.utf8.first != UInt8(ascii: "\\") else {
            throw .invalidArgument(field, "a key does not begin with / or \\")
        }
    }

    static func checkPartNumber(_ number: Int, field: String = "partNumber") throws(TransferError) {
        try checkPartNumber(number, of: OSSProvider.partLimits, field: field)
    }
}
