extension V4Scheme {
    static let tos4 = V4Scheme(
        algorithm: "TOS4-HMAC-SHA256", headerPrefix: "x-tos-",
        query: QueryNames(
            algorithm: "X-Tos-Algorithm", credential: "X-Tos-Credential", date: "X-Tos-Date", expires: "X-Tos-Expires",
            headers: "X-Tos-SignedHeaders", token: "X-Tos-Security-Token", payload: "X-Tos-Content-Sha256",
            signature: "X-Tos-Signature"),
        headerList: "SignedHeaders", coverage: .listed, signsBucket: false, leavesOutEmptyValues: false,
        defaultPayload: V4Claim.emptyPayload, secretPrefix: "", service: "tos", terminator: "request",
        refusal: { malformation, isPresigned in
            let code = isPresigned ? "AuthorizationQueryParametersError" : "AuthorizationHeaderMalformed"
            let message =
                switch malformation {
                case .form where isPresigned: "The query parameters of the signature are malformed."
                case .form: "The authorization header is malformed."
                case .date: "The scope's date is not that of the request."
                case .region(let region, let expected): "The region \(region) is wrong; expecting \(expected)."
                case .service: "The scope must end in tos/request."
                }
            return ServiceFailure(400, code, message)
        })
}
