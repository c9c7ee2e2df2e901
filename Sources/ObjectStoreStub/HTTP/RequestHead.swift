/// The request line and the header lines of one request, as they came.
struct RequestHead: Sendable {
    struct Field: Sendable {
        let name: String
        let value: String
    }

    enum Framing: Sendable, Equatable {
        case none
        case length(UInt64)
        case chunked
    }

    let raw: [UInt8]
    let method: String
    /// The target as it stood in the request line, still encoded.
    let target: String
    let isHTTP10: Bool
    let fields: [Field]
    let framing: Framing

    /// The values of every line with this name, which is given in lower case.
    func values(_ name: String) -> [String] {
        fields.compactMap { $0.name == name ? $0.value : nil }
    }

    /// The value of the first line with this name, which is given in lower case.
    func value(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// The path of the target without its query, still encoded.
    var rawPath: Substring { target.prefix { $0 != "?" } }

    /// The query of the target, still encoded; nil when there is no question mark.
    var rawQuery: Substring? {
        target.firstIndex(of: "?").map { target[target.index(after: $0)...] }
    }

    /// The host the client named, in lower case, without its port.
    var hostName: String {
        let host = (value("host") ?? "").lowercased()
        if host.hasPrefix("[") { return String(host.prefix { $0 != "]" }) + "]" }
        return String(host.prefix { $0 != ":" })
    }

    var expectsContinue: Bool { value("expect")?.lowercased() == "100-continue" }

    var wantsClose: Bool {
        let options = values("connection").flatMap { $0.lowercased().split(separator: ",") }
        let names = options.map { $0.filter { $0 != " " } }
        return isHTTP10 ? !names.contains("keep-alive") : names.contains("close")
    }
}
