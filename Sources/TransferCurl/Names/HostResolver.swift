/// Turns host names into addresses. The library asks once per name and keeps the answer for a while.
///
/// A conformance for names that only a test, or a directory of one's own, knows:
///
///     struct TableResolver: HostResolver {
///         let table: [String: [String]]
///         func addresses(of host: String) async throws -> [String] {
///             guard let found = table[host] else { throw HostResolutionError(host: host, message: "not in the table") }
///             return found
///         }
///     }
public protocol HostResolver: Sendable {
    /// Addresses of `host` as IPv4 or IPv6 literals without brackets, the preferred one first; at least one. An error is
    /// taken to be passing, and the request is tried again.
    func addresses(of host: String) async throws -> [String]
}

/// A name that could not be resolved.
public struct HostResolutionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name that was asked for.
    public let host: String
    /// What the resolver said.
    public let message: String

    /// A failure for a resolver of your own to throw.
    public init(host: String, message: String) {
        self.host = host
        self.message = message
    }

    public var description: String { "\(host): \(message)" }
}
