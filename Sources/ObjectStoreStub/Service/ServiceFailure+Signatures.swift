import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What every kind of signature can be refused for.
extension ServiceFailure {
    static func unknownAccessKey(_ accessKey: String) -> ServiceFailure {
        var failure = ServiceFailure(403, "InvalidAccessKeyId", "The access key does not exist.")
        failure.diagnosis = "access key: \(accessKey) is not known"
        return failure
    }

    static func wrongSignature(accessKey: String, signature: String, stringToSign: String) -> ServiceFailure {
        var failure = ServiceFailure(
            403, "SignatureDoesNotMatch", "The signature is not the one computed by the server.", ec: "0002-00000024")
        failure.details = [
            ("AccessKeyId", accessKey), ("SignatureProvided", signature), ("StringToSign", stringToSign),
        ]
        return failure
    }

    /// - Parameter date: the request's date as it came.
    static func skewed(_ date: String, _ now: Date) -> ServiceFailure {
        var failure = ServiceFailure(
            403, "RequestTimeTooSkewed", "The difference between the request's time and the server's is too large.")
        failure.details = [("RequestTime", date), ("ServerTime", WireDate.document(now))]
        failure.diagnosis = "the request is dated \(date), the server's clock says \(WireDate.compact(now))"
        return failure
    }
}

extension StubAccount {
    /// Whether this is the session token of these keys; nil where they have none.
    func hasToken(_ token: String?) -> Bool {
        guard let token, let sessionToken else { return token == nil && sessionToken == nil }
        return ConstantTime.isEqual(token, sessionToken)
    }

    /// Refuses a session token that is not the one of these keys, or whose time is over.
    func checkToken(_ token: String?, at now: Date) throws(ServiceFailure) {
        guard hasToken(token) else {
            var failure = ServiceFailure(
                403, "InvalidSecurityToken", "The security token is not that of the access key.")
            failure.diagnosis =
                token == nil ? "no token, though the keys need one" : "the token is not that of the keys"
            throw failure
        }
        if let token, let expires, now >= expires { throw .expiredToken(token) }
    }
}
