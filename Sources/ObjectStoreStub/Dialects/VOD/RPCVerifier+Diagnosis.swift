import TransferPrimitives

extension RPCVerifier {
    private typealias Mistake = SigningMistake<RPCCanonical>

    /// Which component the client signed differently.
    func diagnosis(_ canonical: RPCCanonical, _ signature: String, _ account: StubAccount) -> String {
        caller.accounts.diagnosis(of: canonical, by: account, among: mistakes(canonical)) { request, secret in
            ConstantTime.isEqual(request.signature(secret: secret), signature)
        }
    }

    private func mistakes(_ canonical: RPCCanonical) -> [Mistake] {
        var mistakes = [
            Mistake("secret: used without & behind it") { $0.keySuffix = "" },
            Mistake("path: signed without its encoding") { $0.path = "/" },
            Mistake("parameters: encoded once, not twice") { $0.encodesParametersTwice = false },
        ]
        for (name, change) in SignedParameters.mistakes {
            mistakes.append(Mistake("parameters: \(name)") { change(&$0.parameters) })
        }
        for name in Set(canonical.parameters.items.map(\.name)).sorted() {
            mistakes.append(
                Mistake("parameter \(name): sent but not signed") { request in
                    request.parameters.items.removeAll { $0.name == name }
                })
        }
        for method in ["GET", "POST"] where method != canonical.method {
            mistakes.append(Mistake("method: signed as \(method)") { $0.method = method })
        }
        return mistakes
    }
}
