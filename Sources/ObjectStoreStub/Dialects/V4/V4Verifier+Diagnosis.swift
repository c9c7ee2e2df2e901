import TransferPrimitives

extension V4Verifier {
    private typealias Mistake = SigningMistake<V4CanonicalRequest>

    /// Which component the client signed differently.
    func diagnosis(
        _ canonical: V4CanonicalRequest, _ claim: V4Claim, _ account: StubAccount, _ head: RequestHead
    ) -> String {
        accounts.diagnosis(of: canonical, by: account, among: mistakes(claim, head)) { request, secret in
            ConstantTime.isEqual(request.signature(secret: secret, claim, scheme), claim.signature)
        }
    }

    private func mistakes(_ claim: V4Claim, _ head: RequestHead) -> [Mistake] {
        let rawPath = String(head.rawPath)
        let rawQuery = head.rawQuery.map { String($0) } ?? ""
        let isImplied = scheme.coverage == .implied
        let withoutBucket = Mistake("path: signed without the bucket") {
            $0.path = "/" + $0.path.dropFirst().drop { $0 != "/" }.dropFirst()
        }
        // With a virtual host the path on the wire is that without the bucket, which is the better name for it.
        var mistakes = scheme.signsBucket ? [withoutBucket] : []
        mistakes += [
            Mistake("host: signed without its port") { request in
                request.headers.replace("host") { $0.split(separator: ":").first.map { String($0) } ?? $0 }
            },
            Mistake("path: signed as it is on the wire, \(rawPath)") { $0.path = rawPath },
            Mistake("path: signed without its encoding") {
                $0.path = PercentCoding.decodeText(rawPath) ?? rawPath
            },
            Mistake("path: encoded twice") { $0.path = PercentCoding.encode($0.path.utf8, keepingSlash: true) },
            Mistake("path: its slashes are encoded") {
                $0.path = "/" + PercentCoding.encode((PercentCoding.decode(rawPath.dropFirst()) ?? []))
            },
            withoutBucket,
            Mistake("query: left out") { $0.query = "" },
            Mistake("query: not sorted") { $0.query = rawQuery },
            Mistake("query: empty values without their =") { request in
                let items = request.query.split(separator: "&").map { $0.hasSuffix("=") ? $0.dropLast() : $0 }
                request.query = items.joined(separator: "&")
            },
            Mistake("query: empty values with a =") { request in
                let items = request.query.split(separator: "&").map { $0.contains("=") ? String($0) : $0 + "=" }
                request.query = items.joined(separator: "&")
            },
            Mistake("query: blanks as +") {
                $0.query = $0.query.split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+")
            },
            Mistake("secret: used without a prefix") { $0.secretPrefix = "" },
        ]
        for prefix in ["AWS4", "TOS4", "aliyun_v4"] where prefix != scheme.secretPrefix {
            mistakes.append(Mistake("secret: used with the prefix \(prefix)") { $0.secretPrefix = prefix })
        }
        if isImplied { mistakes.append(Mistake("additional headers: their list was left out") { $0.list = "" }) }
        for payload in [V4Claim.emptyPayload, V4Claim.unsignedPayload] where payload != claim.payload {
            mistakes.append(Mistake("payload: signed as \(payload)") { $0.payload = payload })
        }
        for method in ["GET", "PUT", "POST", "HEAD", "DELETE"] where method != head.method {
            mistakes.append(Mistake("method: signed as \(method)") { $0.method = method })
        }
        for item in rawQuery.split(separator: "&") {
            let name = String(item.prefix { $0 != "=" })
            mistakes.append(
                Mistake("query \(name): sent but not signed") { request in
                    let items = request.query.split(separator: "&")
                    request.query = items.filter { $0 != name && !$0.hasPrefix(name + "=") }.joined(separator: "&")
                })
        }
        for name in scheme.signedNames(claim, head) where name != "host" {
            let isListed = claim.listedNames.contains(name)
            mistakes.append(
                Mistake("header \(name): \(isListed ? "listed" : "sent") but not signed") { request in
                    request.headers.removeAll { $0.name == name }
                })
            mistakes.append(
                Mistake("header \(name): signed with its blanks") { request in
                    request.headers.replace(name) { _ in head.values(name).joined(separator: ",") }
                })
            mistakes.append(
                Mistake("header \(name): signed without its percent-encoding") { request in
                    request.headers.replace(name) { PercentCoding.decodeText($0) ?? $0 }
                })
            mistakes.append(Mistake("header \(name): signed as empty") { $0.headers.replace(name) { _ in "" } })
        }
        return mistakes
    }
}
