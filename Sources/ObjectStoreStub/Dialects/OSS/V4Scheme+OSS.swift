extension V4Scheme {
    static let oss4 = V4Scheme(
        algorithm: "OSS4-HMAC-SHA256", headerPrefix: "x-oss-",
        query: QueryNames(
            algorithm: "x-oss-signature-version", credential: "x-oss-credential", date: "x-oss-date",
            expires: "x-oss-expires", headers: "x-oss-additional-headers", token: "x-oss-security-token",
            payload: "x-oss-content-sha256", signature: "x-oss-signature"),
        headerList: "AdditionalHeaders", coverage: .implied, signsBucket: true, leavesOutEmptyValues: true,
        defaultPayload: V4Claim.unsignedPayload, secretPrefix: "aliyun_v4", service: "oss",
        terminator: "aliyun_v4_request",
        refusal: { malformation, isPresigned in
            let place = isPresigned ? "the query" : "Authorization header"
            return switch malformation {
            case .form: .oss(400, "InvalidArgument", "The signature in \(place) is malformed.")
            case .date: .oss(400, "InvalidArgument", "Invalid signing date in \(place).")
            case .region:
                .oss(400, "InvalidArgument", "Invalid signing region in \(place).", ec: "0002-00000226")
            case .service:
                .oss(400, "InvalidArgument", "Invalid signing product in \(place).", ec: "0002-00000227")
            }
        })
}
