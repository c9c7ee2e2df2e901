import ObjectStoreStub
import ObjectTransfer
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Hands out temporary keys that a server knows, and counts how often it was asked.
final class TokenOffice: CredentialsProvider {
    /// What is different about the keys of one call.
    struct Terms: Sendable {
        /// How long they are good by the server's clock; nil for ever.
        var life: Duration?
        /// Whether the client is told when they end.
        var tellsEnd = false
        /// Whether the server knows them.
        var isKnown = true
        /// The number in their names.
        var number: Int
    }

    private let server: ObjectStoreStub
    private let clock: any TransferClock
    private let calls = LockBox(0)
    private let terms: @Sendable (inout Terms) async throws -> Void

    /// - Parameter terms: Told the number of the call, from 1; may wait, or throw what the office answers.
    init(
        _ server: ObjectStoreStub, clock: any TransferClock = SystemClock(),
        _ terms: @escaping @Sendable (inout Terms) async throws -> Void = { _ in }
    ) {
        self.server = server
        self.clock = clock
        self.terms = terms
    }

    var count: Int { calls.withLock { $0 } }

    static func key(_ number: Int) -> String { "STS.key-\(number)" }

    func credentials() async throws -> Credentials {
        let number = calls.withLock { calls in
            calls += 1
            return calls
        }
        var terms = Terms(number: number)
        try await self.terms(&terms)
        let end = terms.life.map { clock.now.addingTimeInterval($0 / .seconds(1)) }
        let account = StubAccount(
            accessKey: Self.key(terms.number), secretKey: "secret-\(terms.number)",
            sessionToken: "token-\(terms.number)", expires: end)
        if terms.isKnown { server.accounts.add(account) }
        return Credentials(
            accessKey: account.accessKey, secretKey: account.secretKey, securityToken: account.sessionToken,
            expiration: terms.tellsEnd ? end : nil)
    }
}

extension WireEntry {
    /// Whether it was signed with the keys of that call of a `TokenOffice`.
    func isSigned(with number: Int) -> Bool { headText.contains(TokenOffice.key(number)) }
    /// Whether it was refused for its keys.
    var isRefused: Bool { status == 400 || status == 403 }
}
