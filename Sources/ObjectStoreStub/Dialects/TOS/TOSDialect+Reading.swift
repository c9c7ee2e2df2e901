import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension TOSDialect {
    func readCall(
        _ head: RequestHead, _ address: ObjectAddress, _ server: ServerContext
    ) throws(ServiceFailure) -> ServiceCall {
        guard let query = QueryItems(head.rawQuery) else { throw .invalidArgument("The query cannot be decoded.") }
        let operation = Self.operation(head, address, query)
        var call = try ServiceCall(operation, head, address, query, prefix: "x-tos-")
        try Self.checkHeaders(head)
        call.attributes.expiresAfterDays = try Self.life(head)
        call.attributes.acl = head.value("x-tos-acl")
        call.attributes.websiteRedirectLocation = head.value("x-tos-website-redirect-location")
        call.attributes.encryptionKeyID = head.value("x-tos-server-side-encryption-kms-key-id")
        for field in head.fields where field.name.hasPrefix("x-tos-grant-") {
            call.attributes.grants[String(field.name.dropFirst(6))] = field.value
        }
        call.customerKeyMD5 = try CustomerKey.digest(head, "x-tos-server-side-encryption-customer-")
        if let ifMatch = head.value("x-tos-if-match") { call.conditions.ifMatch = ifMatch }
        call.copySource = try ServiceCall.CopySource(
            head, prefix: "x-tos-", decodesTwice: server.quirks.decodesCopySourceTwice)
        if let payload = head.value("x-tos-content-sha256"), let digest = Hex.decode(payload), digest.count == 32 {
            call.contentSHA256 = digest
        }
        return call
    }

    func readDocument(_ document: [UInt8], into call: inout ServiceCall) throws(ServiceFailure) {
        struct Listed: Decodable {
            struct Part: Decodable {
                let number: Int
                let etag: String
                enum CodingKeys: String, CodingKey {
                    case number = "PartNumber"
                    case etag = "ETag"
                }
            }
            let parts: [Part]
            enum CodingKeys: String, CodingKey { case parts = "Parts" }
        }
        guard call.operation == .completeMultipartUpload else { return }
        guard !call.completesAll else {
            throw .invalidArgument("x-tos-complete-all and a list of parts exclude each other.")
        }
        do {
            let listed = try JSONDecoder().decode(Listed.self, from: Data(document))
            call.parts = listed.parts.map { ServiceCall.PartReference(number: $0.number, etag: $0.etag) }
        } catch {
            throw ServiceFailure(400, "MalformedBody", "The body is not a list of parts.")
        }
    }

    private static func operation(_ head: RequestHead, _ address: ObjectAddress, _ query: QueryItems) -> StoreOperation
    {
        if address.key.isEmpty {
            switch head.method {
            case "GET" where query.contains("uploads"): return .listMultipartUploads
            case "HEAD": return .headBucket
            default: return .unknown
            }
        }
        return .onObject(head.method, query, isCopy: head.value("x-tos-copy-source") != nil)
    }
}
