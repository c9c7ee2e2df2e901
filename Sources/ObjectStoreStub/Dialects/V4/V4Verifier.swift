#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Checks the signature of a request from the bytes of its head, and says what is wrong with it.
struct V4Verifier: Sendable {
    let scheme: V4Scheme
    let region: String
    let accounts: AccountTable
    let allowedSkew: Duration

    /// The access key whose holder signed the request, or nil when it is not signed.
    func verify(_ head: RequestHead, at now: Date) throws(ServiceFailure) -> String? {
        guard let query = QueryItems(head.rawQuery) else {
            throw .invalidArgument("The query cannot be decoded.")
        }
        guard let claim = try V4Claim.read(head, query, scheme) else { return nil }
        guard let account = accounts.account(claim.accessKey) else {
            throw ServiceFailure(403, "InvalidAccessKeyId", "The access key does not exist.")
        }
        try checkScope(claim)
        try checkTime(claim, now)
        try checkToken(claim, account, now)
        try checkSignedNames(claim, head)

        let canonical = V4CanonicalRequest(head, query, claim, scheme)
        let stringToSign = canonical.stringToSign(claim, scheme)
        let expected = V4CanonicalRequest.signature(
            stringToSign, secret: account.secretKey, claim, prefix: scheme.secretPrefix)
        if expected == claim.signature { return claim.accessKey }

        var failure = ServiceFailure(
            403, "SignatureDoesNotMatch", "The signature is not the one computed by the server.", ec: "0002-00000024")
        failure.details = [
            ("AccessKeyId", claim.accessKey), ("SignatureProvided", claim.signature), ("StringToSign", stringToSign),
            ("CanonicalRequest", canonical.text),
        ]
        failure.diagnosis = diagnosis(canonical, claim, account, head)
        throw failure
    }

    private func checkScope(_ claim: V4Claim) throws(ServiceFailure) {
        func malformed(_ message: String) -> ServiceFailure {
            var failure = ServiceFailure(
                400, claim.isPresigned ? "AuthorizationQueryParametersError" : "AuthorizationHeaderMalformed", message)
            failure.diagnosis = message
            return failure
        }
        guard claim.service == scheme.service, claim.terminator == scheme.terminator else {
            throw malformed("The scope must end in \(scheme.service)/\(scheme.terminator).")
        }
        guard claim.region == region else {
            throw malformed("The region \(claim.region) is wrong; expecting \(region).")
        }
        guard claim.date.hasPrefix(claim.scopeDate), claim.scopeDate.count == 8 else {
            throw malformed("The scope's date is not that of the request.")
        }
    }

    private func checkTime(_ claim: V4Claim, _ now: Date) throws(ServiceFailure) {
        guard let date = WireDate.parseCompact(claim.date) else {
            throw ServiceFailure(403, "AccessDenied", "The request's date cannot be read.")
        }
        let age = now.timeIntervalSince(date)
        let skew = Double(allowedSkew.components.seconds)
        if let expires = claim.expires {
            guard age <= Double(expires) else { throw ServiceFailure(403, "AccessDenied", "The request has expired.") }
            guard age >= -skew else { throw .skewed(claim.date, now) }
        } else if abs(age) > skew {
            throw .skewed(claim.date, now)
        }
    }

    private func checkToken(_ claim: V4Claim, _ account: StubAccount, _ now: Date) throws(ServiceFailure) {
        guard claim.token == account.sessionToken else {
            var failure = ServiceFailure(
                403, "InvalidSecurityToken", "The security token is not that of the access key.")
            failure.diagnosis =
                claim.token == nil ? "no token, though the keys need one" : "the token is not that of the keys"
            throw failure
        }
        if let token = claim.token, let expires = account.expires, now >= expires { throw .expiredToken(token) }
    }

    private func checkSignedNames(_ claim: V4Claim, _ head: RequestHead) throws(ServiceFailure) {
        let names = Set(claim.signedNames)
        var complaints: [String] = []
        if !names.contains("host") { complaints.append("host is not signed") }
        if claim.signedNames != claim.signedNames.sorted() { complaints.append("the signed headers are not sorted") }
        if names.count != claim.signedNames.count { complaints.append("a header is signed twice") }
        for field in head.fields where field.name.hasPrefix(scheme.headerPrefix) && !names.contains(field.name) {
            complaints.append("\(field.name) is sent but not signed")
        }
        if !claim.isPresigned, head.value("content-type") != nil, !names.contains("content-type") {
            complaints.append("content-type is sent but not signed")
        }
        for name in claim.signedNames where head.value(name) == nil {
            complaints.append("\(name) is signed but not sent")
        }
        guard complaints.isEmpty else {
            var failure = ServiceFailure(
                403, "SignatureDoesNotMatch",
                "The signed headers are not complete: \(complaints.joined(separator: "; ")).",
                ec: "0002-00000024")
            failure.diagnosis = complaints.joined(separator: "; ")
            throw failure
        }
    }
}

extension ServiceFailure {
    static func skewed(_ date: String, _ now: Date) -> ServiceFailure {
        var failure = ServiceFailure(
            403, "RequestTimeTooSkewed", "The difference between the request's time and the server's is too large.")
        failure.details = [("RequestTime", date), ("ServerTime", WireDate.document(now))]
        failure.diagnosis = "the request is dated \(date), the server's clock says \(WireDate.compact(now))"
        return failure
    }
}
