/// A service's message without what the request's credentials hold: services echo tokens and string to sign. Cut to
/// 1,024 characters, on one line.
func redacted(_ message: String, _ credentials: Credentials) -> String {
    var text = message
    for secret in [credentials.securityToken, credentials.secretKey].compactMap({ $0 }) where !secret.isEmpty {
        text = text.replacing(secret, with: "[redacted]")
        text = text.replacing(PercentEncoding.component(secret), with: "[redacted]")
    }
    // Cut after taking out: a cut secret would not be found.
    return String(text.prefix(1024).map { $0.isNewline ? " " : $0 })
}
