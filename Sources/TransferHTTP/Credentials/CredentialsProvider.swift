/// Where a client takes its credentials from.
///
/// A client asks when it has none, shortly before those it has end, and after the service refused them; never twice at
/// once, however many requests wait. Each answer is kept until then, so a conformance needs no cache of its own:
///
///     struct BackendCredentials: CredentialsProvider {
///         let fetch: @Sendable () async throws -> (id: String, secret: String, token: String, seconds: Double)
///
///         func credentials() async throws -> Credentials {
///             let answer = try await fetch()
///             return Credentials(
///                 accessKey: answer.id, secretKey: answer.secret, securityToken: answer.token,
///                 expiration: Date(timeIntervalSinceNow: answer.seconds))
///         }
///     }
public protocol CredentialsProvider: Sendable {
    /// Fresh credentials. An error is passed on to the requests that wait, inside the error that they throw.
    func credentials() async throws -> Credentials
}

/// Always the same credentials.
public struct StaticCredentialsProvider: CredentialsProvider {
    private let fixed: Credentials

    /// Gives these whenever it is asked.
    public init(_ credentials: Credentials) { fixed = credentials }

    public func credentials() async throws -> Credentials { fixed }
}
