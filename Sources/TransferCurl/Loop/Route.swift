/// How a request gets to its host.
struct Route: Sendable {
    /// The proxy's URL; empty for a direct connection.
    var proxy = ""
    /// The names that were resolved for it.
    var names: [String] = []
    /// The same in the form of CURLOPT_RESOLVE, `host:port:address,address`; none for addresses.
    var resolutions: [String] = []
}
