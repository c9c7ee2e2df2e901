/// What is wrong with a request head.
struct MalformedRequest: Error {
    let status: Int
    let reason: String

    init(_ reason: String, status: Int = 400) {
        self.status = status
        self.reason = reason
    }
}

extension RequestHead {
    /// Reads a head that ends with its empty line.
    init(parsing raw: [UInt8]) throws(MalformedRequest) {
        var lines = raw.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
        while let first = lines.first, first.isEmpty { lines.removeFirst() }
        while let last = lines.last, last.isEmpty { lines.removeLast() }
        guard let requestLine = lines.first else { throw MalformedRequest("empty request") }

        let words = requestLine.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3 else { throw MalformedRequest("request line without three words") }
        guard !words[0].isEmpty, words[0].allSatisfy(Self.isTokenByte) else { throw MalformedRequest("bad method") }
        let version = String(decoding: words[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw MalformedRequest("version \(version)", status: version.hasPrefix("HTTP/") ? 505 : 400)
        }
        guard !words[1].isEmpty, words[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let target = Self.originForm(String(decoding: words[1], as: UTF8.self))
        else { throw MalformedRequest("bad request target") }

        var fields: [Field] = []
        for line in lines.dropFirst() { fields.append(try Self.field(line)) }

        self.raw = raw
        method = String(decoding: words[0], as: UTF8.self)
        self.target = target
        isHTTP10 = version == "HTTP/1.0"
        framing = try Self.framing(fields)
        self.fields = fields
        let hosts = fields.filter { $0.name == "host" }.count
        guard hosts == 1 || (hosts == 0 && isHTTP10) else { throw MalformedRequest("\(hosts) Host lines") }
    }

    /// The path and query of a target in origin form, or in the absolute form that a proxy receives.
    private static func originForm(_ target: String) -> String? {
        if target.hasPrefix("/") { return target }
        guard target.hasPrefix("http://") || target.hasPrefix("https://") else { return nil }
        let rest = target.drop { $0 != ":" }.dropFirst(3)
        guard let path = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        return rest[path] == "/" ? String(rest[path...]) : "/" + rest[path...]
    }

    private static func field(_ line: ArraySlice<UInt8>) throws(MalformedRequest) -> Field {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw MalformedRequest("header line without colon")
        }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy(isTokenByte) else { throw MalformedRequest("bad header name") }
        var value = line[line.index(after: colon)...]
        while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw MalformedRequest("control character in a header value")
        }
        guard let text = String(validating: value, as: UTF8.self) else {
            throw MalformedRequest("header value is not UTF-8")
        }
        return Field(name: String(decoding: name, as: UTF8.self).lowercased(), value: text)
    }

    private static func framing(_ fields: [Field]) throws(MalformedRequest) -> Framing {
        let lengths = fields.filter { $0.name == "content-length" }
        let encodings = fields.filter { $0.name == "transfer-encoding" }
        if let encoding = encodings.first {
            guard lengths.isEmpty, encodings.count == 1 else { throw MalformedRequest("two framings of one body") }
            guard encoding.value.lowercased() == "chunked" else {
                throw MalformedRequest("transfer encoding \(encoding.value)", status: 501)
            }
            return .chunked
        }
        guard let length = lengths.first else { return .none }
        guard lengths.allSatisfy({ $0.value == length.value }) else { throw MalformedRequest("two content lengths") }
        guard length.value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = UInt64(length.value) else {
            throw MalformedRequest("bad content length")
        }
        return .length(count)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
