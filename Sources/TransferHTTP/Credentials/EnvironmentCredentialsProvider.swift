#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Credentials from environment variables, read each time they are asked for. Throws `MissingEnvironmentVariable` when a
/// needed one is not set, or empty.
public struct EnvironmentCredentialsProvider: CredentialsProvider {
    /// The name of the variable that holds the access key id.
    public let accessKey: String
    /// The name of the variable that holds the secret.
    public let secretKey: String
    /// The name of the variable that may hold the token of temporary credentials; nil for permanent ones alone.
    public let securityToken: String?
    private let environment: @Sendable () -> [String: String]

    /// The names of the variables. The token's is optional, and so is its variable.
    public init(accessKey: String, secretKey: String, securityToken: String?) {
        self.init(accessKey: accessKey, secretKey: secretKey, securityToken: securityToken) {
            ProcessInfo.processInfo.environment
        }
    }

    package init(
        accessKey: String, secretKey: String, securityToken: String?,
        environment: @escaping @Sendable () -> [String: String]
    ) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.securityToken = securityToken
        self.environment = environment
    }

    public func credentials() async throws -> Credentials {
        let values = environment()
        func value(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard let access = value(accessKey) else { throw MissingEnvironmentVariable(name: accessKey) }
        guard let secret = value(secretKey) else { throw MissingEnvironmentVariable(name: secretKey) }
        return Credentials(accessKey: access, secretKey: secret, securityToken: securityToken.flatMap(value))
    }
}

/// A variable of the environment that is needed and not set.
public struct MissingEnvironmentVariable: Error, Sendable, Hashable, CustomStringConvertible {
    /// The variable that is missing or empty.
    public let name: String

    public var description: String { "the environment variable \(name) is not set" }
}
