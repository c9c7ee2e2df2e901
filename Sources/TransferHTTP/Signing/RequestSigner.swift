#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Adds what proves to the service who sends a request.
package protocol RequestSigner: Sendable {
    /// Adds date, token and signature headers, for this moment and these credentials. Throws `HTTPHeaderError` when a
    /// credential cannot stand in a header.
    func sign(_ request: inout HTTPRequest, with credentials: Credentials, at date: Date) throws
}
