/// How a request gets to its host.
struct Route: Sendable {
    /// The proxy's URL; empty for a direct connection.
    var proxy = ""
    /// Resolved names in the form of CURLOPT_RESOLVE, `host:port:address,address`; none for addresses.
    var resolutions: [String] = []
}
