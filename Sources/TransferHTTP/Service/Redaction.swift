/// A service's message without what the request's credentials hold: services echo tokens and strings to sign. Cut to
/// 1,024 characters, on one line.
func redacted(_ message: String, _ credentials: Credentials) -> String {
    let secrets = [credentials.securityToken, credentials.secretKey].compactMap { $0 }
    let text = message.redacting(secrets + secrets.map { PercentEncoding.component($0) })
    // Cut after taking out: a cut secret would not be found.
    return String(text.prefix(1024).map { $0.isNewline ? " " : $0 })
}

extension String {
    /// This text with `[redacted]` in place of each of `secrets`.
    ///
    /// One pass: what was put in is not searched again. A secret of fewer than 8 characters is left alone. No service hands
    /// such a one out, and taking it out would tear words apart and so tell what it is.
    package func redacting(_ secrets: [String]) -> String {
        // The longest first, for one may begin with another.
        let secrets = secrets.map { Array($0.utf8) }.filter { $0.count >= 8 }.sorted { $0.count > $1.count }
        guard !secrets.isEmpty else { return self }
        var kept: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.first {
            if let secret = secrets.first(where: { rest.starts(with: $0) }) {
                kept += "[redacted]".utf8
                rest = rest.dropFirst(secret.count)
            } else {
                kept.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }
}
