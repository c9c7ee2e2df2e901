import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension OSSDialect {
    private static let allowedValues: [(name: String, values: Set<String>)] = [
        ("x-oss-object-acl", ["default", "private", "public-read", "public-read-write"]),
        ("x-oss-storage-class", ["Standard", "IA", "Archive", "ColdArchive", "DeepColdArchive"]),
        ("x-oss-server-side-encryption", ["AES256", "KMS", "SM4"]),
        ("x-oss-server-side-data-encryption", ["SM4"]),
        ("x-oss-forbid-overwrite", ["true", "false"]),
        ("x-oss-complete-all", ["yes"]),
        ("x-oss-metadata-directive", ["COPY", "REPLACE"]),
        ("x-oss-tagging-directive", ["Copy", "Replace"]),
        ("x-oss-request-payer", ["requester"]),
        // The bytes themselves are never signed.
        ("x-oss-content-sha256", [V4Claim.unsignedPayload]),
    ]

    /// Refuses headers with values that the service does not know, or where they do not belong.
    static func checkHeaders(_ head: RequestHead, _ operation: StoreOperation) throws(ServiceFailure) {
        for (name, values) in allowedValues {
            guard let value = head.value(name), !values.contains(value) else { continue }
            throw .invalidArgument("\(name) cannot be \(value).")
        }
        if operation == .uploadPart || operation == .uploadPartCopy,
            let field = head.fields.first(where: { $0.name.hasPrefix("x-oss-server-side-") })
        {
            throw .invalidArgument("\(field.name) belongs to the request that creates the upload.")
        }
        let limit = head.value("x-oss-traffic-limit")
        if let limit, !(Int(limit).map { (245_760...838_860_800).contains($0) } ?? false) {
            throw .invalidArgument("x-oss-traffic-limit must be 245760 to 838860800 bits a second.")
        }
        if let tagging = head.value("x-oss-tagging"), !isTagging(tagging) {
            throw .invalidArgument("x-oss-tagging must be at most 10 pairs, each part percent-encoded.")
        }
        if let callback = head.value("x-oss-callback") { try checkCallback(callback, head.value("x-oss-callback-var")) }
    }

    private static func isTagging(_ text: String) -> Bool {
        let tags = text.split(separator: "&", omittingEmptySubsequences: false)
        return tags.count <= 10
            && tags.allSatisfy { tag in
                let parts = tag.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return !parts[0].isEmpty && parts.allSatisfy { PercentCoding.decodeText($0, plusIsSpace: true) != nil }
            }
    }

    /// Whether a request asks for another server to be called once the object is stored. The stub calls nobody: it
    /// answers as if that server had said `{"Status":"OK"}`.
    static func hasCallback(_ head: RequestHead) -> Bool { head.value("x-oss-callback") != nil }

    private static func checkCallback(_ callback: String, _ variables: String?) throws(ServiceFailure) {
        struct Callback: Decodable {
            let callbackUrl: String
            let callbackBody: String
        }
        do {
            _ = try JSONDecoder().decode(Callback.self, from: Data(Base64.decode(callback) ?? []))
            if let variables {
                let named = try JSONDecoder().decode([String: String].self, from: Data(Base64.decode(variables) ?? []))
                guard named.keys.allSatisfy({ $0.hasPrefix("x:") }) else {
                    throw ServiceFailure.invalidArgument("A callback variable's name does not begin with x:.")
                }
            }
        } catch let failure as ServiceFailure {
            throw failure
        } catch {
            throw .invalidArgument(
                "The callback configuration is not JSON in base64, with callbackUrl and callbackBody.")
        }
    }
}
