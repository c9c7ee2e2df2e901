/// What an attempt needs to know before its request can be built: with which credentials, at which endpoint.
package struct ServiceAccess: Sendable, Hashable {
    package var credentials: Credentials
    package var endpoint: HTTPEndpoint
    /// Tells hand-outs of equal credentials apart, where a service may hand the same ones out again and mean it: a request
    /// that was refused is then tried once more with them. Where all hand-outs are alike, equal credentials end it.
    package var issue: Int

    package init(credentials: Credentials, endpoint: HTTPEndpoint, issue: Int = 0) {
        self.credentials = credentials
        self.endpoint = endpoint
        self.issue = issue
    }
}

/// Where a client learns both; some services hand out an endpoint together with credentials.
package protocol AccessProvider: Sendable {
    func access() async throws -> ServiceAccess
}

/// A known endpoint, and credentials from a provider.
package struct FixedEndpointAccess: AccessProvider {
    private let endpoint: HTTPEndpoint
    private let provider: any CredentialsProvider

    package init(endpoint: HTTPEndpoint, credentials provider: any CredentialsProvider) {
        self.endpoint = endpoint
        self.provider = provider
    }

    package func access() async throws -> ServiceAccess {
        ServiceAccess(credentials: try await provider.credentials(), endpoint: endpoint)
    }
}
