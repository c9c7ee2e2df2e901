/// An element of an XML document, to be written or as it was read. Attributes are of no use here and are not kept.
struct XMLText: Sendable, Equatable {
    /// Without its prefix.
    var name: String
    /// The text directly within it.
    var text = ""
    var children: [XMLText] = []

    init(_ name: String, _ text: String = "") {
        self.name = name
        self.text = text
    }

    init(_ name: String, _ children: [XMLText]) {
        self.name = name
        self.children = children
    }

    /// The children of this name.
    subscript(_ name: String) -> [XMLText] { children.filter { $0.name == name } }

    /// The document whose root this is, one element a line.
    ///
    /// - Parameter namespace: declared on the root when there is one.
    func document(namespace: String? = nil) -> [UInt8] {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        write(into: &text, indent: "", attributes: namespace.map { " xmlns=\"\($0)\"" } ?? "")
        return Array(text.utf8)
    }

    private func write(into output: inout String, indent: String, attributes: String = "") {
        output += "\(indent)<\(name)\(attributes)>"
        if children.isEmpty {
            Self.write(text, into: &output)
        } else {
            output += "\n"
            for child in children { child.write(into: &output, indent: indent + "  ") }
            output += indent
        }
        output += "</\(name)>\n"
    }

    private static func write(_ text: String, into output: inout String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            // Not allowed in any form, and yet what servers write when a key holds one: readers must get along.
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\r", "\u{E}"..."\u{1F}": output += "&#\(scalar.value);"
            default: output.unicodeScalars.append(scalar)
            }
        }
    }
}
