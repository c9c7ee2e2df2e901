import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives
import TransferService

/// What failures of the layers below become, whatever the provider.
@Suite struct FailureContextTests {
    private let context = FailureContext(
        operation: "UploadPart", object: ObjectLocation(bucket: "b", key: "k"), part: 7, uploadID: "u")

    private func error(
        _ failure: any Error, means code: TransferError.Code = .conflict
    ) throws -> TransferError {
        try #require(context.error(failure, provider: "p") { _ in code } as? TransferError)
    }

    @Test func `an error says what it is about`() throws {
        let failure = ServiceFailure(
            status: 403, code: "X", message: "no", requestID: "r", hostID: "h", ec: "e", retry: .backoff, attempts: 2)
        let error = try error(failure)
        #expect(error.code == .conflict)
        #expect(error.message == "X: no")
        #expect(error.retry == .backoff)
        #expect(error.provider == "p")
        #expect(error.operation == "UploadPart")
        #expect(error.object == ObjectLocation(bucket: "b", key: "k"))
        #expect(error.part == 7)
        #expect(error.uploadID == "u")
        #expect(error.attempts == 2)
        #expect(
            error.service
                == ServiceInfo(status: 403, code: "X", message: "no", requestID: "r", hostID: "h", ec: "e"))
        #expect(error.underlying is ServiceFailure)
    }

    @Test func `what an error knows already stays`() throws {
        let known = TransferError(
            .diskFull, "full", operation: "o", provider: "q", object: ObjectLocation(bucket: "c", key: "l"), part: 1,
            uploadID: "v")
        let error = try error(known)
        #expect(error.operation == "o" && error.provider == "q" && error.part == 1 && error.uploadID == "v")
        #expect(error.object == ObjectLocation(bucket: "c", key: "l"))
    }

    @Test func `an argument that was refused is about no request`() throws {
        let error = try error(TransferError.invalidArgument("key", "is odd"))
        #expect(error.provider == "p")
        #expect(error.operation == nil && error.object == nil && error.part == nil && error.uploadID == nil)
    }

    @Test func `a success without a document is malformed, whatever else it means`() throws {
        #expect(try error(ServiceFailure(status: 200, retry: .backoff)).code == .malformedResponse)
        #expect(try error(ServiceFailure(status: 200, code: "X", retry: .backoff)).code == .conflict)
    }

    @Test(arguments: [
        (TransferError.Code.notFound, "there is no such object, version or bucket"),
        (.accessDenied, "access is denied"), (.crossRegion, "the bucket is reached at another endpoint"),
        (.preconditionFailed, "a condition of the request does not hold"),
        (.sourceChanged, "the source is no longer what it was"),
        (.refused, "the answer has status 418 and no document"),
    ])
    func `a refusal without words gets some`(code: TransferError.Code, message: String) throws {
        #expect(try error(ServiceFailure(status: 418, retry: .never), means: code).message == message)
    }

    @Test func `a copy that is too large names the call that does it`() throws {
        let context = FailureContext(operation: "CopyObject", object: ObjectLocation(bucket: "b", key: "k"))
        let failure = ServiceFailure(status: 400, code: "EntityTooLarge", message: "no", retry: .never)
        let copy = context.error(failure, provider: "p") { _ in .tooLarge } as? TransferError
        #expect(copy?.message == "EntityTooLarge: no; resumableCopyObject copies it in parts")
        #expect(try error(failure, means: .tooLarge).message == "EntityTooLarge: no")
    }

    @Test func `the pause that the service asked for is passed on`() throws {
        let failure = ServiceFailure(status: 429, retry: .throttled, retryAfter: .seconds(7))
        #expect(try error(failure).retry == .after(.seconds(7)))
    }

    @Test(arguments: [RetryAdvice.never, .refreshCredentials, .adjustClock, .restartUpload])
    func `no pause helps where repeating does not`(advice: RetryAdvice) throws {
        let failure = ServiceFailure(status: 403, retry: advice, retryAfter: .seconds(7))
        #expect(try error(failure).retry == advice)
    }

    @Test func `cancellation passes as it is`() {
        #expect(context.error(CancellationError(), provider: "p") { _ in .refused } is CancellationError)
    }

    @Test(arguments: [
        (TransportFailure.Kind.resolve, TransferError.Code.hostNotFound), (.connect, .connectionFailed),
        (.connectTimeout, .timedOut), (.tls, .tlsFailed), (.certificate, .tlsFailed), (.proxy, .proxyFailed),
        (.idle, .timedOut), (.deadline, .timedOut), (.send, .connectionFailed), (.receive, .connectionFailed),
        (.emptyReply, .connectionFailed), (.partialBody, .connectionFailed), (.malformed, .malformedResponse),
        (.tooLarge, .malformedResponse), (.bodySource, .fileUnreadable), (.sink, .fileUnwritable),
        (.shutdown, .disposed), (.other, .connectionFailed),
    ])
    func `an exchange without an answer has a code`(kind: TransportFailure.Kind, code: TransferError.Code) throws {
        let failure = TransportFailure(kind, operation: "UploadPart", host: "h", message: "m", attempts: 3)
        let error = try error(failure)
        #expect(error.code == code)
        #expect(error.attempts == 3)
        #expect(error.retry == failure.retry)
    }

    @Test func `a source's own error comes through`() throws {
        let inner = TransferError(.diskFull, "full")
        let failure = TransportFailure(
            .sink, operation: "GetObject", host: "h", message: "m", attempts: 4, underlying: inner)
        let error = try error(failure)
        #expect(error.code == .diskFull)
        #expect(error.attempts == 4)
        #expect(error.part == 7)
    }

    @Test func `credentials that cannot be had or sent are the credentials' fault`() throws {
        struct Outage: Error {}
        let unavailable = try error(CredentialsFailure.provider(Outage()))
        #expect(unavailable.code == .credentialsUnavailable)
        #expect(unavailable.underlying is Outage)
        #expect(try error(CredentialsFailure.timedOut(.seconds(60))).code == .credentialsUnavailable)
        #expect(try error(CredentialsFailure.shutDown).code == .disposed)
        let unsendable = try error(HTTPHeaderError(name: "x-token", reason: .value))
        #expect(unsendable.code == .credentialsInvalid)
    }

    @Test func `a denial that carries no mark of the service is from elsewhere`() {
        #expect(ServiceFailure(status: 403, retry: .never).isFromIntermediary)
        #expect(!ServiceFailure(status: 403, requestID: "r", retry: .never).isFromIntermediary)
        #expect(!ServiceFailure(status: 403, code: "X", retry: .never).isFromIntermediary)
        #expect(!ServiceFailure(status: 409, retry: .never).isFromIntermediary)
    }
}
