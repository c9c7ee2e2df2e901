/// Credentials from a closure, such as one that asks the application's own backend for temporary ones.
///
///     let provider = RefreshingCredentialsProvider {
///         let answer = try await backend.temporaryCredentials()
///         return Credentials(
///             accessKey: answer.id, secretKey: answer.secret, securityToken: answer.token, expiration: answer.end)
///     }
///
/// The client keeps each answer until shortly before its `expiration`, or until the service refuses it, and never asks twice
/// at once.
public struct RefreshingCredentialsProvider: CredentialsProvider {
    private let fetch: @Sendable () async throws -> Credentials

    /// Calls `fetch` for every renewal; what it throws fails the requests that wait for it.
    public init(_ fetch: @escaping @Sendable () async throws -> Credentials) { self.fetch = fetch }

    public func credentials() async throws -> Credentials { try await fetch() }
}
