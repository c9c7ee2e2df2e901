extension RPCVerifier {
    private struct Slip {
        let component: String
        let change: (inout RPCCanonical) -> Void
    }

    /// Which component the client signed differently, found by trying the slips that clients are known to make.
    func diagnosis(_ canonical: RPCCanonical, _ signature: String, _ account: StubAccount) -> String {
        for slip in slips(canonical) {
            var changed = canonical
            slip.change(&changed)
            if changed.signature(secret: account.secretKey) == signature { return slip.component }
        }
        if let owner = caller.otherOwner(than: account, { canonical.signature(secret: $0.secretKey) == signature }) {
            return "secret: it is that of the access key \(owner)"
        }
        return "unknown: the secret key, a value or more than one component differs"
    }

    private func slips(_ canonical: RPCCanonical) -> [Slip] {
        var slips = [
            Slip(component: "secret: used without & behind it") { $0.keySuffix = "" },
            Slip(component: "path: signed without its encoding") { $0.path = "/" },
            Slip(component: "parameters: encoded once, not twice") { $0.encodesParametersTwice = false },
        ]
        for (name, change) in SignedParameters.slips {
            slips.append(Slip(component: "parameters: \(name)") { change(&$0.parameters) })
        }
        for name in Set(canonical.parameters.items.map(\.name)).sorted() {
            slips.append(
                Slip(component: "parameter \(name): sent but not signed") { request in
                    request.parameters.items.removeAll { $0.name == name }
                })
        }
        for method in ["GET", "POST"] where method != canonical.method {
            slips.append(Slip(component: "method: signed as \(method)") { $0.method = method })
        }
        return slips
    }
}
