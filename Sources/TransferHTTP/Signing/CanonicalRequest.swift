/// The bytes whose digest a V4 signature signs, and the header names it lists.
struct CanonicalRequest {
    private(set) var bytes: [UInt8] = []
    /// Joined by `;`.
    private(set) var listedNames: [UInt8] = []

    /// - Parameters:
    ///   - query: The request's own parameters; for a presigned URL also those of the signature.
    ///   - rule: Which headers take part.
    ///   - additional: Lower-case names of further headers that do.
    ///   - payload: The payload line.
    init(
        _ request: HTTPRequest, query: [HTTPRequest.QueryItem], dialect: V4Dialect, rule: V4Dialect.HeaderRule,
        additional: [String], payload: String
    ) {
        bytes.reserveCapacity(1024)
        bytes.append(contentsOf: request.method.rawValue.utf8)
        bytes.append(newline)
        bytes.append(contentsOf: (request.canonicalPath ?? request.path).utf8)
        bytes.append(newline)
        appendQuery(query, keepsEmptyValues: dialect.keepsEmptyValues)
        bytes.append(newline)
        appendHeaders(request, dialect, rule, additional)
        bytes.append(newline)
        bytes.append(contentsOf: listedNames)
        bytes.append(newline)
        bytes.append(contentsOf: payload.utf8)
    }

    private mutating func appendQuery(_ items: [HTTPRequest.QueryItem], keepsEmptyValues: Bool) {
        var text: [UInt8] = []
        var pairs = SortedPairs()
        for item in items {
            let start = text.count
            PercentEncoding.append(item.name, to: &text)
            let end = text.count
            if let value = item.value { PercentEncoding.append(value, to: &text) }
            pairs.add(start..<end, end..<text.count)
        }
        pairs.sort(by: text, thenByValue: true)
        var isFirst = true
        for pair in pairs.pairs {
            if !isFirst { bytes.append(UInt8(ascii: "&")) }
            isFirst = false
            bytes.append(contentsOf: text[pair.name])
            if keepsEmptyValues || !pair.value.isEmpty { bytes.append(UInt8(ascii: "=")) }
            bytes.append(contentsOf: text[pair.value])
        }
    }

    private mutating func appendHeaders(
        _ request: HTTPRequest, _ dialect: V4Dialect, _ rule: V4Dialect.HeaderRule, _ additional: [String]
    ) {
        let headers = request.headers
        var text: [UInt8] = []
        text.reserveCapacity(headers.bytes.count + 64)
        var pairs = SortedPairs()

        if rule.names.contains("host") || additional.contains("host") {
            text.append(contentsOf: "host".utf8)
            text.append(contentsOf: request.endpoint.authority.utf8)
            pairs.add(0..<4, 4..<text.count)
        }
        for field in headers.fields {
            let start = text.count
            for byte in headers.bytes[field.name] { text.append(lowercased(byte)) }
            let end = text.count
            guard
                rule.includesPrefixed && text[start...].starts(with: dialect.headerPrefix.utf8)
                    || rule.names.contains(where: { text[start...].elementsEqual($0.utf8) })
                    || additional.contains(where: { text[start...].elementsEqual($0.utf8) })
            else {
                text.removeSubrange(start...)
                continue
            }
            appendValue(headers.bytes[field.value], folding: dialect.foldsBlanks, to: &text)
            pairs.add(start..<end, end..<text.count)
        }
        pairs.sort(by: text, thenByValue: false)

        var previous: Range<Int>?
        for pair in pairs.pairs {
            let name = text[pair.name]
            if let previous, text[previous].elementsEqual(name) {
                bytes.append(UInt8(ascii: ","))
            } else {
                if previous != nil { bytes.append(newline) }
                bytes.append(contentsOf: name)
                bytes.append(UInt8(ascii: ":"))
                if dialect.listing == .signed || isAdditional(name, dialect, rule) {
                    if !listedNames.isEmpty { listedNames.append(UInt8(ascii: ";")) }
                    listedNames.append(contentsOf: name)
                }
            }
            previous = pair.name
            bytes.append(contentsOf: text[pair.value])
        }
        if previous != nil { bytes.append(newline) }
    }

    private func isAdditional(_ name: ArraySlice<UInt8>, _ dialect: V4Dialect, _ rule: V4Dialect.HeaderRule) -> Bool {
        !(rule.includesPrefixed && name.starts(with: dialect.headerPrefix.utf8))
            && !rule.names.contains { name.elementsEqual($0.utf8) }
    }

    private func appendValue(_ value: ArraySlice<UInt8>, folding: Bool, to text: inout [UInt8]) {
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

/// Names and values as places in one buffer.
private struct SortedPairs {
    struct Pair {
        let name: Range<Int>
        let value: Range<Int>
    }

    private(set) var pairs: [Pair] = []

    mutating func add(_ name: Range<Int>, _ value: Range<Int>) { pairs.append(Pair(name: name, value: value)) }

    /// Brings them into the byte order of their names; equal names into that of their values, or leaves them as they came.
    mutating func sort(by text: [UInt8], thenByValue: Bool) {
        guard pairs.count > 1 else { return }
        pairs.sort { a, b in
            if text[a.name].lexicographicallyPrecedes(text[b.name]) { return true }
            if text[b.name].lexicographicallyPrecedes(text[a.name]) { return false }
            return thenByValue
                ? text[a.value].lexicographicallyPrecedes(text[b.value]) : a.name.lowerBound < b.name.lowerBound
        }
    }
}
