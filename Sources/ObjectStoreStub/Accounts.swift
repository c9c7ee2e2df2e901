import TransferPrimitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A pair of keys that the server knows, permanent or with a session token.
public struct StubAccount: Sendable, Hashable {
    /// What a request names.
    public var accessKey: String
    /// What it is signed with; never printed.
    public var secretKey: String
    /// The session token that requests with these keys must carry; nil for permanent keys.
    public var sessionToken: String?
    /// When the session ends by the server's clock; nil for never.
    public var expires: Date?
    /// The only object that the keys open; nil for all.
    public var scope: ObjectScope?

    /// Permanent keys that open every object, unless it is said otherwise.
    public init(
        accessKey: String, secretKey: String, sessionToken: String? = nil, expires: Date? = nil,
        scope: ObjectScope? = nil
    ) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
        self.expires = expires
        self.scope = scope
    }

    /// The keys of a server that was started without others. They open nothing else.
    public static let test = StubAccount(accessKey: "STUBACCESSKEY0000001", secretKey: "StubSecretKeyForTestsOnly==")
}

/// One object, which the keys of an upload are limited to.
public struct ObjectScope: Sendable, Hashable {
    /// The bucket's name.
    public var bucket: String
    /// The object's key, not encoded.
    public var key: String

    /// The object of this key in this bucket; neither has to exist.
    public init(bucket: String, key: String) {
        self.bucket = bucket
        self.key = key
    }

    func admits(_ bucket: String, _ key: String) -> Bool {
        self.bucket == bucket && ExactKey(self.key) == ExactKey(key)
    }
}

extension StubAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The access key alone.
    public var description: String { "StubAccount(\(accessKey))" }
    public var debugDescription: String { description }
    /// Without children, so that `dump` and descriptions of enclosing values show no secret.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// The keys the server accepts, which tests may change while it runs.
public final class AccountTable: Sendable {
    private let accounts: LockBox<[String: StubAccount]>

    init(_ accounts: [StubAccount]) {
        self.accounts = LockBox(Dictionary(accounts.map { ($0.accessKey, $0) }, uniquingKeysWith: { _, last in last }))
    }

    /// Adds keys, or replaces those with the same access key.
    public func add(_ account: StubAccount) { accounts.withLock { $0[account.accessKey] = account } }

    /// Forgets keys: requests with them meet InvalidAccessKeyId.
    public func remove(_ accessKey: String) { accounts.withLock { _ = $0.removeValue(forKey: accessKey) } }

    /// Ends a session: requests with these keys meet ExpiredToken.
    public func expire(_ accessKey: String) {
        accounts.withLock { $0[accessKey]?.expires = Date(timeIntervalSince1970: 0) }
    }

    /// The keys with this access key; nil for one that is not known.
    public func account(_ accessKey: String) -> StubAccount? { accounts.withLock { $0[accessKey] } }

    var all: [StubAccount] { accounts.withLock { Array($0.values) } }
}
