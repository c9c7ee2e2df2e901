import TransferPrimitives

/// What a request says about its own signature in the headers (Alibaba Cloud: V3 request body and signature method).
struct ACS3Claim: Sendable {
    static let algorithm = "ACS3-HMAC-SHA256"

    let accessKey: String
    let signedNames: [String]
    let signature: String
    let date: String
    let nonce: String
    /// The SHA-256 of the body, in hexadecimal digits.
    let payload: String
    let token: String?

    init(_ head: RequestHead) throws(ServiceFailure) {
        func header(_ name: String) throws(ServiceFailure) -> String {
            guard let value = head.value(name), !value.isEmpty else { throw .missingParameter(name) }
            return value
        }
        let authorization = try header("authorization")
        guard authorization.hasPrefix(Self.algorithm + " ") else {
            throw .incompleteSignature("The authorization header does not begin with \(Self.algorithm).")
        }
        var parts: [Substring: Substring] = [:]
        for part in authorization.dropFirst(Self.algorithm.count + 1).split(separator: ",") {
            let trimmed = part.drop { $0 == " " }
            let name = trimmed.prefix { $0 != "=" }
            parts[name] = trimmed.dropFirst(name.count + 1)
        }
        guard let accessKey = parts["Credential"], let names = parts["SignedHeaders"],
            let signature = parts["Signature"]
        else {
            throw .incompleteSignature("The authorization header needs Credential, SignedHeaders and Signature.")
        }
        self.accessKey = String(accessKey)
        signedNames = names.split(separator: ";").map { String($0) }
        self.signature = String(signature)
        date = try header("x-acs-date")
        nonce = try header("x-acs-signature-nonce")
        payload = try header("x-acs-content-sha256")
        token = head.value("x-acs-security-token")
    }
}

/// What is signed of a request, rebuilt from its bytes.
struct ACS3Canonical: Sendable {
    var method: String
    var path: String
    var parameters: SignedParameters
    var headers: [(name: String, value: String)]
    var payload: String
    var secretSuffix = ""

    /// The parameters are decoded first and encoded again: a client may send a blank as `+` and sign it as `%20`.
    init(_ head: RequestHead, _ query: QueryItems, _ claim: ACS3Claim) {
        method = head.method
        path = PercentCoding.encode(
            PercentCoding.decode(head.rawPath) ?? Array(head.rawPath.utf8), keepingSlash: true)
        parameters = SignedParameters(items: query.items)
        headers = claim.signedNames.map { name in (name, head.values(name).joined(separator: ",")) }
        payload = claim.payload
    }

    var text: String {
        let lines = headers.map { "\($0.name):\($0.value)\n" }.joined()
        let names = headers.map(\.name).joined(separator: ";")
        return "\(method)\n\(path)\n\(parameters.text)\n\(lines)\n\(names)\n\(payload)"
    }

    var stringToSign: String { ACS3Claim.algorithm + "\n" + Hex.encode(Digest.sha256(text.utf8)) }

    func signature(secret: String) -> String {
        Hex.encode(HMAC.sha256(stringToSign.utf8, key: Array((secret + secretSuffix).utf8)))
    }
}

/// Checks the header signature of a request from the bytes of its head.
struct ACS3Verifier: Sendable {
    let caller: CallerCheck

    func verify(_ head: RequestHead, _ query: QueryItems) throws(ServiceFailure) {
        let claim = try ACS3Claim(head)
        let account = try caller.account(claim.accessKey, token: claim.token)
        try caller.checkTime(claim.date)
        try checkSignedNames(claim, head)
        let canonical = ACS3Canonical(head, query, claim)
        guard ConstantTime.isEqual(canonical.signature(secret: account.secretKey), claim.signature) else {
            throw .wrongSignature(
                "server CanonicalRequest is:[\(canonical.text)], server StringToSign is:[\(canonical.stringToSign)]",
                diagnosis: diagnosis(canonical, claim, account, head))
        }
        try caller.spend(claim.nonce, of: claim.accessKey)
    }

    /// Checks the body against the digest that the head claims, once it is here.
    static func checkBody(_ body: [UInt8], _ head: RequestHead) throws(ServiceFailure) {
        let claimed = head.value("x-acs-content-sha256") ?? ""
        let digest = Hex.encode(Digest.sha256(body))
        guard claimed == digest else {
            throw .wrongSignature(
                "The body is not the signed one.",
                diagnosis: "body: its SHA-256 is \(digest), and \(claimed) was signed")
        }
    }

    private func checkSignedNames(_ claim: ACS3Claim, _ head: RequestHead) throws(ServiceFailure) {
        let names = Set(claim.signedNames)
        var complaints: [String] = []
        if !names.contains("host") { complaints.append("host is not signed") }
        if claim.signedNames != claim.signedNames.sorted() { complaints.append("the signed headers are not sorted") }
        if names.count != claim.signedNames.count { complaints.append("a header is signed twice") }
        for field in head.fields where !names.contains(field.name) {
            if field.name.hasPrefix("x-acs-") || field.name == "content-type" {
                complaints.append("\(field.name) is sent but not signed")
            }
        }
        for name in claim.signedNames where head.value(name) == nil {
            complaints.append("\(name) is signed but not sent")
        }
        guard complaints.isEmpty else {
            let text = complaints.joined(separator: "; ")
            throw .wrongSignature("The signed headers are not complete: \(text).", diagnosis: text)
        }
    }
}
