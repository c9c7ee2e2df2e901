extension TransferError: CustomStringConvertible, CustomDebugStringConvertible {
    /// Code, operation and status: bounded variety, for metric labels.
    public var shortDescription: String {
        [code.rawValue, operation, status.map(String.init)].compactMap(\.self).joined(separator: " ")
    }

    /// One line without secrets: code, message, and what identifies the request.
    public var description: String { line(under: nil) }

    /// `description` for a line that begins with `heading`, another code for the same failure. Codes that say the same, but for
    /// upper and lower case, are not said again.
    package func line(under heading: String?) -> String {
        func saysNew(_ word: String) -> Bool { word.lowercased() != heading?.lowercased() }
        var text = message
        if let word = service?.code, !saysNew(word), text.hasPrefix("\(word): ") { text.removeFirst(word.count + 2) }
        if saysNew(code.rawValue) { text = "\(code): \(text)" }
        let facts = facts.filter { $0.0 != "serviceCode" || saysNew($0.1) }.map { "\($0)=\($1)" }
        if !facts.isEmpty { text += " [" + facts.joined(separator: " ") + "]" }
        return text.onOneLine.withoutControls
    }

    /// Everything that is known, a line per fact, causes indented.
    public var debugDescription: String {
        var lines = ["\(code): \(message)".onOneLine, "  retry: \(retry)"]
        lines += facts.map { "  \($0): \($1)".onOneLine }
        if let receipt { lines.append("  stored: etag \(receipt.etag), verified by \(receipt.verification)") }
        if let underlying {
            lines.append("  caused by:")
            lines += String(reflecting: underlying).split(whereSeparator: \.isNewline).map { "    \($0)" }
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    /// Nil also where a refusal came by another way than HTTP, which has none.
    private var status: Int? { service.flatMap { $0.status == 0 ? nil : $0.status } }

    private var facts: [(String, String)] {
        var facts: [(String, String)] = []
        func add(_ name: String, _ value: (some Any)?) { if let value { facts.append((name, "\(value)")) } }
        add("field", field)
        add("operation", operation)
        add("object", object)
        add("part", part)
        add("uploadId", uploadID)
        add("status", status)
        add("serviceCode", service?.code)
        add("requestId", service?.requestID)
        add("hostId", service?.hostID)
        add("ec", service?.ec)
        if attempts > 1 { add("attempts", attempts) }
        add("provider", provider)
        return facts
    }
}

extension String {
    fileprivate var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }

    /// The text with a mark in place of each control character, and of those that turn the direction of writing: services echo
    /// what others sent, and a terminal that shows a log obeys it.
    fileprivate var withoutControls: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: unicodeScalars.lazy.map { $0.isControl ? "\u{FFFD}" : $0 })
        return String(kept)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
