/// How a request gets to its host.
struct Route: Sendable {
    /// The proxy's URL; empty for a direct connection.
    var proxy = ""
    /// The resolved name in the form of CURLOPT_RESOLVE, `host:port:address,address`; empty for an address.
    var resolution = ""
}
