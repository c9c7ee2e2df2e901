import TransferPrimitives

/// What is signed of a request, rebuilt from its bytes. The parts can be changed, to find out what a client signed instead.
struct V4CanonicalRequest: Sendable {
    var method: String
    var path: String
    var query: String
    var headers: [(name: String, value: String)]
    /// The list of headers, where it is not that of all headers that are signed.
    var list: String?
    var payload: String
    /// What stands before the secret in the first key of the chain.
    var secretPrefix: String

    init(_ head: RequestHead, _ address: ObjectAddress, _ query: QueryItems, _ claim: V4Claim, _ scheme: V4Scheme) {
        method = head.method
        path = Self.path(head, address, scheme)
        self.query = Self.query(
            query.items.filter { !claim.isPresigned || $0.name != scheme.query.signature },
            leavesOutEmptyValues: scheme.leavesOutEmptyValues)
        headers = scheme.signedNames(claim, head).map { name in
            let values = head.values(name)
            // Blanks within a value are only ever folded where the service says so; those around it are gone already.
            return (name, (scheme.coverage == .listed ? values.map(Self.collapsed) : values).joined(separator: ","))
        }
        list = scheme.coverage == .implied ? claim.listedNames.joined(separator: ";") : nil
        payload = claim.payload
        secretPrefix = scheme.secretPrefix
    }

    var text: String {
        let lines = headers.map { "\($0.name):\($0.value)\n" }.joined()
        let names = list ?? headers.map(\.name).joined(separator: ";")
        return "\(method)\n\(path)\n\(query)\n\(lines)\n\(names)\n\(payload)"
    }

    func stringToSign(_ claim: V4Claim, _ scheme: V4Scheme) -> String {
        let digest = Hex.encode(Digest.sha256(text.utf8))
        return "\(scheme.algorithm)\n\(claim.date)\n\(claim.scope)\n\(digest)"
    }

    func signature(secret: String, _ claim: V4Claim, _ scheme: V4Scheme) -> String {
        var key = HMAC.sha256(claim.scopeDate.utf8, key: Array((secretPrefix + secret).utf8))
        key = HMAC.sha256(claim.region.utf8, key: key)
        key = HMAC.sha256(claim.service.utf8, key: key)
        key = HMAC.sha256(claim.terminator.utf8, key: key)
        return Hex.encode(HMAC.sha256(stringToSign(claim, scheme).utf8, key: key))
    }

    private static func path(_ head: RequestHead, _ address: ObjectAddress, _ scheme: V4Scheme) -> String {
        if scheme.signsBucket {
            return "/\(address.bucket)/" + PercentCoding.encode(address.key.utf8, keepingSlash: true)
        }
        let path = PercentCoding.encode(
            PercentCoding.decode(head.rawPath) ?? Array(head.rawPath.utf8), keepingSlash: true)
        return path.isEmpty ? "/" : path
    }

    private static func query(
        _ items: [(name: String, value: String)], leavesOutEmptyValues: Bool
    ) -> String {
        items
            .map { (PercentCoding.encode($0.name.utf8), PercentCoding.encode($0.value.utf8)) }
            .sorted { $0 < $1 }
            .map { $0.1.isEmpty && leavesOutEmptyValues ? $0.0 : "\($0.0)=\($0.1)" }
            .joined(separator: "&")
    }

    /// A header value with its runs of blanks collapsed.
    static func collapsed(_ value: String) -> String {
        value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }
}
