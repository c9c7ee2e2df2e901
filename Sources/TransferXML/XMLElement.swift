/// An element with everything below it, for answers of a few kilobytes whose fields are looked up by name.
///
/// Names are matched without namespace and without regard to ASCII letter case: services differ in prefixes, and some
/// answer `<error>` for `<Error>`.
package struct XMLElement: Sendable, Hashable {
    /// The name without its prefix.
    package internal(set) var name: String
    /// The characters directly inside, CDATA included, as they stand: a key may begin with a blank.
    package internal(set) var text: String
    /// The elements directly inside, in document order.
    package internal(set) var children: [XMLElement]

    /// Whether this is a `name`.
    package func isNamed(_ name: String) -> Bool {
        self.name.utf8.elementsEqual(name.utf8) { Self.lowercased($0) == Self.lowercased($1) }
    }

    /// This element, if it is a `name`; throws `XMLError.unexpectedRoot` otherwise.
    @discardableResult
    package func expecting(_ name: String) throws(XMLError) -> XMLElement {
        guard isNamed(name) else { throw XMLError(.unexpectedRoot(expected: name)) }
        return self
    }

    /// The first child with this name.
    package func first(_ name: String) -> XMLElement? { children.first { $0.isNamed(name) } }

    /// Every child with this name, in document order.
    package func all(_ name: String) -> [XMLElement] { children.filter { $0.isNamed(name) } }

    /// The text of the first child with this name, exactly as it stands; nil when there is no such child.
    package func text(_ name: String) -> String? { first(name)?.text }

    /// The same without blanks around it, for numbers, dates, flags and ids.
    package func trimmedText(_ name: String) -> String? { first(name)?.trimmedText }

    /// The text without blanks around it.
    package var trimmedText: String {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { !Self.isBlank($0) }),
            let last = bytes.lastIndex(where: { !Self.isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
}
