extension HTTPHeaders: Sequence {
    package typealias Element = (name: String, value: String)

    package func makeIterator() -> some IteratorProtocol<Element> {
        fields.lazy.map { (name: text($0.name), value: text($0.value)) }.makeIterator()
    }

    /// The value of the first field of that name.
    package subscript(name: String) -> String? {
        for field in fields where matches(field, name) { return text(field.value) }
        return nil
    }

    /// The values of all fields of that name, in order.
    package func values(_ name: String) -> [String] {
        fields.filter { matches($0, name) }.map { text($0.value) }
    }

    package func contains(_ name: String) -> Bool { fields.contains { matches($0, name) } }

    /// Whether there is a field whose name begins with `prefix`.
    package func containsPrefixed(_ prefix: String) -> Bool {
        let length = prefix.utf8.count
        return fields.contains { $0.nameLength >= length && begins($0, with: prefix) }
    }

    /// Whether `field` has that name, whatever the case of its letters.
    func matches(_ field: Field, _ name: String) -> Bool {
        field.nameLength == name.utf8.count && begins(field, with: name)
    }

    /// Whether the field that is at least as long as `text` begins with it, whatever the case of its letters.
    private func begins(_ field: Field, with text: String) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var index = field.start
            for byte in text.utf8 {
                if lowercased(bytes[index]) != lowercased(byte) { return false }
                index += 1
            }
            return true
        }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
