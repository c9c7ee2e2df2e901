extension V4Verifier {
    private struct Slip {
        let component: String
        var prefix: String?
        let change: (inout V4CanonicalRequest) -> Void

        init(
            _ component: String, prefix: String? = nil,
            _ change: @escaping (inout V4CanonicalRequest) -> Void = { _ in }
        ) {
            self.component = component
            self.prefix = prefix
            self.change = change
        }
    }

    /// Which component the client signed differently, found by trying the slips that clients are known to make.
    func diagnosis(
        _ canonical: V4CanonicalRequest, _ claim: V4Claim, _ account: StubAccount, _ head: RequestHead
    ) -> String {
        for slip in slips(claim, head) {
            var changed = canonical
            slip.change(&changed)
            let signature = V4CanonicalRequest.signature(
                changed.stringToSign(claim, scheme), secret: account.secretKey, claim,
                prefix: slip.prefix ?? scheme.secretPrefix)
            if signature == claim.signature { return slip.component }
        }
        let text = canonical.stringToSign(claim, scheme)
        for other in accounts.all where other.accessKey != account.accessKey {
            let signature = V4CanonicalRequest.signature(
                text, secret: other.secretKey, claim, prefix: scheme.secretPrefix)
            if signature == claim.signature { return "secret: it is that of the access key \(other.accessKey)" }
        }
        return "unknown: the secret key or more than one component differs"
    }

    private func slips(_ claim: V4Claim, _ head: RequestHead) -> [Slip] {
        let rawPath = String(head.rawPath)
        let rawQuery = head.rawQuery.map { String($0) } ?? ""
        let isImplied = scheme.coverage == .implied
        let withoutBucket = Slip("path: signed without the bucket") {
            $0.path = "/" + $0.path.dropFirst().drop { $0 != "/" }.dropFirst()
        }
        // With a virtual host the path on the wire is that without the bucket, which is the better name for it.
        var slips = scheme.signsBucket ? [withoutBucket] : []
        slips += [
            Slip("host: signed without its port") { request in
                request.replace("host") { $0.split(separator: ":").first.map { String($0) } ?? $0 }
            },
            Slip("path: signed as it is on the wire, \(rawPath)") { $0.path = rawPath },
            Slip("path: signed without its encoding") {
                $0.path = PercentCoding.decodeText(rawPath) ?? rawPath
            },
            Slip("path: encoded twice") { $0.path = PercentCoding.encode($0.path.utf8, keepingSlash: true) },
            Slip("path: its slashes are encoded") {
                $0.path = "/" + PercentCoding.encode((PercentCoding.decode(rawPath.dropFirst()) ?? []))
            },
            withoutBucket,
            Slip("query: left out") { $0.query = "" },
            Slip("query: not sorted") { $0.query = rawQuery },
            Slip("query: empty values without their =") { request in
                let items = request.query.split(separator: "&").map { $0.hasSuffix("=") ? $0.dropLast() : $0 }
                request.query = items.joined(separator: "&")
            },
            Slip("query: empty values with a =") { request in
                let items = request.query.split(separator: "&").map { $0.contains("=") ? String($0) : $0 + "=" }
                request.query = items.joined(separator: "&")
            },
            Slip("query: blanks as +") {
                $0.query = $0.query.split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+")
            },
            Slip("secret: used without a prefix", prefix: ""),
        ]
        for prefix in ["AWS4", "TOS4", "aliyun_v4"] where prefix != scheme.secretPrefix {
            slips.append(Slip("secret: used with the prefix \(prefix)", prefix: prefix))
        }
        if isImplied { slips.append(Slip("additional headers: their list was left out") { $0.list = "" }) }
        for payload in [V4Claim.emptyPayload, V4Claim.unsignedPayload] where payload != claim.payload {
            slips.append(Slip("payload: signed as \(payload)") { $0.payload = payload })
        }
        for method in ["GET", "PUT", "POST", "HEAD", "DELETE"] where method != head.method {
            slips.append(Slip("method: signed as \(method)") { $0.method = method })
        }
        for item in rawQuery.split(separator: "&") {
            let name = String(item.prefix { $0 != "=" })
            slips.append(
                Slip("query \(name): sent but not signed") { request in
                    let items = request.query.split(separator: "&")
                    request.query = items.filter { $0 != name && !$0.hasPrefix(name + "=") }.joined(separator: "&")
                })
        }
        for name in scheme.signedNames(claim, head) where name != "host" {
            let isListed = claim.listedNames.contains(name)
            slips.append(
                Slip("header \(name): \(isListed ? "listed" : "sent") but not signed") { request in
                    request.headers.removeAll { $0.name == name }
                })
            slips.append(
                Slip("header \(name): signed with its blanks") { request in
                    request.replace(name) { _ in head.values(name).joined(separator: ",") }
                })
            slips.append(
                Slip("header \(name): signed without its percent-encoding") { request in
                    request.replace(name) { PercentCoding.decodeText($0) ?? $0 }
                })
            slips.append(Slip("header \(name): signed as empty") { $0.replace(name) { _ in "" } })
        }
        return slips
    }
}

extension V4CanonicalRequest {
    fileprivate mutating func replace(_ name: String, _ change: (String) -> String) {
        for index in headers.indices where headers[index].name == name {
            headers[index].value = change(headers[index].value)
        }
    }
}
