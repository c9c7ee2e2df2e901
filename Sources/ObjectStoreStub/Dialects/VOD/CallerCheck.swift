import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What both signatures of the OpenAPI ask of a caller beside the signature itself.
struct CallerCheck: Sendable {
    let accounts: AccountTable
    let nonces: NonceBook
    let allowedSkew: Duration
    let now: Date

    /// The keys that a caller names, which must be known and able to call the OpenAPI.
    func account(_ accessKey: String, token: String?) throws(ServiceFailure) -> StubAccount {
        guard let account = accounts.account(accessKey) else { throw .unknownAccessKey }
        guard account.hasToken(token) else {
            throw .wrongSecurityToken(
                token == nil ? "no token, though the keys need one" : "the token is not that of the keys")
        }
        if let expires = account.expires, now >= expires { throw .expiredSecurityToken }
        guard account.scope == nil else { throw .uploadKeysOnly }
        return account
    }

    func checkTime(_ text: String) throws(ServiceFailure) {
        guard let date = WireDate.parseWholeSeconds(text) else { throw .malformedTimeStamp }
        guard abs(now.timeIntervalSince(date)) <= allowedSkew / .seconds(1) else {
            throw .expiredTimeStamp(text, server: WireDate.wholeSeconds(now))
        }
    }

    /// Takes note of the nonce of a request whose signature is right.
    func spend(_ nonce: String, of accessKey: String) throws(ServiceFailure) {
        guard nonces.spend(nonce, of: accessKey, at: now, keptFor: 2 * (allowedSkew / .seconds(1))) else {
            throw .usedNonce
        }
    }
}
