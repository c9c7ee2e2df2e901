import TransferPrimitives

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
    func verify(_ head: RequestHead, _ address: ObjectAddress, at now: Date) throws(ServiceFailure) -> String? {
        guard let query = QueryItems(head.rawQuery) else {
            throw .invalidArgument("The query cannot be decoded.")
        }
        guard let claim = try V4Claim.read(head, query, scheme) else { return nil }
        guard let account = accounts.account(claim.accessKey) else { throw .unknownAccessKey(claim.accessKey) }
        try checkScope(claim)
        try checkTime(claim, now)
        try account.checkToken(claim.token, at: now)
        try checkSignedNames(claim, head)

        let canonical = V4CanonicalRequest(head, address, query, claim, scheme)
        let signature = canonical.signature(secret: account.secretKey, claim, scheme)
        if ConstantTime.isEqual(signature, claim.signature) { return claim.accessKey }

        var failure = ServiceFailure.wrongSignature(
            accessKey: claim.accessKey, signature: claim.signature,
            stringToSign: canonical.stringToSign(claim, scheme))
        failure.details.append(("CanonicalRequest", canonical.text))
        failure.diagnosis = diagnosis(canonical, claim, account, head)
        throw failure
    }

    private func checkScope(_ claim: V4Claim) throws(ServiceFailure) {
        func malformed(_ malformation: V4Scheme.Malformation, _ diagnosis: String) -> ServiceFailure {
            var failure = scheme.refusal(malformation, claim.isPresigned)
            failure.diagnosis = diagnosis
            return failure
        }
        guard claim.service == scheme.service, claim.terminator == scheme.terminator else {
            throw malformed(.service, "scope: it must end in \(scheme.service)/\(scheme.terminator)")
        }
        guard claim.region == region else {
            throw malformed(
                .region(claim.region, expected: region), "scope: the region is \(claim.region), not \(region)")
        }
        guard claim.date.hasPrefix(claim.scopeDate), claim.scopeDate.count == 8 else {
            throw malformed(.date, "scope: its date \(claim.scopeDate) is not that of the request, \(claim.date)")
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

    private func checkSignedNames(_ claim: V4Claim, _ head: RequestHead) throws(ServiceFailure) {
        let names = Set(claim.listedNames)
        var complaints: [String] = []
        if claim.listedNames != claim.listedNames.sorted() { complaints.append("the signed headers are not sorted") }
        if names.count != claim.listedNames.count { complaints.append("a header is signed twice") }
        if scheme.coverage == .listed { complaints += missingNames(names, claim, head) }
        for name in claim.listedNames where head.value(name) == nil {
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

    /// What must be on the list of signed headers and is not.
    private func missingNames(_ names: Set<String>, _ claim: V4Claim, _ head: RequestHead) -> [String] {
        var complaints = names.contains("host") ? [] : ["host is not signed"]
        for field in head.fields where field.name.hasPrefix(scheme.headerPrefix) && !names.contains(field.name) {
            complaints.append("\(field.name) is sent but not signed")
        }
        if !claim.isPresigned, head.value("content-type") != nil, !names.contains("content-type") {
            complaints.append("content-type is sent but not signed")
        }
        return complaints
    }
}
