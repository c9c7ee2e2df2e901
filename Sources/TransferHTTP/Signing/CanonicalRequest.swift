/// The bytes whose digest a V4 signature signs, and the header names it lists.
///
/// Everything is put together in byte buffers: this runs for every part.
struct CanonicalRequest {
    private(set) var bytes: [UInt8] = []
    /// Joined by `;`.
    private(set) var listedNames: [UInt8] = []

    /// - Parameters:
    ///   - matcher: Which headers take part.
    ///   - payload: The payload line.
    init(_ request: HTTPRequest, _ dialect: V4Dialect, _ matcher: HeaderMatcher, payload: String) {
        bytes.reserveCapacity(512 + request.headers.bytes.count)
        bytes.append(utf8: request.method.rawValue)
        bytes.append(newline)
        bytes.append(utf8: request.canonicalPath ?? request.path)
        bytes.append(newline)
        appendQuery(request.query, keepsEmptyValues: dialect.keepsEmptyValues)
        bytes.append(newline)
        appendHeaders(request, dialect, matcher)
        bytes.append(newline)
        bytes.append(contentsOf: listedNames)
        bytes.append(newline)
        bytes.append(utf8: payload)
    }

    private mutating func appendQuery(_ items: [HTTPRequest.QueryItem], keepsEmptyValues: Bool) {
        var pairs = SortedPairs(capacity: items.count, bytes: 64 * items.count)
        for item in items {
            pairs.add {
                PercentEncoding.append(item.name, to: &$0)
            } value: { text in
                if let value = item.value { PercentEncoding.append(value, to: &text) }
            }
        }
        var isFirst = true
        pairs.visit(thenByValue: true) { name, value in
            if !isFirst { bytes.append(UInt8(ascii: "&")) }
            isFirst = false
            bytes.append(contentsOf: name)
            if keepsEmptyValues || !value.isEmpty { bytes.append(UInt8(ascii: "=")) }
            bytes.append(contentsOf: value)
        }
    }

    private mutating func appendHeaders(_ request: HTTPRequest, _ dialect: V4Dialect, _ matcher: HeaderMatcher) {
        let headers = request.headers
        var pairs = SortedPairs(capacity: headers.count + 1, bytes: headers.bytes.count + 64)
        if matcher.includesHost {
            pairs.add {
                $0.append(utf8: "host")
            } value: {
                $0.append(utf8: request.endpoint.authority)
            }
        }
        headers.bytes.withUnsafeBufferPointer { source in
            for field in headers.fields {
                let name = UnsafeBufferPointer(rebasing: source[field.name])
                guard matcher.includes(name) else { continue }
                pairs.add { text in
                    for byte in name { text.append(lowercased(byte)) }
                } value: { text in
                    Self.append(
                        UnsafeBufferPointer(rebasing: source[field.value]), folding: dialect.foldsBlanks, to: &text)
                }
            }
        }

        let listsAll = dialect.listing == .signed
        var previous: UnsafeBufferPointer<UInt8>?
        listedNames.reserveCapacity(listsAll ? headers.bytes.count : 0)
        pairs.visit(thenByValue: false) { name, value in
            if let previous, previous.elementsEqual(name) {
                bytes.append(UInt8(ascii: ","))
            } else {
                if previous != nil { bytes.append(newline) }
                bytes.append(contentsOf: name)
                bytes.append(UInt8(ascii: ":"))
                if listsAll || !matcher.includesByRule(name) {
                    if !listedNames.isEmpty { listedNames.append(UInt8(ascii: ";")) }
                    listedNames.append(contentsOf: name)
                }
            }
            previous = name
            bytes.append(contentsOf: value)
        }
        if previous != nil { bytes.append(newline) }
    }

    private static func append(_ value: UnsafeBufferPointer<UInt8>, folding: Bool, to text: inout [UInt8]) {
        guard folding else { return text.append(contentsOf: value) }
        var isBlankBefore = false
        for byte in value {
            let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
            if !isBlank { text.append(byte) } else if !isBlankBefore { text.append(UInt8(ascii: " ")) }
            isBlankBefore = isBlank
        }
    }

    private var newline: UInt8 { UInt8(ascii: "\n") }
}

/// Which headers a signature covers, in the bytes that names are compared by.
struct HeaderMatcher: Sendable {
    let includesHost: Bool
    private let prefix: [UInt8]?
    private let names: [[UInt8]]
    private let additional: [[UInt8]]

    /// - Parameter additional: Lower-case names of headers that are covered besides those the rule names.
    init(_ rule: V4Dialect.HeaderRule, prefix: String, additional: [String]) {
        includesHost = rule.names.contains("host") || additional.contains("host")
        self.prefix = rule.includesPrefixed ? Array(prefix.utf8) : nil
        names = rule.names.map { Array($0.utf8) }
        self.additional = additional.map { Array($0.utf8) }
    }

    func includes(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        includesByRule(name) || additional.contains { Self.begins(name, with: $0) && name.count == $0.count }
    }

    func includesByRule(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        if let prefix, Self.begins(name, with: prefix) { return true }
        return names.contains { Self.begins(name, with: $0) && name.count == $0.count }
    }

    private static func begins(_ name: UnsafeBufferPointer<UInt8>, with start: [UInt8]) -> Bool {
        guard name.count >= start.count else { return false }
        for index in start.indices where lowercased(name[index]) != start[index] { return false }
        return true
    }
}

/// Names and values as places in one buffer.
private struct SortedPairs {
    private struct Pair {
        let start: Int
        let middle: Int
        let end: Int
    }

    private var text: [UInt8] = []
    private var pairs: [Pair] = []

    init(capacity: Int, bytes: Int) {
        pairs.reserveCapacity(capacity)
        text.reserveCapacity(bytes)
    }

    mutating func add(name: (inout [UInt8]) -> Void, value: (inout [UInt8]) -> Void) {
        let start = text.count
        name(&text)
        let middle = text.count
        value(&text)
        pairs.append(Pair(start: start, middle: middle, end: text.count))
    }

    /// Hands out the pairs in the byte order of their names; equal names in that of their values, or as they came.
    mutating func visit(
        thenByValue: Bool, _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
    ) {
        text.withUnsafeBufferPointer { text in
            func name(_ pair: Pair) -> Slice<UnsafeBufferPointer<UInt8>> { text[pair.start..<pair.middle] }
            func value(_ pair: Pair) -> Slice<UnsafeBufferPointer<UInt8>> { text[pair.middle..<pair.end] }
            if pairs.count > 1 {
                pairs.sort { a, b in
                    if name(a).lexicographicallyPrecedes(name(b)) { return true }
                    if name(b).lexicographicallyPrecedes(name(a)) { return false }
                    return thenByValue ? value(a).lexicographicallyPrecedes(value(b)) : a.start < b.start
                }
            }
            for pair in pairs {
                body(UnsafeBufferPointer(rebasing: name(pair)), UnsafeBufferPointer(rebasing: value(pair)))
            }
        }
    }
}
