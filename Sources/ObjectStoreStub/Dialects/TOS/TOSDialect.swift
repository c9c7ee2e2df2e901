#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// TOS on its native endpoint: JSON documents, `x-tos-` headers, TOS4-HMAC-SHA256.
struct TOSDialect: ObjectDialect {
    let name = "tos"
    let requestIDField = "x-tos-request-id"

    func recognises(_ head: RequestHead) -> Bool {
        head.fields.contains {
            $0.name.hasPrefix("x-tos-") || ($0.name == "authorization" && $0.value.hasPrefix("TOS4-"))
        }
            || head.target.contains("X-Tos-")
    }

    func open(_ head: RequestHead, _ server: ServerContext) -> any DialectExchange {
        ObjectExchange(self, head, server)
    }

    func readAddress(_ head: RequestHead, _ server: ServerContext) throws(ServiceFailure) -> ObjectAddress {
        let style = Addressing(server.configuration).style(host: head.hostName) { label in
            label.hasPrefix("tos-") && !label.hasPrefix("tos-s3-")
        }
        let address = try Addressing.address(rawPath: head.rawPath, style: style)
        guard !address.bucket.isEmpty else { throw .notImplemented }
        return address
    }

    func verify(
        _ head: RequestHead, _ address: ObjectAddress, _ server: ServerContext, at now: Date
    ) throws(ServiceFailure) -> String? {
        try V4Verifier(
            scheme: .tos4, region: server.configuration.region, accounts: server.accounts,
            allowedSkew: server.configuration.allowedSkew
        ).verify(head, address, at: now)
    }

    func rules(_ configuration: StubConfiguration) -> ServiceRules {
        ServiceRules(
            region: configuration.region, minimumPartLength: 5 << 20, maximumCopyLength: 5 << 30,
            maximumPartLength: 5 << 30)
    }

    func sessionToken(_ head: RequestHead) -> String? {
        head.value(V4Scheme.tos4.tokenHeader) ?? QueryItems(head.rawQuery)?["X-Tos-Security-Token"]
    }

    func commonFields(requestID: String, at now: Date) -> [WireAnswer.Field] {
        [
            WireAnswer.Field(name: "Server", value: "TosServer"),
            WireAnswer.Field(name: "Date", value: WireDate.header(now)),
            WireAnswer.Field(name: "x-tos-request-id", value: requestID),
            WireAnswer.Field(name: "x-tos-id-2", value: "stub-" + requestID.suffix(8)),
            WireAnswer.Field(name: "x-tos-server-time", value: "1"),
        ]
    }
}
