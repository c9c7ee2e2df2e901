extension OSSV1Verifier {
    private struct Slip {
        let component: String
        let change: (inout OSSV1StringToSign) -> Void

        init(_ component: String, _ change: @escaping (inout OSSV1StringToSign) -> Void) {
            self.component = component
            self.change = change
        }
    }

    /// Which component the client signed differently, found by trying the slips that clients are known to make.
    func diagnosis(
        _ signed: OSSV1StringToSign, _ claim: OSSV1Claim, _ account: StubAccount, _ head: RequestHead,
        _ query: QueryItems
    ) -> String {
        for slip in resourceSlips(head, query) + lineSlips(signed, head) {
            var changed = signed
            slip.change(&changed)
            if changed.signature(account.secretKey) == claim.signature { return slip.component }
        }
        for other in accounts.all where other.accessKey != account.accessKey {
            if signed.signature(other.secretKey) == claim.signature {
                return "secret: it is that of the access key \(other.accessKey)"
            }
        }
        return "unknown: the secret key or more than one component differs"
    }

    private func resourceSlips(_ head: RequestHead, _ query: QueryItems) -> [Slip] {
        var slips = [
            Slip("resource: signed without the bucket") {
                $0.resource = "/" + $0.resource.dropFirst().drop { $0 != "/" }.dropFirst()
            },
            Slip("resource: its key is percent-encoded") {
                $0.resource = PercentCoding.encode($0.resource.utf8, keepingSlash: true)
            },
            Slip("query: left out") { $0.parameters = [] },
            Slip("query: values are percent-encoded") { signed in
                signed.parameters = signed.parameters.map { ($0.name, PercentCoding.encode($0.value.utf8)) }
            },
            Slip("query: not sorted") { signed in
                signed.parameters = query.items.filter { OSSV1StringToSign.isSigned($0.name) }
            },
            Slip("query: parameters are signed that should not be") { signed in
                let names = ["OSSAccessKeyId", "Expires", "Signature"]
                signed.parameters = query.items.filter { !names.contains($0.name) }.sorted { $0.name < $1.name }
            },
        ]
        for item in query.items where OSSV1StringToSign.isSigned(item.name) {
            slips.append(
                Slip("query \(item.name): sent but not signed") { $0.parameters.removeAll { $0.name == item.name } })
        }
        return slips
    }

    private func lineSlips(_ signed: OSSV1StringToSign, _ head: RequestHead) -> [Slip] {
        var slips = [
            Slip("content-type: sent but not signed") { $0.contentType = "" },
            Slip("content-md5: sent but not signed") { $0.contentMD5 = "" },
            Slip("date: signed as empty") { $0.date = "" },
        ]
        if let date = head.value("date") {
            slips.append(Slip("date: that of Date is signed in place of x-oss-date") { $0.date = date })
        }
        for method in ["GET", "PUT", "POST", "HEAD", "DELETE"] where method != head.method {
            slips.append(Slip("method: signed as \(method)") { $0.method = method })
        }
        for header in signed.headers {
            slips.append(
                Slip("header \(header.name): sent but not signed") { $0.headers.removeAll { $0.name == header.name } })
        }
        return slips
    }
}
