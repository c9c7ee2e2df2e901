internal import TransferCore
internal import TransferPrimitives

/// What a refusal means: what happened, and whether repeating can help (TOS: spec section 8.2; S3: "Error responses"). The
/// services share most codes, and none means one thing here and another there.
///
/// The service's code decides where there is one, for one status stands for many codes; the status decides the rest. EC
/// values are for people, with the one exception that TOS itself makes.
struct FailureClass: Hashable {
    let code: TransferError.Code
    let retry: RetryAdvice

    init(_ code: TransferError.Code, _ retry: RetryAdvice = .never) {
        self.code = code
        self.retry = retry
    }

    init(status: Int, serviceCode: String?, ec: String?) {
        if let serviceCode, let known = Self.byCode[serviceCode] {
            self = known
        } else if let serviceCode, serviceCode.hasPrefix("Exceed"), serviceCode.hasSuffix("Limit") {
            // ExceedQPSLimit, ExceedBucketRateLimit and their many kin.
            self = Self.throttled
        } else if status == 400, ec == "0005-00000044" {
            self = Self.unavailable
        } else {
            self = Self.byStatus(status)
        }
    }

    private static let throttled = FailureClass(.throttled, .throttled)
    private static let unavailable = FailureClass(.serviceUnavailable, .backoff)

    private static func byStatus(_ status: Int) -> FailureClass {
        switch status {
        // A late failure: the status line was sent before the service knew.
        case 200..<203, 204..<300: unavailable
        case 203: FailureClass(.storedCallbackFailed)
        case 304, 412: FailureClass(.preconditionFailed)
        case 300..<400: FailureClass(.crossRegion)
        case 401, 403: FailureClass(.accessDenied)
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
        add(.uploadNotFound, .restartUpload, "NoSuchUpload")
        add(.notFound, .never, "NoSuchBucket", "NoSuchKey", "NoSuchVersion", "SourceObjectNotFound", "InvalidVersionId")
        add(
            .crossRegion, .never, "InvalidCrossRegionCopy", "CrossRegionAccessError", "PermanentRedirect",
            "TemporaryRedirect")
        add(
            .invalidPart, .never, "InvalidPart", "InvalidPartOrder", "PartsIdxSmall", "PartsLenInvalid", "NoUploadPart",
            "InvalidPartNumber", "PartSizeNotMatch", "EntityTooSmall", "PartSizeSmall")
        add(.tooLarge, .never, "EntityTooLarge")
        add(.preconditionFailed, .never, "PreconditionFailed", "NotModified")
        add(.accessDenied, .never, "AccessDenied", "ForbiddenAccess", "SourceObjectAccessDenied")
        add(.credentialsInvalid, .refreshCredentials, "InvalidAccessKeyId")
        add(
            .credentialsExpired, .refreshCredentials, "ExpiredToken", "InvalidSecurityToken", "SecurityTokenExpired",
            "InvalidToken", "TokenRefreshRequired")
        add(
            .signatureMismatch, .never, "SignatureDoesNotMatch", "AuthorizationHeaderMalformed",
            "AuthorizationQueryParametersError")
        add(.clockSkew, .adjustClock, "RequestTimeTooSkewed")
        add(.throttled, .throttled, "TooManyRequests", "SlowDown", "ConcurrencyUpdateObjectLimit")
        // MinIO tells readers from writers.
        add(.throttled, .throttled, "SlowDownRead", "SlowDownWrite")
        add(
            .serviceUnavailable, .backoff, "InternalError", "ServiceUnavailable", "RequestTimeout", "TryAgain",
            "Timeout", "IncompleteBody")
        // The upload is being completed, or is complete: asking again tells.
        add(
            .conflict, .backoff, "UploadStatusMismatch", "UploadStatusNotUploading", "DuplicateUpload",
            "OperationAborted")
        add(.conflict, .never, "BucketAlreadyExists", "BucketAlreadyOwnedByYou")
        add(.storedCallbackFailed, .never, "CallbackFailed")
        // A 403 that is no denial: the object can be copied once it is restored.
        add(.sourceArchived, .never, "InvalidObjectState", "ObjectNotRestored", "InActiveTier")
        add(.methodNotAllowed, .never, "MethodNotAllowed")
        // A server that has less than all of S3 says so by a 501, every time.
        add(.unsupported, .never, "NotImplemented")
        // A 403 of the addressing, not of the permissions.
        add(.refused, .never, "InvalidPathAccess")
        add(.checksumMismatch, .backoff, "BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch")
        return table
    }()
}
