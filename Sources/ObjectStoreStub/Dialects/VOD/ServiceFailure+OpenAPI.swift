/// The refusals of the OpenAPI (VOD: common error codes; Alibaba Cloud: public error codes of the gateway).
extension ServiceFailure {
    static func missingParameter(_ name: String) -> ServiceFailure {
        ServiceFailure(400, "MissingParameter", "The parameter \(name) is mandatory for this action.")
    }

    static func invalidParameter(_ name: String, _ reason: String) -> ServiceFailure {
        ServiceFailure(400, "InvalidParameter", "The specified parameter \(name) is invalid: \(reason).")
    }

    static let noSuchVideo = ServiceFailure(404, "InvalidVideo.NotFound", "The video does not exist.")
    static let noSuchAction = ServiceFailure(
        404, "InvalidAction.NotFound", "The specified action is not found, check the URL and the method.")
    static let invalidVersion = ServiceFailure(400, "InvalidVersion", "The specified parameter Version is not valid.")
    static let unsupportedMethod = ServiceFailure(
        405, "UnsupportedHTTPMethod", "The HTTP method is not supported here.")
    static let unreadableQuery = ServiceFailure(400, "InvalidParameter", "The query cannot be decoded.")

    static let unknownAccessKey = ServiceFailure(
        404, "InvalidAccessKeyId.NotFound", "The specified access key is not found.")
    static let uploadKeysOnly = ServiceFailure(403, "Forbidden", "The keys are good for uploads alone.")
    static let expiredSecurityToken = ServiceFailure(
        400, "InvalidSecurityToken.Expired", "The specified SecurityToken is expired.")

    static func wrongSecurityToken(_ diagnosis: String) -> ServiceFailure {
        var failure = ServiceFailure(
            400, "InvalidSecurityToken.MismatchWithAccessKey",
            "The specified SecurityToken mismatches with the access key.")
        failure.diagnosis = diagnosis
        return failure
    }

    static let malformedTimeStamp = ServiceFailure(
        400, "InvalidTimeStamp.Format", "The specified time stamp is not well formatted.")

    static func expiredTimeStamp(_ text: String, server: String) -> ServiceFailure {
        var failure = ServiceFailure(
            400, "InvalidTimeStamp.Expired", "The specified time stamp or date value is expired.")
        failure.diagnosis = "the request is dated \(text), the server's clock says \(server)"
        return failure
    }

    static let usedNonce = ServiceFailure(
        400, "SignatureNonceUsed", "The specified signature nonce was used already.")

    static func incompleteSignature(_ message: String) -> ServiceFailure {
        var failure = ServiceFailure(400, "IncompleteSignature", message)
        failure.diagnosis = message
        return failure
    }

    static func wrongSignature(_ message: String, diagnosis: String) -> ServiceFailure {
        var failure = ServiceFailure(
            400, "SignatureDoesNotMatch", "The specified signature is not matched with our calculation. \(message)")
        failure.diagnosis = diagnosis
        return failure
    }
}
