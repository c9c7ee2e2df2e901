import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunVOD

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct AppServerClientTests {
    /// A backend that gives the same answer to every request, which it keeps.
    private final class Backend: Sendable {
        let requests = LockBox<[HTTPRequest]>([])
        private let answer: HTTPResponse

        init(_ status: Int, _ body: String) { answer = HTTPResponse(status: status, body: Array(body.utf8)) }

        func client(
            _ url: String = "http://app.example.com:8080/vod", headers: [String: String] = [:]
        ) throws -> VODAppServerClient {
            try VODAppServerClient(
                url: url, headers: headers,
                over: ClosureTransport { [self] request in
                    requests.withLock { $0.append(request) }
                    return answer
                })
        }

        var first: HTTPRequest? { requests.withLock { $0.first } }
    }

    private static let context = VODAuthContext(
        kind: .createVideo, fileName: "a b.mp4", fileSize: 7, videoMeta: VODVideoMeta(title: "T", cateId: 9))

    @Test func postsTheContextAndHandsTheAnswerOn() async throws {
        let backend = Backend(200, " {\"VideoId\":\"v\"}\n")
        let getAuth = VODGetAuth.appServer(try backend.client(headers: ["Authorization": "Bearer t"]))
        let answer = try await getAuth.body(Self.context).authAnswerJSON()
        #expect(String(decoding: answer, as: UTF8.self) == " {\"VideoId\":\"v\"}\n")
        let request = try #require(backend.first)
        #expect(request.method == .post)
        #expect(request.url == "http://app.example.com:8080/vod/create-video")
        #expect(request.headers["Authorization"] == "Bearer t")
        #expect(request.headers["Content-Type"] == "application/json")
        guard case .bytes(let body) = request.body.content else {
            Issue.record("the body is no document")
            return
        }
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"cateId":9,"fileName":"a b.mp4","fileSize":7,"kind":"create-video","title":"T"}"#)
    }

    @Test(arguments: VODAuthKind.allCases) func eachKindHasItsAddress(_ kind: VODAuthKind) async throws {
        for (url, path) in [
            ("https://h/v", "/v/"), ("https://h/v/", "/v/"), ("https://h", "/"), ("https://h/", "/"),
        ] {
            let backend = Backend(200, "{}")
            _ = try await backend.client(url).ask(VODAuthContext(kind: kind, fileName: "a.mp4", fileSize: 1))
            #expect(backend.first?.path == path + kind.rawValue)
        }
    }

    @Test func aRefusalOfTheOpenAPIIsHandedOnWhateverItsStatus() async throws {
        let answer = try await Backend(403, #"{"Code":"Forbidden","Message":"m"}"#).client().ask(Self.context)
        let error = #expect(throws: TransferError.self) {
            try AuthAnswer(answer, kind: .createVideo, now: Date(timeIntervalSince1970: 0))
        }
        #expect(error?.service?.code == "Forbidden")
    }

    @Test(arguments: [(502, "<html>Bad Gateway</html>"), (404, ""), (302, "{}"), (500, #"{"error":"x"}"#)])
    func anyOtherAnswerNamesItsStatus(_ status: Int, _ body: String) async throws {
        let client = try Backend(status, body).client()
        let error = await #expect(throws: TransferError.self) { try await client.ask(Self.context) }
        #expect(error?.code == .credentialsUnavailable)
        #expect(error?.service?.status == status)
        let line = "POST http://app.example.com:8080/vod/create-video answered with status \(status)"
        let page = "\(line): an answer of no content type that is no document of the OpenAPI: \(body)"
        #expect(error?.message == (body.isEmpty ? line : page))
        #expect(error?.operation == "getAuth(create-video)")
    }

    @Test(arguments: [
        ("h/v", "url"), ("ftp://h/v", "url"), ("https://h/v?x=1", "url"), ("https://h/v#f", "url"), ("", "url"),
        ("https://h/a b", "url"), ("https://user:secret-word@h/v", "url"), ("user:secret-word@h/v", "url"),
    ]) func addressesThatCannotBe(_ url: String, _ field: String) throws {
        let error = #expect(throws: TransferError.self) { try Backend(200, "").client(url) }
        #expect(error?.field == field)
        #expect(error.map { "\($0)".contains("secret-word") } == false)
    }

    @Test func anAddressWithoutASchemeIsQuoted() throws {
        let error = #expect(throws: TransferError.self) { try Backend(200, "").client("127.0.0.1:9000/app") }
        #expect(
            error?.message == "\"127.0.0.1:9000/app\" has no scheme; expected http:// or https://, a host and a path")
    }

    /// The address stands in the error once, and the operation is not said three times.
    @Test func aServerThatIsNotThereIsNamed() async throws {
        let client = try VODAppServerClient(
            url: "http://127.0.0.1:1/app",
            over: ClosureTransport { request in
                throw TransportFailure(
                    .connect, operation: request.operation, host: request.endpoint.host, message: "Failed to connect")
            })
        let fixture = try Fixture()
        let error = await uploadError {
            _ = try await fixture.uploader { $0.getAuth = .appServer(client) }.uploadFile(try fixture.file(count: 10))
        }
        #expect(error?.errorCode == "GetUploadAuthFailed")
        #expect(error?.errorMessage == "POST http://127.0.0.1:1/app/create-video: Failed to connect")
        #expect(error?.description.ranges(of: "getAuth(create-video)").count == 1)
        #expect(error?.underlying.retry == .never)
        #expect(error?.errorDescription == error?.description)
    }

    @Test func headersThatCannotBe() throws {
        let error = #expect(throws: TransferError.self) {
            try Backend(200, "").client(headers: ["A": "line\r\nB: injected"])
        }
        #expect(error?.field == "headers")
        #expect(error.map { "\($0)".contains("injected") } == false)
    }
}
