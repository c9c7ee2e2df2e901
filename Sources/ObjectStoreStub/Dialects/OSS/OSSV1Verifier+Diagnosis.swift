import TransferPrimitives

extension OSSV1Verifier {
    private typealias Mistake = SigningMistake<OSSV1StringToSign>

    /// Which component the client signed differently.
    func diagnosis(
        _ signed: OSSV1StringToSign, _ claim: OSSV1Claim, _ account: StubAccount, _ head: RequestHead,
        _ query: QueryItems
    ) -> String {
        let mistakes = resourceMistakes(head, query) + lineMistakes(signed, head)
        return accounts.diagnosis(of: signed, by: account, among: mistakes) { signed, secret in
            ConstantTime.isEqual(signed.signature(secret), claim.signature)
        }
    }

    private func resourceMistakes(_ head: RequestHead, _ query: QueryItems) -> [Mistake] {
        var mistakes = [
            Mistake("resource: signed without the bucket") {
                $0.resource = "/" + $0.resource.dropFirst().drop { $0 != "/" }.dropFirst()
            },
            Mistake("resource: its key is percent-encoded") {
                $0.resource = PercentCoding.encode($0.resource.utf8, keepingSlash: true)
            },
            Mistake("query: left out") { $0.parameters = [] },
            Mistake("query: values are percent-encoded") { signed in
                signed.parameters = signed.parameters.map { ($0.name, PercentCoding.encode($0.value.utf8)) }
            },
            Mistake("query: not sorted") { signed in
                signed.parameters = query.items.filter { OSSV1StringToSign.isSigned($0.name) }
            },
            Mistake("query: parameters are signed that should not be") { signed in
                let names = ["OSSAccessKeyId", "Expires", "Signature"]
                signed.parameters = query.items.filter { !names.contains($0.name) }.sorted { $0.name < $1.name }
            },
        ]
        for item in query.items where OSSV1StringToSign.isSigned(item.name) {
            mistakes.append(
                Mistake("query \(item.name): sent but not signed") { $0.parameters.removeAll { $0.name == item.name } })
        }
        return mistakes
    }

    private func lineMistakes(_ signed: OSSV1StringToSign, _ head: RequestHead) -> [Mistake] {
        var mistakes = [
            Mistake("content-type: sent but not signed") { $0.contentType = "" },
            Mistake("content-md5: sent but not signed") { $0.contentMD5 = "" },
            Mistake("date: signed as empty") { $0.date = "" },
        ]
        if let date = head.value("date") {
            mistakes.append(Mistake("date: that of Date is signed in place of x-oss-date") { $0.date = date })
        }
        for method in ["GET", "PUT", "POST", "HEAD", "DELETE"] where method != head.method {
            mistakes.append(Mistake("method: signed as \(method)") { $0.method = method })
        }
        for header in signed.headers {
            mistakes.append(
                Mistake("header \(header.name): sent but not signed") {
                    $0.headers.removeAll { $0.name == header.name }
                })
        }
        return mistakes
    }
}
