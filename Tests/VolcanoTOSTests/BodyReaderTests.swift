import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import S3Wire
@testable import VolcanoTOS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Check 2 of spec section 11.2: every kind of body, read by its content.
@Suite("TOS specification 11.2, check 2: the body reader")
struct BodyReaderTests {
    private func failure(
        _ status: Int, _ body: String, type: String = "application/json", _ headers: [(String, String)] = []
    ) throws -> ServiceFailure {
        try #require(S3FailureReader(.test).failure(in: .tos(status, body, type: type, headers)))
    }

    @Test func `a flat error is read`() throws {
        let failure = try failure(
            404,
            """
            {"Code":"NoSuchKey","Message":"The specified key does not exist.","RequestId":"580c","HostId":"abc",
             "EC":"0017-00000003","Resource":"/dst-bucket/k"}
            """)
        #expect(failure.code == "NoSuchKey")
        #expect(failure.message == "The specified key does not exist.")
        #expect(failure.requestID == "580c")
        #expect(failure.hostID == "abc")
        #expect(failure.ec == "0017-00000003")
        #expect(failure.retry == .never)
    }

    @Test func `a wrapped error is read alike`() throws {
        let failure = try failure(403, #"{"Error":{"Code":"AccessDenied","Message":"no","RequestId":"r"}}"#)
        #expect(failure.code == "AccessDenied")
        #expect(failure.requestID == "r")
    }

    @Test func `an error with members missing, of other types or unknown is read as far as it goes`() throws {
        let failure = try failure(
            400, #"  {"Code":"InvalidPart","Message":17,"EC":null,"Extra":[{"Code":"x"}],"RequestId":""}"#)
        #expect(failure.code == "InvalidPart")
        #expect(failure.message == nil || failure.message?.contains("InvalidPart") == true)
        #expect(failure.requestID == "request-1")
    }

    @Test func `an error in XML is read alike`() throws {
        let failure = try failure(
            403,
            """
            <?xml version="1.0"?><Error xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Code>InvalidPathAccess</Code>
            <Message>use virtual hosting of STSxToken</Message><RequestId>r</RequestId><SecurityToken>STSxToken</SecurityToken></Error>
            """, type: "application/xml")
        #expect(failure.code == "InvalidPathAccess")
        #expect(failure.message == "use virtual hosting of [redacted]")
        #expect(failure.requestID == "r")
    }

    @Test func `an error in XML under a 200 is an error`() async throws {
        let transport = ScriptedTransport(
            try .tos(200, " <Error><Code>AccessDenied</Code></Error>", type: "application/xml"))
        let client = try TOSClient.test(transport)
        let error = await transferError { try await LateFailureTests.Call.partCopy.run(client) }
        #expect(error?.code == .accessDenied)
    }

    @Test func `what the body lacks comes from the headers`() throws {
        let failure = try failure(
            500, #"{"Code":"InternalError"}"#, [("x-tos-id-2", "host-2"), ("x-tos-ec", "0001-00000001")])
        #expect(failure.requestID == "request-1")
        #expect(failure.hostID == "host-2")
        #expect(failure.ec == "0001-00000001")
    }

    @Test(arguments: [
        ("<html><body>502 Bad Gateway</body></html>", "text/html"), ("upstream failed", "text/plain"), ("", ""),
        ("[1,2]", "application/json"), ("{\"Code\":", "application/json"),
    ])
    func `a body that is no document leaves the status to decide`(body: String, type: String) throws {
        let failure = try failure(502, body, type: type)
        #expect(failure.code == nil)
        #expect(failure.status == 502)
        #expect(failure.retry == .backoff)
    }

    @Test func `a page that spoke in place of the service is shown, cut, without what may be a token`() throws {
        let page = try failure(
            502, "<html>\n <body>Bad   Gateway" + String(repeating: "x", count: 5000), type: "text/html")
        #expect(page.message?.contains("<html> <body>Bad Gateway") == true)
        #expect((page.message ?? "").count < 300)
        for secret in ["x-tos-security-token: STSsecret", "x-amz-server-side-encryption-customer-key: c2VjcmV0"] {
            let echo = try failure(502, "<html>\(secret)</html>", type: "text/html")
            #expect(echo.message?.contains("text/html") == true)
            #expect(echo.message?.contains(secret.suffix(8)) == false)
        }
    }

    @Test func `a refusal that echoes the token does not show it`() throws {
        let failure = try failure(
            403,
            #"{"Code":"ExpiredToken","Message":"token STSsecret/abc= has expired","SecurityToken":"STSsecret/abc="}"#)
        #expect(failure.message == "token [redacted] has expired")
        #expect(!"\(failure)".contains("STSsecret"))
    }

    @Test(arguments: [
        ("\u{FEFF}{\"Code\":\"SlowDown\"}", "SlowDown"), ("\r\n \t{\"Code\":\"SlowDown\"}", "SlowDown"),
    ])
    func `blanks and a byte order mark before the document are skipped`(body: String, code: String) throws {
        #expect(try failure(503, body).code == code)
    }

    @Test func `a missing object and a missing bucket are told apart by the headers of HEAD`() throws {
        let key = try failure(404, "", [("x-tos-ec", "0017-00000003")])
        let bucket = try failure(404, "", [("x-tos-ec", "0006-00000001")])
        #expect(key.code == "NoSuchKey")
        #expect(bucket.code == "NoSuchBucket")
        #expect(try failure(403, "", [("x-tos-ec", "0017-00000003")]).code == nil)
    }

    @Test func `a good answer is no failure`() throws {
        #expect(try S3FailureReader(.test).failure(in: .tos(200, #"{"ETag":"\"a\""}"#)) == nil)
        #expect(try S3FailureReader(.test).failure(in: .tos(204)) == nil)
    }

    @Test func `the service's clock is kept for a skewed one`() throws {
        let failure = try failure(
            403, #"{"Code":"RequestTimeTooSkewed"}"#, [("Date", "Tue, 01 Jul 2025 08:00:00 GMT")])
        #expect(failure.retry == .adjustClock)
        #expect(failure.serverTime?.timeIntervalSince1970 == 1_751_356_800)
    }

    @Test func `a checksum above 2^63 survives, and a malformed one means not verified`() throws {
        func crc(_ text: String) throws -> UInt64? {
            ObjectInfo(size: 1, try HTTPHeaders(["x-tos-hash-crc64ecma": text]), .test).checksums.crc64
        }
        #expect(try crc("18446744073709551615") == .max)
        #expect(try crc("11051210869376104954") == 11_051_210_869_376_104_954)
        #expect(try crc(" 17 ") == 17)
        for text in ["", "-1", "18446744073709551616", "1e3", "0x10"] { #expect(try crc(text) == nil) }
    }
}
