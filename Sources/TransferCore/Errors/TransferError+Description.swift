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
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Everything that is known, a line per fact, causes indented.
    public var debugDescription: String {
        var lines = ["\(code): \(message)", "  retry: \(retry)"]
        lines += facts.map { "  \($0): \($1)" }
        if let receipt { lines.append("  stored: etag \(receipt.etag), verified by \(receipt.verification)") }
        if let underlying {
            lines.append("  caused by:")
            lines += String(reflecting: underlying).split(whereSeparator: \.isNewline).map { "    \($0)" }
        }
        return lines.joined(separator: "\n")
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
