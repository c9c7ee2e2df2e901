package import TransferHTTP

extension HTTPResponse {
    /// What spoke in place of a service, for people: the type of a page that is no document of `service`, and its beginning on
    /// one line. Nil without a body.
    ///
    /// A page that echoes the request may hold its token, its signature or the key that the object is encrypted with. It is
    /// then not quoted.
    package func excerpt(ofPageInPlaceOf service: String) -> String? {
        guard !body.isEmpty else { return nil }
        let type = String((headers["Content-Type"] ?? "no content type").prefix(64))
        let page = "an answer of \(type) that is no document of \(service)"
        let text = String(decoding: body.prefix(1_024), as: UTF8.self)
        let folded = text.lowercased()
        guard !Self.marksOfSecrets.contains(where: folded.contains) else { return page }
        return "\(page): \(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(160))"
    }

    private static let marksOfSecrets = [
        "token", "customer-key", "authorization", "uploadauth", "accesskey", "signature", "credential", "cookie",
        "secret", "password",
    ]
}
