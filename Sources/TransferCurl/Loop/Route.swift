/// Which way a request takes, in names.
struct Way: Sendable {
    /// A host and a port that are not known by their address yet.
    struct Place: Sendable {
        let host: String
        let port: UInt16
    }

    /// The proxy's URL; empty for a direct connection.
    var proxy = ""
    /// What this machine, and not a proxy, has to find the addresses of.
    var places: [Place] = []
}

/// How a request gets to its host.
struct Route: Sendable {
    /// The proxy's URL; empty for a direct connection.
    let proxy: String
    /// The names that were resolved for it.
    var names: [String] = []
    /// The same in the form of CURLOPT_RESOLVE, `host:port:address,address`; none for addresses.
    var resolutions: [String] = []

    init(proxy: String) { self.proxy = proxy }

    mutating func add(_ place: Way.Place, _ addresses: [String]) {
        let list = addresses.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
        names.append(place.host)
        resolutions.append("\(place.host):\(place.port):\(list)")
    }
}
