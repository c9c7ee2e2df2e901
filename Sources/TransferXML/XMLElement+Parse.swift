extension XMLElement {
    /// The root element of `document`, once all of it has been read and found well-formed.
    ///
    /// - Throws: `XMLError`, also when only the last byte is missing: nothing of a truncated answer is believed.
    package init(parsing document: [UInt8], limits: XMLLimits = XMLLimits()) throws(XMLError) {
        try self.init(parsing: document, limits: limits, takingEach: nil) { _ in }
    }

    /// The same for long lists: each child of the root named `name` is handed to `body` as soon as it is complete, and is
    /// not kept. What `body` has seen counts only when this returns without an error.
    package init(
        parsing document: [UInt8], limits: XMLLimits = XMLLimits(), takingEach name: String?,
        _ body: (XMLElement) -> Void
    ) throws(XMLError) {
        let reader = try XMLPullReader(document, limits: limits)
        var open: [XMLElement] = []
        var root: XMLElement?
        while let event = try reader.next() {
            switch event {
            case .start(let name, _):
                open.append(XMLElement(name: name, text: "", children: []))
            case .text(let text):
                // Blanks outside the root belong to nobody.
                if !open.isEmpty { open[open.count - 1].text += text }
            case .end:
                guard let element = open.popLast() else { continue }
                if open.isEmpty {
                    root = element
                } else if open.count == 1, let name, element.isNamed(name) {
                    body(element)
                } else {
                    open[open.count - 1].children.append(element)
                }
            }
        }
        // A well-formed document has a root; libxml2 would have said otherwise.
        guard let root else { throw XMLError(.malformed(code: 0)) }
        self = root
    }
}
