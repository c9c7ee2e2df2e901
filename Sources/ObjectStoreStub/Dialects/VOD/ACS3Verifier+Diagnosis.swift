import TransferPrimitives

extension ACS3Verifier {
    private struct Slip {
        let component: String
        var secretSuffix = ""
        var change: (inout ACS3Canonical) -> Void = { _ in }
    }

    /// Which component the client signed differently, found by trying the slips that clients are known to make.
    func diagnosis(
        _ canonical: ACS3Canonical, _ claim: ACS3Claim, _ account: StubAccount, _ head: RequestHead
    ) -> String {
        for slip in slips(canonical, head) {
            var changed = canonical
            slip.change(&changed)
            if changed.signature(secret: account.secretKey + slip.secretSuffix) == claim.signature {
                return slip.component
            }
        }
        if let owner = caller.otherOwner(
            than: account, { canonical.signature(secret: $0.secretKey) == claim.signature })
        {
            return "secret: it is that of the access key \(owner)"
        }
        return "unknown: the secret key, a value or more than one component differs"
    }

    private func slips(_ canonical: ACS3Canonical, _ head: RequestHead) -> [Slip] {
        var slips = [
            Slip(component: "host: signed without its port") { request in
                request.replace("host") { $0.split(separator: ":").first.map { String($0) } ?? $0 }
            },
            Slip(component: "path: signed as empty") { $0.path = "" },
            Slip(component: "query: left out") { $0.parameters.items = [] },
            Slip(component: "secret: used with & behind it", secretSuffix: "&"),
        ]
        for (name, change) in SignedParameters.slips {
            slips.append(Slip(component: "query: \(name)") { change(&$0.parameters) })
        }
        for name in Set(canonical.parameters.items.map(\.name)).sorted() {
            slips.append(
                Slip(component: "query \(name): sent but not signed") { request in
                    request.parameters.items.removeAll { $0.name == name }
                })
        }
        for payload in [Hex.encode(Digest.sha256([])), "UNSIGNED-PAYLOAD", ""] where payload != canonical.payload {
            slips.append(Slip(component: "body: signed as \(payload)") { $0.payload = payload })
        }
        for method in ["GET", "POST"] where method != head.method {
            slips.append(Slip(component: "method: signed as \(method)") { $0.method = method })
        }
        for name in canonical.headers.map(\.name) where name != "host" {
            slips.append(
                Slip(component: "header \(name): listed but not signed") { request in
                    request.headers.removeAll { $0.name == name }
                })
            slips.append(
                Slip(component: "header \(name): signed as empty") { request in request.replace(name) { _ in "" } })
        }
        return slips
    }
}

extension ACS3Canonical {
    fileprivate mutating func replace(_ name: String, _ change: (String) -> String) {
        for index in headers.indices where headers[index].name == name {
            headers[index].value = change(headers[index].value)
        }
    }
}
