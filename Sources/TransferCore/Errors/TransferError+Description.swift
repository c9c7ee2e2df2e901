extension TransferError: CustomStringConvertible, CustomDebugStringConvertible {
    /// Code, operation and status: bounded variety, for metric labels.
    public var shortDescription: String {
        [code.rawValue, operation, service.map { String($0.status) }].compactMap(\.self).joined(separator: " ")
    }

    /// One line without secrets: code, message, and what identifies the request.
    public var description: String {
        var text = "\(code): \(message)"
        let facts = facts.map { "\($0)=\($1)" }
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

    private var facts: [(String, String)] {
        var facts: [(String, String)] = []
        func add(_ name: String, _ value: (some Any)?) { if let value { facts.append((name, "\(value)")) } }
        add("field", field)
        add("operation", operation)
        add("object", object)
        add("part", part)
        add("uploadId", uploadID)
        add("status", service?.status)
        add("serviceCode", service?.code)
        add("requestId", service?.requestID)
        add("hostId", service?.hostID)
        add("ec", service?.ec)
        if attempts > 1 { add("attempts", attempts) }
        add("provider", provider)
        return facts
    }
}
