extension V4Scheme {
    static let aws4 = V4Scheme(
        algorithm: "AWS4-HMAC-SHA256", headerPrefix: "x-amz-",
        query: QueryNames(
            algorithm: "X-Amz-Algorithm", credential: "X-Amz-Credential", date: "X-Amz-Date", expires: "X-Amz-Expires",
            headers: "X-Amz-SignedHeaders", token: "X-Amz-Security-Token", payload: "X-Amz-Content-Sha256",
            signature: "X-Amz-Signature"),
        headerList: "SignedHeaders", coverage: .listed, signsBucket: false, leavesOutEmptyValues: false,
        defaultPayload: V4Claim.unsignedPayload, secretPrefix: "AWS4", service: "s3", terminator: "aws4_request",
        refusal: { malformation, isPresigned in
            let code = isPresigned ? "AuthorizationQueryParametersError" : "AuthorizationHeaderMalformed"
            let place = isPresigned ? "query parameters of the signature are" : "authorization header is"
            var failure = ServiceFailure(400, code, "The \(place) malformed.")
            switch malformation {
            case .form: break
            case .date: failure.message = "The \(place) malformed; the scope's date is not that of the request."
            case .region(let region, let expected):
                failure.message = "The \(place) malformed; the region '\(region)' is wrong; expecting '\(expected)'."
                failure.details = [("Region", expected)]
            case .service: failure.message = "The \(place) malformed; the scope must end in s3/aws4_request."
            }
            return failure
        })
}
