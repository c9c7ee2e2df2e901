/// Header fields in the order given, with look-up that ignores the case of names.
///
/// Names and values are checked when they are added, so nothing downstream has to. All fields lie in one buffer, each as
/// `name: value` and a closing NUL, the form in which the transport hands them to libcurl: a request costs two
/// allocations, not two per field.
package struct HTTPHeaders: Sendable, Hashable {
    /// Where one field lies in `bytes`.
    package struct Field: Sendable, Hashable {
        package let start: Int
        package let nameLength: Int
        package let valueLength: Int

        package var name: Range<Int> { start..<start + nameLength }
        package var value: Range<Int> { valueStart..<valueStart + valueLength }
        /// With the closing NUL.
        package var line: Range<Int> { start..<valueStart + valueLength + 1 }
        private var valueStart: Int { start + nameLength + 2 }
    }

    package private(set) var bytes: [UInt8] = []
    package private(set) var fields: [Field] = []

    package init() {}

    package init(_ pairs: KeyValuePairs<String, String>) throws(HTTPHeaderError) {
        for (name, value) in pairs { try append(name, value) }
    }

    package var count: Int { fields.count }
    package var isEmpty: Bool { fields.isEmpty }

    package mutating func reserveCapacity(fields count: Int, bytes size: Int) {
        fields.reserveCapacity(count)
        bytes.reserveCapacity(size)
    }

    /// Adds a field behind the others. Blanks around the value are dropped, so that what is signed is what is sent.
    package mutating func append(_ name: String, _ value: String) throws(HTTPHeaderError) {
        var value = value
        let failure = value.withUTF8 { append(name, $0) }
        if let failure { throw HTTPHeaderError(name: name, reason: failure) }
    }

    /// The same with a value in bytes.
    mutating func append(_ name: String, bytes value: [UInt8]) throws(HTTPHeaderError) {
        let failure = value.withUnsafeBufferPointer { append(name, $0) }
        if let failure { throw HTTPHeaderError(name: name, reason: failure) }
    }

    /// Adds a field, or says what is wrong with it and adds nothing.
    private mutating func append(_ name: String, _ value: UnsafeBufferPointer<UInt8>) -> HTTPHeaderError.Reason? {
        // Room for all headers of a request in one go, its signature included.
        if bytes.isEmpty { reserveCapacity(fields: 12, bytes: 768) }
        let start = bytes.count
        bytes.append(utf8: name)
        let nameLength = bytes.count - start
        guard nameLength > 0, bytes[start...].allSatisfy(ByteClass.token.contains) else {
            bytes.removeSubrange(start...)
            return .name
        }
        let value = Self.trimmed(value)
        guard value.allSatisfy(Self.isValueByte) else {
            bytes.removeSubrange(start...)
            return .value
        }
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: value)
        bytes.append(0)
        fields.append(Field(start: start, nameLength: nameLength, valueLength: value.count))
        return nil
    }

    /// Replaces every field of that name by this one.
    package mutating func set(_ name: String, _ value: String) throws(HTTPHeaderError) {
        remove(name)
        try append(name, value)
    }

    /// The same with a value in bytes.
    mutating func set(_ name: String, bytes value: [UInt8]) throws(HTTPHeaderError) {
        remove(name)
        try append(name, bytes: value)
    }

    private mutating func remove(_ name: String) {
        guard contains(name) else { return }
        var others = HTTPHeaders()
        others.reserveCapacity(fields: fields.count, bytes: bytes.count)
        for field in fields where !matches(field, name) { others.copy(field, from: self) }
        self = others
    }

    /// Adds a line as it came off the wire, without its line end; false, and nothing added, when it is no header field.
    package mutating func appendLine(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy(ByteClass.token.contains)
        else { return false }
        let value = Self.trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).bindMemory(to: UInt8.self))
        guard value.allSatisfy(Self.isValueByte) else { return false }
        let start = bytes.count
        bytes.append(contentsOf: line[...colon])
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: value)
        bytes.append(0)
        fields.append(Field(start: start, nameLength: colon, valueLength: value.count))
        return true
    }

    private mutating func copy(_ field: Field, from other: HTTPHeaders) {
        fields.append(Field(start: bytes.count, nameLength: field.nameLength, valueLength: field.valueLength))
        bytes.append(contentsOf: other.bytes[field.line])
    }

    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var bytes = bytes[...]
        while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return UnsafeBufferPointer(rebasing: bytes)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// No control characters but the tab; bytes above 127 stay as they are (RFC 9110, section 5.5).
    private static func isValueByte(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t")
    }
}

/// A header that must not be sent. The value is left out: it may be a secret.
package struct HTTPHeaderError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// The name is empty or holds a character that no header name may have.
        case name
        /// The value holds a line break or another control character.
        case value
    }

    package let name: String
    package let reason: Reason

    package init(name: String, reason: Reason) {
        self.name = name
        self.reason = reason
    }

    package var description: String {
        switch reason {
        case .name: "\(name.debugDescription) is no header name"
        case .value: "the value of header \(name.debugDescription) holds a control character"
        }
    }
}
