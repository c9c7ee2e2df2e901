/// The methods that object stores use.
package enum HTTPMethod: String, Sendable, Hashable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"

    /// Whether a request states the length of its body, `Content-Length: 0` for none. Only these may have a body.
    package var takesBody: Bool { self == .put || self == .post }
}
