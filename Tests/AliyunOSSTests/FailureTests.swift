import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives
import TransferService

@testable import AliyunOSS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Spec section 4: what refusals say and mean.
@Suite struct FailureTests {
    private func failure(
        _ status: Int, _ body: String = "", type: String = "application/xml", _ headers: [(String, String)] = []
    ) throws -> ServiceFailure {
        try #require(OSSFailureReader().failure(in: .oss(status, body, type: type, headers)))
    }

    private static let document = """
        <?xml version="1.0" encoding="UTF-8"?>
        <Error>
          <Code>NoSuchKey</Code>
          <Message>The specified key does not exist.</Message>
          <RequestId>6587C1F3A1B2C3D4E5F60718</RequestId>
          <HostId>examplebucket.oss-cn-shanghai.aliyuncs.com</HostId>
          <Key>video/a.mp4</Key>
          <EC>0026-00000001</EC>
          <RecommendDoc>https://api.aliyun.com/troubleshoot?q=0026-00000001</RecommendDoc>
        </Error>
        """

    @Test func `an error document is read`() throws {
        let failure = try failure(404, Self.document)
        #expect(failure.code == "NoSuchKey")
        #expect(failure.message == "The specified key does not exist.")
        #expect(failure.requestID == "6587C1F3A1B2C3D4E5F60718")
        #expect(failure.hostID == "examplebucket.oss-cn-shanghai.aliyuncs.com")
        #expect(failure.ec == "0026-00000001")
        #expect(failure.retry == .never)
    }

    @Test(arguments: [
        "<Error><Code>NoSuchKey</Code></Error>", "\r\n \u{FEFF}<Error><Code>\n NoSuchKey\n</Code></Error>",
        "<error><code>NoSuchKey</code></error>",
        "<Error><Code><![CDATA[NoSuchKey]]></Code><New><Code>x</Code></New></Error>",
        "<o:Error xmlns:o='http://doc.oss-cn-hangzhou.aliyuncs.com'><o:Code>NoSuchKey</o:Code></o:Error>",
        "<Error><Message>m</Message><Code>NoSuchKey</Code><Code>Second</Code></Error>",
    ])
    func `a bent document is read as far as it goes`(body: String) throws {
        let failure = try failure(404, body)
        #expect(failure.code == "NoSuchKey")
        // What the body lacks comes from the headers.
        #expect(failure.requestID == "request-1")
    }

