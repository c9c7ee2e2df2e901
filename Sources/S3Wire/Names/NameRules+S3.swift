package import TransferCore
package import TransferService

extension NameRules {
    /// 1 to 1,024 bytes of UTF-8 (TOS: "Common Concepts", Object; S3: "Naming objects"). Some services stop earlier; the
    /// service decides there.
    package static func checkKey(_ key: String, field: String) throws(TransferError) {
        guard !key.isEmpty else { throw .invalidArgument(field, "a key has at least 1 byte") }
        guard key.utf8.count <= 1024 else {
            throw .invalidArgument(field, "a key has at most 1024 bytes, and this one has \(key.utf8.count)")
        }
    }
}
