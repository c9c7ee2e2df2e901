#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An access key with its secret, and for temporary ones a token and an end. Never prints what it holds.
public struct Credentials: Sendable, Hashable {
    /// The access key id. Sent with every request; not a secret, but not printed in full either.
    public let accessKey: String
    /// The secret that requests are signed with. Never sent.
    public let secretKey: String
    /// The token of temporary (STS) credentials; nil for permanent ones.
    public let securityToken: String?
    /// When temporary credentials end; nil when they do not, or when nobody said.
    ///
    /// With a date, fresh ones are fetched ahead of it; without one, when the service refuses these.
    public let expiration: Date?
    /// Whether there are none: requests then go unsigned, and reach what everybody may.
    public let isAnonymous: Bool

    /// No credentials: for objects that everybody may read.
    public static let anonymous = Credentials()

    /// Nothing is checked before a client is made of them, or a request signed.
    public init(accessKey: String, secretKey: String, securityToken: String? = nil, expiration: Date? = nil) {
        isAnonymous = false
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.securityToken = securityToken
        self.expiration = expiration
    }

    private init() {
        isAnonymous = true
        accessKey = ""
        secretKey = ""
        securityToken = nil
        expiration = nil
    }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        if isAnonymous { return "Credentials(anonymous)" }
        let shown = accessKey.utf8.count > 8 ? accessKey.prefix(4) + "…" : "…"
        return "Credentials(\(shown)\(securityToken == nil ? "" : ", temporary"))"
    }

    public var debugDescription: String { description }

    /// Without children, so that `dump` and string interpolation of enclosing values show no secret.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
