import TransferPrimitives

/// What is signed of a request in the older way, rebuilt from its parameters (Alibaba Cloud: signature mechanism, RPC).
struct RPCCanonical: Sendable {
    var method: String
    var parameters: SignedParameters
    /// The path as it stands in the text, encoded.
    var path = "%2F"
    var encodesParametersTwice = true
    var keySuffix = "&"

    init(method: String, _ items: [(name: String, value: String)]) {
        self.method = method
        parameters = SignedParameters(items: items.filter { $0.name != "Signature" })
    }

    var text: String {
        let query = parameters.text
        return "\(method)&\(path)&" + (encodesParametersTwice ? parameters.encode(query) : query)
    }

    func signature(secret: String) -> String {
        Base64.encode(HMAC.sha1(text.utf8, key: Array((secret + keySuffix).utf8)))
    }
}

/// Checks the older signature, one parameter among the others, from the parameters of query and form.
struct RPCVerifier: Sendable {
    let caller: CallerCheck

    func verify(method: String, _ items: [(name: String, value: String)]) throws(ServiceFailure) {
        func item(_ name: String) throws(ServiceFailure) -> String {
            guard let value = items.first(where: { $0.name == name })?.value, !value.isEmpty else {
                throw .missingParameter(name)
            }
            return value
        }
        let accessKey = try item("AccessKeyId")
        guard try item("SignatureMethod") == "HMAC-SHA1" else {
            throw .invalidParameter("SignatureMethod", "this server knows HMAC-SHA1")
        }
        guard try item("SignatureVersion") == "1.0" else {
            throw .invalidParameter("SignatureVersion", "this server knows 1.0")
        }
        let nonce = try item("SignatureNonce")
        let date = try item("Timestamp")
        let signature = try item("Signature")
        let account = try caller.account(accessKey, token: items.first { $0.name == "SecurityToken" }?.value)
        try caller.checkTime(date)
        let canonical = RPCCanonical(method: method, items)
        guard ConstantTime.isEqual(canonical.signature(secret: account.secretKey), signature) else {
            throw .wrongSignature(
                "server string to sign is:\(canonical.text)", diagnosis: diagnosis(canonical, signature, account))
        }
        try caller.spend(nonce, of: accessKey)
    }
}
