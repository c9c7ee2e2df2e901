import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// Field reports about documents, and about what comes in their place.
@Suite("Field reports: XML and response bodies") struct XMLReports {
    // MARK: FR-082

    /// What must never get further than a typed error. Each would be a success, or name a code, with its entities expanded.
    enum Hostile: String, CaseIterable, CustomTestStringConvertible {
        case nestedEntities
        case localFile
        case networkEntity
        case externalDTD
        case parameterEntity
        case depth
        case longText

        var testDescription: String { rawValue }

        /// - Parameters:
        ///   - root: The root that the caller expects.
        ///   - file: The URL of a file with a secret in it.
        ///   - address: The URL of a server that counts its connections.
        func document(_ root: String, file: String, address: String) -> String {
            func whole(_ type: String, _ value: String) -> String {
                let members = ["UploadId", "ETag", "Code", "Message"].map { "<\($0)>\(value)</\($0)>" }.joined()
                return "<?xml version=\"1.0\"?>\(type)<\(root)>\(members)</\(root)>"
            }
            switch self {
            case .nestedEntities:
                let levels = (1...9).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }
                return whole("<!DOCTYPE r [<!ENTITY e0 \"expanded\">\(levels.joined())]>", "&e9;")
            case .localFile: return whole("<!DOCTYPE r [<!ENTITY x SYSTEM \"\(file)\">]>", "&x;")
            case .networkEntity: return whole("<!DOCTYPE r [<!ENTITY x SYSTEM \"\(address)/x\">]>", "&x;")
            case .externalDTD: return whole("<!DOCTYPE \(root) SYSTEM \"\(address)/x.dtd\">", "value")
            case .parameterEntity:
                return whole(
                    "<!DOCTYPE r [<!ENTITY % p SYSTEM \"\(address)/p.dtd\"> %p; <!ENTITY x 'expanded'>]>", "&x;")
            case .depth:
                let count = 100_000
                return whole("", String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count))
            // The first MiB decides; the reader's own tests have ten.
            case .longText: return whole("", String(repeating: "x", count: 2 << 20))
            }
        }
    }

    @Test(
        "FR-082: hostile documents in place of an answer open no file and no connection, and end in a typed error",
        arguments: Wire.xml, Hostile.allCases)
    func hostileAnswers(_ wire: Wire, _ hostile: Hostile) async throws {
        let scene = try await WireScene(wire)
        let trap = try await ObjectStoreStub.start()
        let directory = try TemporaryDirectory()
        try directory.write(Array("topsecret".utf8), to: "secret")
        // The large ones are the same for every reader, and slow without optimisation.
        for call in [.longText, .depth].contains(hostile) ? [.create] : WireCall.answeredByDocument {
            let text = hostile.document(
                call.root, file: "file://" + directory.path("secret"), address: trap.endpoint)
            scene.server.faults.add(.on(call.operation), .answer(200, contentType: "application/xml", body: text))
            let error = await scene.failure(of: call)
            #expect(error?.code == .malformedResponse, "\(call): \(String(describing: error))")
            #expect(
                error.map { Self.texts($0).contains("topsecret") || Self.texts($0).contains("expandedexpanded") }
                    == false)
            #expect(scene.server.wireLog.count(of: call.operation) == 1)
        }
        #expect(trap.wireLog.connectionCount == 0)
        #expect(scene.made == nil)
    }

    @Test(
        "FR-082: hostile documents in place of a refusal leave the status to decide, and none of their text comes through",
        arguments: Wire.xml, Hostile.allCases)
    func hostileRefusals(_ wire: Wire, _ hostile: Hostile) async throws {
        let scene = try await WireScene(wire)
        let trap = try await ObjectStoreStub.start()
        let directory = try TemporaryDirectory()
        try directory.write(Array("topsecret".utf8), to: "secret")
        let text = hostile.document("Error", file: "file://" + directory.path("secret"), address: trap.endpoint)
        scene.server.faults.add(.on(.uploadPart), .answer(409, contentType: "application/xml", body: text))
        let error = await scene.failure(of: .part)
        #expect(error?.code == .conflict)
        #expect(error?.service?.status == 409)
        #expect(error?.service?.code == nil)
        #expect(
            error.map { Self.texts($0).contains("topsecret") || Self.texts($0).contains("expandedexpanded") } == false)
        #expect(error.map { $0.description.utf8.count < 2_000 } == true)
        #expect(trap.wireLog.connectionCount == 0)
    }

    @Test("FR-082: an answer of 64 MiB is cut off, not collected", arguments: Wire.allCases)
    func endlessAnswer(_ wire: Wire) async throws {
        let scene = try await WireScene(wire)
        // Any size beyond the limit of 16 MiB shows it; the largest is sent to one client.
        let page = String(repeating: " ", count: wire == .oss ? 64 << 20 : 32 << 20)
        scene.server.faults.add(.on(.listParts), .answer(200, contentType: "application/xml", body: page))
        scene.server.faults.add(.on(.uploadPart), .answer(500, contentType: "application/xml", body: page))
        for call in [WireCall.list, .part] {
            let error = await scene.failure(of: call)
            // A refusal may be as long as it likes: its beginning is enough, and its status decides.
            #expect(
                error?.code == (call == .list ? .malformedResponse : .serviceUnavailable),
                "\(String(describing: error))")
            try await scene.server.wireLog.waitFor(operation: call.operation, phase: .ended)
            #expect(scene.server.wireLog.entries(of: call.operation).map(\.answerWasCut) == [true])
        }
    }

    /// Everything that an error says, to its last cause.
    private static func texts(_ error: TransferError) -> String {
        "\(error) \(String(reflecting: error)) \(error.service?.message ?? "")"
    }

    // MARK: FR-083

    /// What comes before a document.
    enum Lead: String, CaseIterable, CustomTestStringConvertible {
        case blanks
        case lineEnds
        case byteOrderMark
        case markBehindBlanks

        var testDescription: String { rawValue }

        var text: String {
            switch self {
            case .blanks: ""
            case .lineEnds: "\r\n\r\n\r\n"
            case .byteOrderMark: "\u{FEFF}"
            case .markBehindBlanks: "\r\n \u{FEFF}"
            }
        }
    }

    @Test("FR-083: a Complete that is kept alive by blanks is understood", arguments: Wire.allCases, Lead.allCases)
    func blanksBeforeResult(_ wire: Wire, _ lead: Lead) async throws {
        let scene = try await WireScene(wire)
        scene.server.faults.add(
            .on(.completeMultipartUpload), .edit { $0.text = lead.text + ($0.text ?? "") },
            .trickle(every: .milliseconds(2), count: 15))
        try await scene.perform(.complete)
        #expect(scene.server.wireLog.count(of: .completeMultipartUpload) == 1)
        #expect(scene.made?.content.read() == WireScene.content)
    }

    @Test("FR-083: an error behind blanks is an error", arguments: Wire.allCases, Lead.allCases)
    func blanksBeforeError(_ wire: Wire, _ lead: Lead) async throws {
        let scene = try await WireScene(wire)
        scene.server.faults.add(
            .on(.completeMultipartUpload), .lateError(message: "it broke late"),
            .edit { $0.text = lead.text + ($0.text ?? "") },
            .trickle(every: .milliseconds(2), count: 15))
        let error = await scene.failure(of: .complete)
        #expect(error?.service?.code == "InternalError")
        #expect(error?.message.contains("it broke late") == true)
        #expect(error?.code == .serviceUnavailable)
        #expect(scene.made == nil)
    }

    @Test("FR-083: blanks feed the timer of silence", arguments: [Wire.oss, .tos, .s3])
    func blanksFeedTheTimer(_ wire: Wire) async throws {
        // All of them together last half as long again as the longest silence that is allowed.
        let scene = try await WireScene(wire, copyIdleTimeout: .seconds(2))
        scene.server.faults.add(.on(.completeMultipartUpload), .trickle(every: .milliseconds(100), count: 30))
        try await scene.perform(.complete)
        #expect(scene.made != nil)
        // The timer is there: the same wait in silence ends the call.
        let silent = try await WireScene(wire, copyIdleTimeout: .milliseconds(200))
        silent.server.faults.add(.on(.completeMultipartUpload), .stall)
        let error = await silent.failure(of: .complete)
        #expect(error?.code == .timedOut)
    }

    @Test("FR-083: blanks and half a document are no success", arguments: Wire.allCases)
    func nothingCountsBeforeTheEnd(_ wire: Wire) async throws {
        let scene = try await WireScene(wire)
        // Without a length, so that only the document itself can tell that it has not ended.
        scene.server.faults.add(
            .on(.completeMultipartUpload),
            .edit { answer in answer.text = String((answer.text ?? "").dropLast(3)) },
            .trickle(every: .milliseconds(1), count: 5))
        let cut = await scene.failure(of: .complete)
        #expect(cut?.code == .malformedResponse)

        let blanks = try await WireScene(wire)
        blanks.server.faults.add(
            .on(.completeMultipartUpload), .edit { $0.text = "" }, .trickle(every: .milliseconds(1), count: 5))
        let empty = await blanks.failure(of: .complete)
        #expect(empty?.code == .malformedResponse)
    }

    // MARK: FR-084

    /// What speaks in place of a service.
    struct Page: CustomTestStringConvertible {
        let status: Int
        let type: String?
        let body: String
        let code: TransferError.Code
        let isRepeated: Bool

        var testDescription: String { "\(status) \(type ?? "nothing")" }

        static let all = [
            Page(502, "text/html", "<html><body><h1>Bad Gateway</h1></body></html>", .serviceUnavailable, true),
            Page(503, "text/html", "<!DOCTYPE html><html><h1>Unavailable</h1></html>", .serviceUnavailable, true),
            Page(504, "text/html", "<html><h1>Gateway Time-out</h1></html>", .serviceUnavailable, true),
            Page(500, nil, "", .serviceUnavailable, true),
            Page(429, "application/json", "{\"error\":\"slow down, please\"}", .throttled, true),
            Page(403, "text/plain", "Blocked by policy 17.", .refused, false),
        ]

        init(_ status: Int, _ type: String?, _ body: String, _ code: TransferError.Code, _ isRepeated: Bool) {
            self.status = status
            self.type = type
            self.body = body
            self.code = code
            self.isRepeated = isRepeated
        }

        var fault: Fault { .answer(status, contentType: type, body: body) }
    }

    @Test("FR-084: what passes is repeated, whoever answered", arguments: Wire.allCases, Page.all)
    func passingPages(_ wire: Wire, _ page: Page) async throws {
        for call in [WireCall.put, .part, .copy, .list, .complete] {
            let scene = try await WireScene(wire, retries: 2)
            scene.server.faults.add(.on(call.operation).first(2), page.fault)
            if page.isRepeated {
                try await scene.perform(call)
                #expect(scene.server.wireLog.count(of: call.operation) == 3)
            } else {
                let error = await scene.failure(of: call)
                #expect(error?.code == page.code)
                #expect(scene.server.wireLog.count(of: call.operation) == 1)
            }
        }
    }

    @Test("FR-084: the last error says who answered, and how", arguments: Wire.allCases, Page.all)
    func lastingPages(_ wire: Wire, _ page: Page) async throws {
        let scene = try await WireScene(wire, retries: 1)
        scene.server.faults.add(
            .on(.uploadPart), page.fault, .header(wire.requestIDField, page.status == 502 ? "ID-7" : nil))
        let error = await scene.failure(of: .part)
        #expect(error?.code == page.code)
        #expect(error?.service?.status == page.status)
        #expect(error?.service?.requestID == (page.status == 502 ? "ID-7" : nil))
        #expect(error?.attempts == (page.isRepeated ? 2 : 1))
        if let type = page.type {
            let message = error?.message ?? ""
            #expect(message.contains(type), "\(message)")
            #expect(message.contains(page.body.prefix(20)), "\(message)")
        }
    }

    @Test(
        "FR-084: a page is quoted up to a bound, on one line, and not where it echoes the request",
        arguments: Wire.allCases)
    func quotedPages(_ wire: Wire) async throws {
        let scene = try await WireScene(wire)
        let long = scene.server.faults.add(
            .on(.uploadPart),
            .answer(502, contentType: "text/html", body: "<html>\n" + String(repeating: "<p>x\n", count: 9_000)))
        let first = await scene.failure(of: .part)
        #expect(first.map { $0.description.utf8.count < 1_000 && !$0.description.contains("\n") } == true)
        long.remove()
        for echo in [
            "x-security-token: abcdef0123456789", "Authorization: SCHEME Signature=0123456789abcdef",
            "X-Amz-Signature=0123456789abcdef", "Credential=abcdef0123456789",
            "x-tos-server-side-encryption-customer-key: 0123456789abcdef", "Cookie: session=0123456789abcdef",
        ] {
            let fault = scene.server.faults.add(
                .on(.uploadPart), .answer(502, contentType: "text/html", body: "<html>Your request was \(echo)</html>"))
            let error = await scene.failure(of: .part)
            #expect(error?.service?.status == 502)
            #expect(error.map { Self.texts($0).contains("0123456789") } == false, "\(echo)")
            // That it was a page, and of which type, is no secret.
            #expect(error?.message.contains("text/html") == true, "\(error?.message ?? "")")
            fault.remove()
        }
    }

    @Test("FR-084: a login page with status 200 is never a success", arguments: Wire.allCases, WireCall.allCases)
    func loginPage(_ wire: Wire, _ call: WireCall) async throws {
        let scene = try await WireScene(wire, retries: 1)
        scene.server.faults.add(
            .on(call.operation),
            .answer(200, contentType: "text/html; charset=utf-8", body: "<!DOCTYPE html><html>Please log in</html>"))
        let error = await scene.failure(of: call)
        #expect(error?.code == .malformedResponse, "\(String(describing: error))")
        // What is read is handed on as it comes, and so is not read again.
        #expect(scene.server.wireLog.count(of: call.operation) == (call == .get ? 1 : 2))
        #expect(scene.made == nil)
    }

    /// A call that makes a medium is repeated only where it cannot have made one; a refresh makes none.
    @Test("FR-084: the OpenAPI of VOD repeats what passes, and quotes the page", arguments: Page.all)
    func pagesOfOpenAPI(_ page: Page) async throws {
        let fixture = try await VODFixture()
        let path = try fixture.file(size: 1_000)
        if page.isRepeated {
            fixture.server.faults.add(.on(.putObject).first(1), .expiredToken)
            fixture.server.faults.add(.on(.refreshUploadVideo).first(1), page.fault)
            _ = try await fixture.uploader().uploadFile(path)
            #expect(fixture.count(.refreshUploadVideo) == 2)
            #expect(fixture.server.vod.videos.count == 1)
        }
        fixture.server.wireLog.clear()
        fixture.server.faults.add(.on(.createUploadVideo), page.fault)
        var configuration = VODOpenAPIConfiguration(
            credential: Credentials(accessKey: fixture.server.accessKey, secretKey: fixture.server.secretKey))
        configuration.endpoint = fixture.server.endpoint
        configuration.transport.proxy = .none
        configuration.maxRetryCount = 0
        let auth = try VODGetAuth.openAPI(VODOpenAPIClient(configuration))
        let error = await uploadFailure { _ = try await fixture.uploader(auth).uploadFile(path) }
        #expect(error?.underlying.service?.status == page.status)
        #expect(fixture.count(.createUploadVideo) == 1)
        if let type = page.type {
            #expect(error?.errorMessage.contains(type) == true, "\(String(describing: error))")
            #expect(error?.errorMessage.contains(page.body.prefix(20)) == true)
        }
        // And so does what an application's own server answers.
        let other = await uploadFailure {
            _ = try await fixture.uploader(.appServer(fixture.appServer())).uploadFile(path)
        }
        #expect(other?.underlying.service?.status == page.status)
        if let type = page.type { #expect(other?.errorMessage.contains(type) == true, "\(String(describing: other))") }
    }

    @Test(
        "FR-084: a login page in place of the OpenAPI or of the application server is no permit",
        arguments: [true, false])
    func loginPageForPermit(_ isOpenAPI: Bool) async throws {
        let fixture = try await VODFixture()
        fixture.server.faults.add(
            .on(.createUploadVideo),
            .answer(200, contentType: "text/html", body: "<!DOCTYPE html><html>Please log in</html>"))
        let auth = try isOpenAPI ? VODGetAuth.openAPI(fixture.openAPI()) : .appServer(fixture.appServer())
        let path = try fixture.file(size: 1_000)
        let error = await uploadFailure { _ = try await fixture.uploader(auth).uploadFile(path) }
        #expect(error != nil)
        #expect(fixture.count(.putObject) == 0)
        #expect(fixture.stored == nil)
    }

    // MARK: FR-085

    /// A refusal that is written in an unusual way, and what must be read of it.
    struct Refusal: CustomTestStringConvertible {
        let name: String
        let body: String
        var message = "No & never"
        var requestID = "FROM-HEADER"

        var testDescription: String { name }

        static let xml = [
            Refusal(
                name: "no request id", body: "<Error><Code>AccessDenied</Code><Message>No &amp; never</Message></Error>"
            ),
            Refusal(
                name: "unknown children",
                body:
                    "<Error><A><B>x</B></A><Code>AccessDenied</Code><C/><Message>No &amp; never</Message><!-- c --><D e='f'>g</D></Error>"
            ),
            Refusal(
                name: "namespace",
                body:
                    "<Error xmlns='http://s3.amazonaws.com/doc/2006-03-01/'><Code>AccessDenied</Code><Message>No &amp; never</Message></Error>"
            ),
            Refusal(
                name: "prefix",
                body:
                    "<e:Error xmlns:e='urn:x'><e:Code>AccessDenied</e:Code><e:Message>No &amp; never</e:Message></e:Error>"
            ),
            Refusal(
                name: "undeclared prefix",
                body: "<e:Error><e:Code>AccessDenied</e:Code><e:Message>No &amp; never</e:Message></e:Error>"),
            Refusal(
                name: "another order",
                body:
                    "<Error><RequestId>FROM-BODY</RequestId><Message>No &amp; never</Message><Code>AccessDenied</Code></Error>",
                requestID: "FROM-BODY"),
            Refusal(
                name: "CDATA",
                body: "<Error><Code><![CDATA[AccessDenied]]></Code><Message><![CDATA[No & never]]></Message></Error>"),
            Refusal(
                name: "references",
                body:
                    "<Error><Code>AccessDenied</Code><Message>No &#38; nev&#x65;r &lt;&gt;&quot;&apos;</Message></Error>",
                message: "No & never <>\"'"),
            Refusal(
                name: "lower case",
                body: "<error><code>AccessDenied</code><message>No &amp; never</message></error>"),
            Refusal(
                name: "two codes",
                body: "<Error><Code>AccessDenied</Code><Code>Other</Code><Message>No &amp; never</Message></Error>"),
            Refusal(
                name: "blanks around",
                body:
                    "\n <Error>\n <Code>\n AccessDenied\n </Code>\n <Message> No &amp; never </Message><RequestId> \n</RequestId></Error>\n"
            ),
        ]

        /// What the OpenAPI writes is never wrapped.
        static let flatJSON = json.filter { !$0.name.contains("wrapped") }

        static let json = [
            Refusal(name: "no request id", body: #"{"Code":"AccessDenied","Message":"No & never"}"#),
            Refusal(
                name: "unknown members",
                body: #"{"A":{"B":[1,2]},"Code":"AccessDenied","C":null,"Message":"No & never","D":1.5}"#),
            Refusal(
                name: "another order",
                body: #"{"RequestId":"FROM-BODY","Message":"No & never","Code":"AccessDenied"}"#, requestID: "FROM-BODY"
            ),
            Refusal(
                name: "escapes", body: #"{"Code":"Access\u0044enied","Message":"No \u0026 never"}"#),
            Refusal(name: "wrapped", body: #"{"Error":{"Code":"AccessDenied","Message":"No & never"}}"#),
            Refusal(
                name: "other types", body: #"{"Code":"AccessDenied","Message":"No & never","RequestId":7,"EC":[]}"#),
            Refusal(name: "lower case", body: #"{"code":"AccessDenied","message":"No & never"}"#),
            Refusal(name: "lower case, wrapped", body: #"{"error":{"code":"AccessDenied","message":"No & never"}}"#),
            Refusal(name: "blanks around", body: "\r\n {\"Code\":\"AccessDenied\",\"Message\":\"No & never\"}\n"),
        ]
    }

    @Test("FR-085: a refusal in XML is read however it is written", arguments: Wire.allCases, Refusal.xml)
    func refusalsInXML(_ wire: Wire, _ refusal: Refusal) async throws {
        try await read(refusal, "application/xml", wire)
    }

    @Test("FR-085: a refusal in JSON is read however it is written", arguments: Wire.allCases, Refusal.json)
    func refusalsInJSON(_ wire: Wire, _ refusal: Refusal) async throws {
        try await read(refusal, "application/json", wire)
    }

    /// Both in place of an answer and with a status that says success.
    private func read(_ refusal: Refusal, _ type: String, _ wire: Wire) async throws {
        let scene = try await WireScene(wire)
        for (call, status) in [
            (WireCall.part, 403), (.complete, 403), (.list, 403), (.complete, 200), (.partCopy, 200),
        ] {
            let fault = scene.server.faults.add(
                .on(call.operation), .answer(status, contentType: type, body: refusal.body),
                .header(wire.requestIDField, "FROM-HEADER"))
            let error = await scene.failure(of: call)
            #expect(error?.code == .accessDenied, "\(call) \(status): \(String(describing: error))")
            #expect(error?.service?.code == "AccessDenied")
            #expect(error?.service?.message == refusal.message)
            #expect(error?.service?.requestID == refusal.requestID)
            fault.remove()
        }
    }

    @Test(
        "FR-085: a document without a code, or none at all, leaves status and request id",
        arguments: Wire.allCases,
        ["<Error/>", "<Error><Code/></Error>", "<Error><Code>AccessDenied</Cod", "{", "{}", "[]", "null", ""])
    func documentsWithoutCode(_ wire: Wire, _ body: String) async throws {
        let scene = try await WireScene(wire)
        scene.server.faults.add(
            .on(.uploadPart), .answer(409, contentType: "application/xml", body: body),
            .header(wire.requestIDField, "FROM-HEADER"))
        let error = await scene.failure(of: .part)
        #expect(error?.code == .conflict)
        #expect(error?.service?.status == 409)
        #expect(error?.service?.code == nil)
        #expect(error?.service?.requestID == "FROM-HEADER")
    }

    @Test("FR-085: so are refusals of the OpenAPI of VOD", arguments: Refusal.flatJSON)
    func refusalsOfOpenAPI(_ refusal: Refusal) async throws {
        let fixture = try await VODFixture()
        fixture.server.faults.add(
            .on(.createUploadVideo), .answer(403, contentType: "application/json", body: refusal.body))
        let path = try fixture.file(size: 1_000)
        let error = await uploadFailure { _ = try await fixture.uploader().uploadFile(path) }
        #expect(error?.errorCode == "AccessDenied", "\(String(describing: error))")
        #expect(error?.errorMessage.contains("No & never") == true)
    }

    // MARK: FR-086

    @Test("FR-086: stored, and the callback failed, is an outcome of its own", arguments: [1, 3])
    func failedCallbackOfOSS(parts: Int) async throws {
        let fixture = try await OSSFixture()
        let bytes = VODFixture.bytes((parts - 1) * OSSFixture.partSize + 5)
        try fixture.directory.write(bytes, to: "a.mp4")
        var input = OSSUploadFileInput(
            bucket: OSSFixture.bucket, key: "a.mp4", filePath: fixture.directory.path("a.mp4"))
        input.partSize = OSSFixture.partSize
        input.enableCheckpoint = true
        input.checkpointFile = fixture.directory.path("checkpoint")
        input.callback = OSSCallback(url: "http://callback.example/", body: "object=${object}")
        fixture.server.faults.add(.on(.completeMultipartUpload, .putObject), .failedCallback(message: "status 502"))
        let error = await failure { [input] in _ = try await fixture.client.uploadFile(input) }
        #expect(error?.code == .storedCallbackFailed)
        #expect(error?.service?.code == "CallbackFailed")
        #expect(error?.service?.status == 203)
        #expect(error?.message.contains("status 502") == true)
        #expect(error?.retry == .never)
        let object = try #require(fixture.object("a.mp4"))
        #expect(object.content.read() == bytes)
        #expect(error?.receipt?.etag == ETag(object.etag))
        #expect(error?.receipt?.checksums.crc64 == object.crc64)
        #expect(error?.receipt?.requestID != nil)
        let log = fixture.server.wireLog
        #expect(log.count(of: .completeMultipartUpload) + log.count(of: .putObject) == 1)
        #expect(log.count(of: .abortMultipartUpload) == 0)
        #expect(fixture.directory.files == ["a.mp4"])
    }

    @Test("FR-086: TOS says so as well", arguments: [true, false])
    func failedCallbackOfTOS(inParts: Bool) async throws {
        let fixture = try await CopyFixture()
        let callback = "eyJjYWxsYmFja1VybCI6Imh0dHA6Ly9hLmV4YW1wbGUvIn0="
        fixture.server.faults.add(.on(.completeMultipartUpload, .putObject), .failedCallback(message: "status 502"))
        let error: TransferError?
        if inParts {
            let upload = try await fixture.client.createMultipartUpload(
                TOSCreateMultipartUploadInput(bucket: "dst-bucket", key: "k"))
            let part = try await fixture.client.uploadPart(
                TOSUploadPartInput(
                    bucket: "dst-bucket", key: "k", uploadID: upload.uploadID, partNumber: 1,
                    content: MemorySource(WireScene.content)))
            var input = TOSCompleteMultipartUploadInput(
                bucket: "dst-bucket", key: "k", uploadID: upload.uploadID,
                parts: [TOSUploadedPart(partNumber: 1, eTag: part.eTag)])
            input.callback = callback
            error = await failure { [input] in _ = try await fixture.client.completeMultipartUpload(input) }
        } else {
            var input = TOSPutObjectInput(bucket: "dst-bucket", key: "k", content: MemorySource(WireScene.content))
            input.callback = callback
            error = await failure { [input] in _ = try await fixture.client.putObject(input) }
        }
        #expect(error?.code == .storedCallbackFailed)
        #expect(error?.service?.code == "CallbackFailed")
        #expect(error?.message.contains("status 502") == true)
        let object = try #require(fixture.server.storage.object("k", in: "dst-bucket"))
        // Complete names the tag in the document alone, in whose place the refusal stands.
        #expect(error?.receipt?.etag == ETag(inParts ? "" : object.etag))
        #expect(error?.receipt?.checksums.crc64 == object.crc64)
        let log = fixture.server.wireLog
        #expect(log.count(of: .completeMultipartUpload) + log.count(of: .putObject) == 1)
    }

    @Test("FR-086: an upload to VOD says so, and keeps no record of it", arguments: [1, 3])
    func failedCallbackOfVOD(parts: Int) async throws {
        let fixture = try await VODFixture()
        let bytes = VODFixture.bytes((parts - 1) * VODFixture.partSize + 5)
        let path = try fixture.file(size: bytes.count)
        fixture.server.faults.add(.on(.completeMultipartUpload, .putObject), .failedCallback())
        let error = await uploadFailure { _ = try await fixture.uploader().uploadFile(path) }
        #expect(error?.errorCode == "CallbackFailed")
        #expect(error?.underlying.code == .storedCallbackFailed)
        #expect(error?.underlying.receipt?.checksums.crc64 == fixture.stored?.crc64)
        #expect(fixture.holds(bytes))
        #expect(fixture.count(.completeMultipartUpload) + fixture.count(.putObject) == 1)
        #expect(fixture.count(.abortMultipartUpload) == 0)
        #expect(try await fixture.uploader().pendingUploads().isEmpty)
    }
}
