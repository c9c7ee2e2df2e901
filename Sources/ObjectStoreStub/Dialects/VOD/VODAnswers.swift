#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How the OpenAPI and the application server answer: JSON, with a request id in document and head.
struct VODAnswers: Sendable {
    static let requestIDField = "x-acs-request-id"

    let requestID: String
    let hostID: String
    let now: Date

    func success(_ permit: VODPermit) -> WireAnswer { answer(permit.document(requestID: requestID), status: 200) }

    func refusal(_ failure: ServiceFailure) -> WireAnswer {
        var answer = answer(
            .object([
                ("RequestId", .string(requestID)), ("HostId", .string(hostID)), ("Code", .string(failure.code)),
                ("Message", .string(failure.message)),
            ]), status: failure.status)
        answer.fields += failure.fields
        answer.code = failure.code
        return answer
    }

    private func answer(_ document: JSONText, status: Int) -> WireAnswer {
        WireAnswer(
            status: status,
            fields: [
                WireAnswer.Field(name: "Date", value: WireDate.header(now)),
                WireAnswer.Field(name: "Content-Type", value: "application/json;charset=utf-8"),
                WireAnswer.Field(name: Self.requestIDField, value: requestID),
            ], body: document.bytes)
    }
}

extension ObjectStorage {
    /// A request id in the form of the OpenAPI, such as `25818875-5F78-4AF6-D7D3-92E1AB27C904`.
    func newRequestID() -> String {
        let digits = (newID() + newID()).uppercased()
        var rest = digits[...]
        let groups = [8, 4, 4, 4, 12].map { length in
            defer { rest = rest.dropFirst(length) }
            return rest.prefix(length)
        }
        return groups.joined(separator: "-")
    }
}
