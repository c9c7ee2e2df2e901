extension String {
    /// A message of the OpenAPI without the request that it quotes where signatures differ: several hundred characters, in which
    /// nobody finds the reason. Nil when nothing else is in it.
    var withoutQuotedRequest: String? {
        let beginnings = [
            "server CanonicalRequest is", "server StringToSign is", "server string to sign is", "StringToSign",
        ]
        var text = self[...]
        if let first = beginnings.compactMap({ text.firstRange(of: $0)?.lowerBound }).min() { text = text[..<first] }
        while let last = text.last, last.isWhitespace || ",;:".contains(last) { text.removeLast() }
        return text.isEmpty ? nil : String(text)
    }
}
