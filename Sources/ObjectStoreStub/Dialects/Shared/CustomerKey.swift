import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An encryption key of the customer's own, as three headers give it.
enum CustomerKey {
    /// Base64 of the MD5 of the key, once algorithm, key and digest agree; nil without any. The key goes no further.
    ///
    /// - Parameter prefix: what stands before `algorithm`, `key` and `key-md5`.
    static func digest(_ head: RequestHead, _ prefix: String) throws(ServiceFailure) -> String? {
        let algorithm = head.value(prefix + "algorithm")
        let key = head.value(prefix + "key")
        let digest = head.value(prefix + "key-md5")
        if algorithm == nil && key == nil && digest == nil { return nil }
        guard algorithm == "AES256" else {
            throw .invalidArgument("The customer's encryption algorithm must be AES256.")
        }
        guard let bytes = key.flatMap({ Data(base64Encoded: $0) }), bytes.count == 32 else {
            throw .invalidArgument("The customer's key must be 32 bytes in base64.")
        }
        guard digest == Data(Digest.md5(bytes)).base64EncodedString() else {
            throw .invalidArgument("The MD5 of the customer's key does not match the key.")
        }
        return digest
    }
}
