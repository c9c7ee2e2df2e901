internal import TransferCore
internal import TransferPrimitives

/// What a refusal of OSS means: what happened, and whether repeating can help (spec section 4.2).
///
/// The service's code decides where there is one, for one status stands for many codes; the status decides the rest.
struct FailureClass: Hashable {
    let code: TransferError.Code
    let retry: RetryAdvice

    init(_ code: TransferError.Code, _ retry: RetryAdvice = .never) {
        self.code = code
        self.retry = retry
    }

    init(status: Int, serviceCode: String?, message: String? = nil) {
        if serviceCode == "InvalidArgument", message?.hasPrefix("Invalid signing date in Authorization header") == true
        {
            // The V4 form of RequestTimeTooSkewed.
            self.init(.clockSkew, .adjustClock)
        } else if Self.isWrongRegion(serviceCode: serviceCode, message: message) {
            self.init(.signatureMismatch)
        } else if let serviceCode, let known = Self.byCode[serviceCode] {
            self = known
        } else if status == 503, serviceCode?.hasSuffix("LimitExceeded") == true {
            self = Self.throttled
        } else {
            self = Self.byStatus(status)
        }
    }

    /// Whether the signature is for another region than that of the endpoint.
    static func isWrongRegion(serviceCode: String?, message: String?) -> Bool {
        serviceCode == "InvalidArgument" && message?.hasPrefix("Invalid signing region in Authorization header") == true
    }

    private static let throttled = FailureClass(.throttled, .throttled)
    private static let unavailable = FailureClass(.serviceUnavailable, .backoff)

    private static func byStatus(_ status: Int) -> FailureClass {
        switch status {
        // A late failure: the status line was sent before the service knew.
        case 200..<203, 204..<300: unavailable
        case 203: FailureClass(.storedCallbackFailed)
        case 304, 412: FailureClass(.preconditionFailed)
        case 401: FailureClass(.accessDenied, .backoff)
        case 403: FailureClass(.accessDenied)
        case 404: FailureClass(.notFound)
        case 405: FailureClass(.methodNotAllowed)
        case 407: FailureClass(.proxyFailed)
        case 408: unavailable
        case 409: FailureClass(.conflict)
        case 413: FailureClass(.tooLarge)
        case 429: throttled
        case 500...: unavailable
        default: FailureClass(.refused)
        }
    }

    private static let byCode: [String: FailureClass] = {
        var table: [String: FailureClass] = [:]
        func add(_ code: TransferError.Code, _ retry: RetryAdvice = .never, _ names: String...) {
            for name in names { table[name] = FailureClass(code, retry) }
        }
        add(.credentialsExpired, .refreshCredentials, "SecurityTokenExpired", "InvalidSecurityToken")
        // Also the answer to an expired temporary key, and to a key and a token of two credentials.
        add(
            .credentialsInvalid, .refreshCredentials, "InvalidAccessKeyId", "AccessKeyIdAndSecurityTokenNotMatch")
        add(.credentialsInvalid, .never, "SecurityTokenNotSupported")
        add(.signatureMismatch, .never, "SignatureDoesNotMatch")
        add(.clockSkew, .adjustClock, "RequestTimeTooSkewed")
        add(.accessDenied, .never, "AccessDenied")
        add(.uploadNotFound, .restartUpload, "NoSuchUpload")
        add(.notFound, .never, "NoSuchBucket", "NoSuchKey", "NoSuchVersion")
        add(.invalidPart, .never, "InvalidPart", "InvalidPartOrder", "EntityTooSmall")
        add(.tooLarge, .never, "EntityTooLarge")
        add(.checksumMismatch, .backoff, "InvalidDigest")
        add(
            .preconditionFailed, .never, "PreconditionFailed", "NotModified", "FileAlreadyExists", "ObjectAlreadyExists"
        )
        add(
            .conflict, .never, "BucketAlreadyExists", "FileImmutable", "PositionNotEqualToLength",
            "ObjectNotAppendable",
            "PartNotSequential")
        // A 403 that is no denial: the object can be read once it is restored.
        add(.sourceArchived, .never, "InvalidObjectState")
        add(.methodNotAllowed, .never, "MethodNotAllowed")
        // Denials of the address or the account, not of the permissions.
        add(.refused, .never, "SecondLevelDomainForbidden", "TransferAccelerationDisabled", "UserDisable")
        add(
            .refused, .never, "MalformedXML", "InvalidArgument", "InvalidObjectName", "InvalidBucketName",
            "InvalidRange")
        add(.refused, .backoff, "BadRequest")
        add(.storedCallbackFailed, .never, "CallbackFailed")
        add(.throttled, .throttled, "SlowDown", "TooManyRequests")
        add(.serviceUnavailable, .backoff, "InternalError", "ServiceUnavailable", "RequestTimeout")
        return table
    }()
}
