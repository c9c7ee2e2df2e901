package import TransferCore
package import TransferHTTP

extension Credentials {
    /// Throws `.invalidArgument` for what cannot be sent or signed with, naming it as a field of `credential`. The message
    /// leaves the text out: it may be a secret.
    package func check() throws(TransferError) {
        guard !isAnonymous else { return }
        try Self.check("credential.accessKey", accessKey)
        try Self.check("credential.secretKey", secretKey)
        try Self.check("credential.securityToken", securityToken)
    }

    /// Throws `.credentialsUnavailable` where something is to be signed and there is nothing to sign with.
    package func checkSigning() throws(TransferError) {
        guard isAnonymous else { return }
        throw TransferError(.credentialsUnavailable, "nothing can be signed without credentials")
    }

    private static func check(_ field: String, _ text: String?) throws(TransferError) {
        guard let text, text.isEmpty || !text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return }
        throw .invalidArgument(field, "is empty, or holds a blank or another character that no credential has")
    }
}