    @Test func `a line break inside a member is no part of it`() throws {
        #expect(
            try failure(403, "<Error><Code>AccessDenied</Code><EC>0003-00000001\n</EC></Error>").ec == "0003-00000001")
    }

    @Test(arguments: [
        #"{"Error":{"Code":"NoSuchBucket","Message":"m","RequestId":"r","EC":"e","Extra":{"a":1}}}"#,
        #"{"Code":"NoSuchBucket","Message":"m","RequestId":"r","EC":"e","Status":404}"#,
    ])
    func `the variant in JSON is read alike`(body: String) throws {
        let failure = try failure(404, body, type: "application/json")
        #expect(
            failure.code == "NoSuchBucket" && failure.message == "m" && failure.requestID == "r" && failure.ec == "e")
    }

    private static let header = """
        PD94bWwgdmVyc2lvbj0iMS4wIiBlbmNvZGluZz0iVVRGLTgiPz4KPEVycm9yPgogIDxDb2RlPk5vU3VjaEtleTwvQ29kZT4KICA8TWVzc2FnZT5UaGUgc3\
        BlY2lmaWVkIGtleSBkb2VzIG5vdCBleGlzdC48L01lc3NhZ2U+CiAgPFJlcXVlc3RJZD42NTg3QzFGM0ExQjJDM0Q0RTVGNjA3MTg8L1JlcXVlc3RJZD4K\
        ICA8SG9zdElkPmV4YW1wbGVidWNrZXQub3NzLWNuLXNoYW5naGFpLmFsaXl1bmNzLmNvbTwvSG9zdElkPgogIDxLZXk+dmlkZW8vYS5tcDQ8L0tleT4KIC\
        A8RUM+MDAyNi0wMDAwMDAwMTwvRUM+CjwvRXJyb3I+Cg==
        """

    @Test(arguments: ["x-oss-err", "x-oss-error"])
    func `HEAD has its document in a header`(name: String) throws {
        let failure = try failure(404, "", [(name, Self.header)])
        #expect(failure.code == "NoSuchKey")
        #expect(failure.requestID == "6587C1F3A1B2C3D4E5F60718")
        #expect(failure.ec == "0026-00000001")
    }

    @Test(arguments: ["!!!", "", "aGVsbG8="])
    func `a header that holds no document is passed over`(value: String) throws {
        #expect(try failure(404, "", [("x-oss-err", value)]).code == nil)
    }

    @Test(arguments: [
        ("0002-00000007", "SecurityTokenExpired", RetryAdvice.refreshCredentials),
        ("0002-00000002", "InvalidAccessKeyId", .refreshCredentials),
        ("0002-00000504", "RequestTimeTooSkewed", .adjustClock), ("0017-00000244", "NoSuchUpload", .restartUpload),
        ("0026-00000001", "NoSuchKey", .never),
    ])
    func `without a document the EC tells what decides`(ec: String, code: String, retry: RetryAdvice) throws {
        let failure = try failure(code.hasPrefix("NoSuch") ? 404 : 403, "", [("x-oss-ec", ec)])
        #expect(failure.code == code && failure.retry == retry && failure.ec == ec)
    }

    @Test(arguments: [
        ("<html><body>502 Bad Gateway</body></html>", "text/html"), ("upstream failed", "text/plain"), ("", ""),
        ("<Error><Code>Internal", "application/xml"), ("[1]", "application/json"),
        ("<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><Error><Code>&a;</Code></Error>", "application/xml"),
    ])
    func `a body that is no document leaves the status to decide`(body: String, type: String) throws {
        let failure = try failure(502, body, type: type)
        #expect(failure.code == nil && failure.status == 502 && failure.retry == .backoff)
    }

    @Test func `a page that spoke in place of the service is shown, cut, without what may be a token`() throws {
        let page = try failure(
            502, "<html>\n <body>Bad   Gateway" + String(repeating: "x", count: 5000), type: "text/html")
        #expect(page.message?.contains("<html> <body>Bad Gateway") == true)
        #expect((page.message ?? "").count < 340)
        let echo = try failure(502, "<html>x-oss-security-token: CAIS</html>", type: "text/html")
        #expect(echo.message == "an answer of text/html that is no document of OSS")
    }

    @Test func `a refusal that echoes the token does not show it`() async throws {
        let token = "CAIS+tok/en=="
        let transport = ScriptedTransport(
            try .refusal(403, "SecurityTokenExpired", "<SecurityToken>\(token)</SecurityToken>"))
        let body =
            "<Error><Code>SecurityTokenExpired</Code><Message>\(token) expired</Message><SecurityToken>\(token)</SecurityToken></Error>"
        #expect(try failure(403, body).message == "[redacted] expired")
        let error = await transferError {
            _ = try await OSSClient.test(transport, configuration: .test(credential: Vector.temporary)).deleteObject(
                OSSDeleteObjectInput(bucket: "examplebucket", key: "a"))
        }
        #expect(error?.code == .credentialsExpired)
        for text in [error?.description, error?.debugDescription, error.map { String(reflecting: $0) }] {
            #expect(text?.contains(token) == false)
            #expect(text?.contains(Vector.temporary.secretKey) == false)
        }
    }

    @Test func `a bucket's right endpoint is named`() throws {
        let failure = try failure(
            403,
            "<Error><Code>AccessDenied</Code><Message>must be addressed using the specified endpoint.</Message>"
                + "<Endpoint>oss-cn-beijing.aliyuncs.com</Endpoint></Error>")
        #expect(
            failure.message == "must be addressed using the specified endpoint. (endpoint: oss-cn-beijing.aliyuncs.com)"
        )
    }

    @Test func `the service's clock comes from the document`() throws {
        let failure = try failure(
            403,
            "<Error><Code>RequestTimeTooSkewed</Code><ServerTime>2024-09-23T06:32:40.000Z</ServerTime></Error>",
            [("Date", "Thu, 01 Jan 1970 00:00:00 GMT"), ("x-oss-server-time", "17")])
        #expect(failure.retry == .adjustClock)
        #expect(failure.serverTime?.timeIntervalSince1970 == 1_727_073_160)
    }

    private static let table: [(Int, String, TransferError.Code, RetryAdvice)] = [
        (403, "SecurityTokenExpired", .credentialsExpired, .refreshCredentials),
        (403, "InvalidAccessKeyId", .credentialsInvalid, .refreshCredentials),
        (403, "InvalidSecurityToken", .credentialsExpired, .refreshCredentials),
        (403, "AccessKeyIdAndSecurityTokenNotMatch", .credentialsInvalid, .refreshCredentials),
        (403, "SecurityTokenNotSupported", .credentialsInvalid, .never), (403, "AccessDenied", .accessDenied, .never),
        (403, "SignatureDoesNotMatch", .signatureMismatch, .never),
        (403, "RequestTimeTooSkewed", .clockSkew, .adjustClock),
        (404, "NoSuchUpload", .uploadNotFound, .restartUpload), (404, "NoSuchBucket", .notFound, .never),
        (404, "NoSuchKey", .notFound, .never), (400, "InvalidPart", .invalidPart, .never),
        (400, "InvalidPartOrder", .invalidPart, .never), (400, "EntityTooSmall", .invalidPart, .never),
        (400, "EntityTooLarge", .tooLarge, .never), (400, "InvalidDigest", .checksumMismatch, .backoff),
        (400, "MalformedXML", .refused, .never), (400, "InvalidArgument", .refused, .never),
        (400, "InvalidObjectName", .refused, .never), (400, "InvalidBucketName", .refused, .never),
        (409, "FileAlreadyExists", .preconditionFailed, .never),
        (400, "ObjectAlreadyExists", .preconditionFailed, .never),
        (409, "BucketAlreadyExists", .conflict, .never), (409, "FileImmutable", .conflict, .never),
        (409, "PositionNotEqualToLength", .conflict, .never), (409, "ObjectNotAppendable", .conflict, .never),
        (400, "PartNotSequential", .conflict, .never), (412, "PreconditionFailed", .preconditionFailed, .never),
        (304, "NotModified", .preconditionFailed, .never), (416, "InvalidRange", .refused, .never),
        (403, "InvalidObjectState", .sourceArchived, .never), (403, "SecondLevelDomainForbidden", .refused, .never),
        (403, "TransferAccelerationDisabled", .refused, .never), (403, "UserDisable", .refused, .never),
        (203, "CallbackFailed", .storedCallbackFailed, .never),
        (503, "UploadTrafficRateLimitExceeded", .throttled, .throttled),
        (503, "DownloadTrafficRateLimitExceeded", .throttled, .throttled),
        (503, "TotalQpsLimitExceeded", .throttled, .throttled),
        (503, "MetaOperationQpsLimitExceeded", .throttled, .throttled),
        (503, "ActiveRequestLimitExceeded", .throttled, .throttled), (503, "CpuLimitExceeded", .throttled, .throttled),
        (503, "ServiceUnavailable", .serviceUnavailable, .backoff),
        (500, "InternalError", .serviceUnavailable, .backoff),
        (500, "SomethingNew", .serviceUnavailable, .backoff), (400, "BadRequest", .refused, .backoff),
        (400, "RequestTimeout", .serviceUnavailable, .backoff), (429, "Anything", .throttled, .throttled),
        // A late failure: the code decides, and one that nobody knows is as transient as a 500.
        (200, "AccessDenied", .accessDenied, .never), (200, "SomethingNew", .serviceUnavailable, .backoff),
    ]

    @Test(arguments: table.indices)
    func `the service's code decides`(row: Int) {
        let (status, serviceCode, code, retry) = Self.table[row]
        #expect(
            FailureClass(status: status, serviceCode: serviceCode) == FailureClass(code, retry),
            "\(status) \(serviceCode)")
    }

    private static let statuses: [(Int, TransferError.Code, RetryAdvice)] = [
        (304, .preconditionFailed, .never), (301, .refused, .never), (400, .refused, .never),
        (401, .accessDenied, .backoff), (403, .accessDenied, .never), (404, .notFound, .never),
        (405, .methodNotAllowed, .never), (407, .proxyFailed, .never), (408, .serviceUnavailable, .backoff),
        (409, .conflict, .never), (412, .preconditionFailed, .never), (413, .tooLarge, .never), (416, .refused, .never),
        (429, .throttled, .throttled), (500, .serviceUnavailable, .backoff), (599, .serviceUnavailable, .backoff),
        (200, .serviceUnavailable, .backoff), (203, .storedCallbackFailed, .never),
    ]

    @Test(arguments: statuses.indices)
    func `without a code the status decides`(row: Int) {
        let (status, code, retry) = Self.statuses[row]
        #expect(FailureClass(status: status, serviceCode: nil) == FailureClass(code, retry), "\(status)")
    }

    @Test func `one InvalidArgument is a skewed clock, by its message`() {
        let kind = FailureClass(
            status: 400, serviceCode: "InvalidArgument", message: "Invalid signing date in Authorization header.")
        #expect(kind == FailureClass(.clockSkew, .adjustClock))
    }

    @Test func `another is a wrong region, and the error says which one was signed for`() async throws {
        let transport = ScriptedTransport(
            try .oss(
                400,
                "<Error><Code>InvalidArgument</Code>"
                    + "<Message>Invalid signing region in Authorization header.</Message></Error>"))
        let error = await transferError {
            _ = try await OSSClient.test(transport).deleteObject(
                OSSDeleteObjectInput(bucket: "examplebucket", key: "a"))
        }
        #expect(error?.code == .signatureMismatch)
        #expect(error?.retry == .never)
        #expect(
            error?.message
                == "InvalidArgument: Invalid signing region in Authorization header; the client signs for cn-shanghai")
        #expect(transport.requests.count == 1)
    }

    private let context = FailureContext(
        .uploadPart, of: MultipartUpload(id: "u", target: ObjectLocation(bucket: "b", key: "k")), part: 7)

    private func error(_ failure: any Error, _ context: FailureContext) throws -> TransferError {
        try #require(context.error(failure) as? TransferError)
    }

    @Test func `an error says what it is about`() throws {
        let error = try error(
            ServiceFailure(
                status: 403, code: "AccessDenied", message: "no", requestID: "r", hostID: "h", ec: "e", retry: .never,
                attempts: 2), context)
        #expect(error.code == .accessDenied && error.operation == "UploadPart" && error.provider == "oss")
        #expect(error.object == ObjectLocation(bucket: "b", key: "k"))
        #expect(error.part == 7 && error.uploadID == "u" && error.attempts == 2)
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
        // A target that must not be replaced is no source.
        let exists = ServiceFailure(status: 409, code: "FileAlreadyExists", retry: .never)
        #expect(try error(exists, guarded).code == .preconditionFailed)
    }

    @Test func `a denial that carries no mark of OSS is none`() throws {
        #expect(try error(ServiceFailure(status: 403, message: "blocked", retry: .never), context).code == .refused)
        #expect(try error(ServiceFailure(status: 403, requestID: "r", retry: .never), context).code == .accessDenied)
    }

    @Test func `a credentials provider's own TransferError stays what it is`() throws {
        let moved = TransferError(.targetMoved, "elsewhere")
        #expect(try error(CredentialsFailure.provider(moved), context).code == .targetMoved)
        #expect(
            try error(CredentialsFailure.provider(CocoaError(.fileNoSuchFile)), context).code
                == .credentialsUnavailable)
        #expect(try error(CredentialsFailure.shutDown, context).code == .disposed)
    }
}
