/// One mistake that clients are known to make in what they sign.
struct SigningMistake<Signed> {
    /// The component that differs, as the log names it.
    let component: String
    /// Makes of what should have been signed what was.
    let change: (inout Signed) -> Void

    init(_ component: String, _ change: @escaping (inout Signed) -> Void) {
        self.component = component
        self.change = change
    }
}

extension AccountTable {
    /// Which component the client signed differently, found by trying `mistakes` and the secrets of other keys.
    ///
    /// - Parameter isRight: Whether signing this with this secret gives the signature that was sent.
    func diagnosis<Signed>(
        of signed: Signed, by account: StubAccount, among mistakes: [SigningMistake<Signed>],
        isRight: (Signed, _ secret: String) -> Bool
    ) -> String {
        for mistake in mistakes {
            var changed = signed
            mistake.change(&changed)
            if isRight(changed, account.secretKey) { return mistake.component }
        }
        for other in all where other.accessKey != account.accessKey && isRight(signed, other.secretKey) {
            return "secret: it is that of the access key \(other.accessKey)"
        }
        return "unknown: the secret key, a value or more than one component differs"
    }
}
