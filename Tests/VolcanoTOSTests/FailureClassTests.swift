import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives
import TransferService

@testable import S3Wire
@testable import VolcanoTOS

/// Spec section 8.2: what refusals mean.
@Suite struct FailureClassTests {
    private static let table: [(Int, String, TransferError.Code, RetryAdvice)] = [
        (404, "NoSuchUpload", .uploadNotFound, .restartUpload), (404, "NoSuchKey", .notFound, .never),
        (404, "NoSuchBucket", .notFound, .never), (404, "SourceObjectNotFound", .notFound, .never),
        (403, "AccessDenied", .accessDenied, .never), (403, "SourceObjectAccessDenied", .accessDenied, .never),
        (403, "ForbiddenAccess", .accessDenied, .never), (405, "MethodNotAllowed", .methodNotAllowed, .never),
        (403, "ExpiredToken", .credentialsExpired, .refreshCredentials),
        (400, "InvalidSecurityToken", .credentialsExpired, .refreshCredentials),
        (403, "InvalidAccessKeyId", .credentialsInvalid, .refreshCredentials),
        (403, "SignatureDoesNotMatch", .signatureMismatch, .never),
        (403, "RequestTimeTooSkewed", .clockSkew, .adjustClock),
        (403, "InvalidObjectState", .sourceArchived, .never), (403, "ObjectNotRestored", .sourceArchived, .never),
        (403, "InActiveTier", .sourceArchived, .never), (403, "InvalidPathAccess", .refused, .never),
        (400, "InvalidCrossRegionCopy", .crossRegion, .never), (301, "PermanentRedirect", .crossRegion, .never),
        (400, "InvalidPart", .invalidPart, .never), (400, "EntityTooSmall", .invalidPart, .never),
        (400, "EntityTooLarge", .tooLarge, .never), (412, "PreconditionFailed", .preconditionFailed, .never),
        (429, "ExceedQPSLimit", .throttled, .throttled), (429, "ExceedBucketRateLimit", .throttled, .throttled),
        (503, "ExceedAccountQPSLimit", .throttled, .throttled), (503, "SlowDown", .throttled, .throttled),
        (503, "SlowDownWrite", .throttled, .throttled),
        (429, "TooManyRequests", .throttled, .throttled), (500, "InternalError", .serviceUnavailable, .backoff),
        (408, "RequestTimeout", .serviceUnavailable, .backoff), (409, "UploadStatusMismatch", .conflict, .backoff),
        (203, "CallbackFailed", .storedCallbackFailed, .never), (400, "MetadataTooLarge", .refused, .never),
        (501, "NotImplemented", .unsupported, .never),
        // A late failure: the code decides, and one that nobody knows is as transient as a 500.
        (200, "AccessDenied", .accessDenied, .never), (200, "SlowDown", .throttled, .throttled),
        (200, "SomethingNew", .serviceUnavailable, .backoff),
    ]

    @Test(arguments: table.indices)
    func `the service's code decides`(row: Int) {
        let (status, serviceCode, code, retry) = Self.table[row]
        let kind = FailureClass(status: status, serviceCode: serviceCode, ec: nil)
        #expect(kind == FailureClass(code, retry), "\(status) \(serviceCode)")
    }

    private static let statuses: [(Int, TransferError.Code, RetryAdvice)] = [
        (304, .preconditionFailed, .never), (307, .crossRegion, .never), (400, .refused, .never),
        (401, .accessDenied, .never), (403, .accessDenied, .never), (404, .notFound, .never),
        (405, .methodNotAllowed, .never), (407, .proxyFailed, .never), (408, .serviceUnavailable, .backoff),
        (409, .conflict, .never), (412, .preconditionFailed, .never), (413, .tooLarge, .never),
        (416, .refused, .never), (429, .throttled, .throttled), (500, .serviceUnavailable, .backoff),
        (599, .serviceUnavailable, .backoff), (200, .serviceUnavailable, .backoff),
    ]

    @Test(arguments: statuses.indices)
    func `without a code the status decides`(row: Int) {
        let (status, code, retry) = Self.statuses[row]
        #expect(FailureClass(status: status, serviceCode: nil, ec: nil) == FailureClass(code, retry), "\(status)")
    }

    @Test func `one 400 is transient, by its EC`() {
        #expect(FailureClass(status: 400, serviceCode: "X", ec: "0005-00000044").retry == .backoff)
        #expect(FailureClass(status: 403, serviceCode: "X", ec: "0005-00000044").retry == .never)
        #expect(FailureClass(status: 400, serviceCode: "X", ec: "0005-00000045").retry == .never)
    }

    private let context = FailureContext(
        operation: .uploadPartCopy, object: ObjectLocation(bucket: "b", key: "k"), part: 7, uploadID: "u")

    private func error(_ failure: any Error, _ context: FailureContext) throws -> TransferError {
        try #require(context.error(failure, .test) as? TransferError)
    }

    @Test func `an error says what it is about`() throws {
        let error = try error(
            ServiceFailure(
                status: 403, code: "AccessDenied", message: "no", requestID: "r", hostID: "h", ec: "e", retry: .never,
                attempts: 2), context)
        #expect(error.code == .accessDenied)
        #expect(error.operation == "UploadPartCopy")
        #expect(error.provider == "tos")
        #expect(error.object == ObjectLocation(bucket: "b", key: "k"))
        #expect(error.part == 7)
        #expect(error.uploadID == "u")
        #expect(error.attempts == 2)
        #expect(
            error.service
                == ServiceInfo(status: 403, code: "AccessDenied", message: "no", requestID: "r", hostID: "h", ec: "e"))
    }

    @Test func `a failed precondition of a guarded source means that it changed`() throws {
        let failure = ServiceFailure(status: 412, code: "PreconditionFailed", retry: .never)
        var guarded = context
        guarded.guardsSource = true
        #expect(try error(failure, guarded).code == .sourceChanged)
        #expect(try error(failure, context).code == .preconditionFailed)
    }

    @Test func `a denial that carries no mark of TOS is none`() throws {
        let fromProxy = ServiceFailure(status: 403, message: "blocked", retry: .never)
        #expect(try error(fromProxy, context).code == .refused)
        let head = FailureContext(operation: .headObject, object: context.object)
        #expect(try error(fromProxy, head).code == .accessDenied)
        #expect(try error(ServiceFailure(status: 403, requestID: "r", retry: .never), context).code == .accessDenied)
    }
}
