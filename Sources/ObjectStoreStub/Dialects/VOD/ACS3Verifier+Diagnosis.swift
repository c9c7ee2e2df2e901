import TransferPrimitives

extension ACS3Verifier {
    private typealias Mistake = SigningMistake<ACS3Canonical>

    /// Which component the client signed differently.
    func diagnosis(
        _ canonical: ACS3Canonical, _ claim: ACS3Claim, _ account: StubAccount, _ head: RequestHead
    ) -> String {
        caller.accounts.diagnosis(of: canonical, by: account, among: mistakes(canonical, head)) { request, secret in
            ConstantTime.isEqual(request.signature(secret: secret), claim.signature)
        }
    }

    private func mistakes(_ canonical: ACS3Canonical, _ head: RequestHead) -> [Mistake] {
        var mistakes = [
            Mistake("host: signed without its port") { request in
                request.headers.replace("host") { $0.split(separator: ":").first.map { String($0) } ?? $0 }
            },
            Mistake("path: signed as empty") { $0.path = "" },
            Mistake("query: left out") { $0.parameters.items = [] },
            Mistake("secret: used with & behind it") { $0.secretSuffix = "&" },
        ]
        for (name, change) in SignedParameters.mistakes {
            mistakes.append(Mistake("query: \(name)") { change(&$0.parameters) })
        }
        for name in Set(canonical.parameters.items.map(\.name)).sorted() {
            mistakes.append(
                Mistake("query \(name): sent but not signed") { request in
                    request.parameters.items.removeAll { $0.name == name }
                })
        }
        for payload in [Hex.encode(Digest.sha256([])), "UNSIGNED-PAYLOAD", ""] where payload != canonical.payload {
            mistakes.append(Mistake("body: signed as \(payload)") { $0.payload = payload })
        }
        for method in ["GET", "POST"] where method != head.method {
            mistakes.append(Mistake("method: signed as \(method)") { $0.method = method })
        }
        for name in canonical.headers.map(\.name) where name != "host" {
            mistakes.append(
                Mistake("header \(name): listed but not signed") { request in
                    request.headers.removeAll { $0.name == name }
                })
            mistakes.append(
                Mistake("header \(name): signed as empty") { request in request.headers.replace(name) { _ in "" } })
        }
        return mistakes
    }
}
