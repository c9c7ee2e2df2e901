import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TLSSupport
import TestSupport
import Testing
import TransferPrimitives

/// Field reports about TLS, proxies and how the network is set up.
@Suite("Field reports: TLS, proxy and network set-up") struct TLSReports {
    // MARK: FR-087

    /// How a client may be told of an authority.
    enum Telling: String, CaseIterable, CustomTestStringConvertible {
        case file
        case directory
        case bytes

        var testDescription: String { rawValue }

        func authority(_ certificate: TestCertificate, in directory: TemporaryDirectory) throws -> CertificateAuthority
        {
            let pem = Array(certificate.pem.utf8)
            switch self {
            case .file:
                try directory.write(pem, to: "ca.pem")
                return .file(directory.path("ca.pem"))
            case .directory:
                try directory.write(pem, to: certificate.hashedName)
                return .directory(directory.path)
            case .bytes: return .bytes(pem)
            }
        }
    }

    @Test(
        "FR-087: an authority of one's own is given as file, directory or bytes, to one client alone",
        arguments: Wire.allCases, Telling.allCases)
    func privateAuthority(_ wire: Wire, _ telling: Telling) async throws {
        let authority = try TestCertificate.authority()
        let scene = try await WireScene(wire, retries: 2)
        let relay = try TLSRelay(.loopback(by: authority), to: scene.server.port)
        defer { relay.stop() }
        let directory = try TemporaryDirectory()
        let given = try telling.authority(authority, in: directory)
        let url = "https://127.0.0.1:\(relay.port)"
        let knowing = try scene.reached(by: url) { $0.certificateAuthority = given }
        let unknowing = try scene.reached(by: url)
        // Before, between and after: neither client learns of the other's setting.
        for _ in 1...2 {
            let error = await unknowing.failure(of: .head)
            #expect(error?.code == .tlsFailed)
            try await knowing.perform(.head)
        }
        try await knowing.perform(.part)
        #expect(scene.server.wireLog.count(of: .headObject) == 2)
    }

    @Test("FR-087: an authority that vouches for somebody else is of no help", arguments: Telling.allCases)
    func anotherAuthority(_ telling: Telling) async throws {
        let scene = try await WireScene(.oss)
        let relay = try TLSRelay(.loopback(by: .authority()), to: scene.server.port)
        defer { relay.stop() }
        let directory = try TemporaryDirectory()
        let other = try telling.authority(.authority("Another authority"), in: directory)
        let client = try scene.reached(by: "https://127.0.0.1:\(relay.port)") { $0.certificateAuthority = other }
        let error = await client.failure(of: .head)
        #expect(error?.code == .tlsFailed)
        #expect(scene.server.wireLog.entries.isEmpty)
    }

    @Test("FR-087: uploads to VOD, its OpenAPI and an application server take one as well", arguments: Telling.allCases)
    func privateAuthorityForVOD(_ telling: Telling) async throws {
        let authority = try TestCertificate.authority()
        let fixture = try await VODFixture()
        let relay = try TLSRelay(.loopback(by: authority), to: fixture.server.port)
        defer { relay.stop() }
        let directory = try TemporaryDirectory()
        let given = try telling.authority(authority, in: directory)
        let url = "https://127.0.0.1:\(relay.port)"
        fixture.server.vod.settings.accelerateEndpoint = url
        let path = try fixture.file(size: 1_000)
        for (authority, isKnown) in [(given, true), (CertificateAuthority.system, false)] {
            var transport = TransportConfiguration()
            transport.proxy = .none
            transport.certificateAuthority = authority
            let backend = try VODAppServerClient(url: url + "/app", transport: transport)
            var openAPI = VODOpenAPIConfiguration(
                credential: Credentials(accessKey: fixture.server.accessKey, secretKey: fixture.server.secretKey))
            openAPI.endpoint = url
            openAPI.transport = transport
            for auth in [VODGetAuth.appServer(backend), .openAPI(try VODOpenAPIClient(openAPI))] {
                let uploader = try fixture.uploader(auth) { $0.certificateAuthority = authority }
                var options = VODUploadOptions()
                options.videoMeta = VODVideoMeta(userData: #"{"Type":"oss","Domain":"oss-accelerate.aliyuncs.com"}"#)
                if isKnown {
                    _ = try await uploader.uploadFile(path, options: options)
                } else {
                    let error = await uploadFailure { [options] in
                        _ = try await uploader.uploadFile(path, options: options)
                    }
                    #expect(error?.underlying.underlying != nil)
                }
            }
            // And that of the storage alone.
            let uploader = try fixture.uploader { $0.certificateAuthority = authority }
            var options = VODUploadOptions()
            options.videoMeta = VODVideoMeta(userData: #"{"Type":"oss","Domain":"oss-accelerate.aliyuncs.com"}"#)
            if isKnown {
                _ = try await uploader.uploadFile(path, options: options)
            } else {
                let error = await uploadFailure { [options] in
                    _ = try await uploader.uploadFile(path, options: options)
                }
                #expect(error?.underlying.code == .tlsFailed)
            }
        }
        #expect(fixture.count(.putObject) == 3)
        #expect(relay.visits.contains { $0.isSecure })
    }

    // MARK: FR-088

    /// A certificate that must not be taken.
    struct Bad: CustomTestStringConvertible {
        let name: String
        var host = "127.0.0.1"
        /// A word that the error says.
        let reason: String
        let make: @Sendable (TestCertificate) throws -> TestCertificate

        var testDescription: String { name }

        static let all = [
            Bad(name: "self-signed", reason: "self") { _ in try .loopback(by: nil) },
            Bad(name: "of an unknown authority", reason: "issuer") { _ in try .loopback(by: .authority("Stranger")) },
            Bad(name: "expired", reason: "expired") { try .loopback(by: $0, validity: -7_200 ... -3_600) },
            Bad(name: "not yet valid", reason: "not yet valid") { try .loopback(by: $0, validity: 3_600...7_200) },
            Bad(name: "wrong host name", host: "store.example", reason: "store.example") { try .loopback(by: $0) },
            Bad(name: "wrong host by IP", reason: "127.0.0.1") {
                try .loopback(by: $0, names: "DNS:store.example,IP:127.0.0.2")
            },
            Bad(name: "host in the common name alone", host: "store.example", reason: "store.example") {
                try TestCertificate("store.example", alternativeNames: "DNS:other.example", issuer: $0)
            },
            Bad(name: "weak chain", reason: "weak") { try .loopback(by: $0, hasWeakSignature: true) },
        ]
    }

    @Test(
        "FR-088: a bad certificate ends the call at the first connection, says why, and hears nothing of the request",
        arguments: Bad.all, [Wire.oss, .tos, .s3])
    func badCertificate(_ bad: Bad, _ wire: Wire) async throws {
        let authority = try TestCertificate.authority()
        let scene = try await WireScene(wire, retries: 3)
        let relay = try TLSRelay(bad.make(authority), to: scene.server.port)
        defer { relay.stop() }
        let client = try scene.reached(by: "https://\(bad.host):\(relay.port)") {
            $0.certificateAuthority = .bytes(Array(authority.pem.utf8))
            $0.resolver = LoopbackResolver()
        }
        let error = await client.failure(of: .part)
        #expect(error?.code == .tlsFailed)
        #expect(error?.retry == .never)
        #expect(error?.attempts == 1)
        #expect(error?.message.lowercased().contains(bad.reason) == true, "\(error?.message ?? "")")
        #expect(relay.accepted == 1)
        #expect(relay.visits.map(\.received) == [0])
        #expect(scene.server.wireLog.entries.isEmpty)
    }

    @Test("FR-088: a transfer with many parts makes one connection for all of them", arguments: [Wire.oss, .s3])
    func badCertificateInTransfer(_ wire: Wire) async throws {
        let scene = try await WireScene(wire, retries: 3)
        let relay = try TLSRelay(.loopback(by: nil), to: scene.server.port)
        defer { relay.stop() }
        let client = try scene.reached(by: "https://127.0.0.1:\(relay.port)")
        let source = UploadSource.bytes([UInt8](repeating: 1, count: 11 << 20), name: "a")
        let engine = TransferEngine()
        let handle = try engine.upload(
            source, to: scene.target, using: client.backend,
            options: TransferOptions(partSize: 5 << 20, concurrency: 3))
        let error = await failure { _ = try await handle.value }
        #expect(error?.code == .tlsFailed)
        #expect(relay.accepted == 1)
    }

    // MARK: FR-089

    /// A row of the table: what the environment says, and how an address is then reached.
    struct Way: CustomTestStringConvertible {
        let environment: [String: String]
        let url: String
        let isByProxy: Bool

        var testDescription: String {
            let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(
                separator: " ")
            return "\(variables) \(url)"
        }

        init(_ environment: [String: String], _ url: String, isByProxy: Bool) {
            self.environment = environment
            self.url = url
            self.isByProxy = isByProxy
        }

        /// `PROXY`, `PLAIN` and `TLS` stand for addresses and ports that the test knows.
        static let all = [
            Way([:], "http://127.0.0.1:PLAIN", isByProxy: false),
            Way(["http_proxy": "PROXY"], "http://127.0.0.1:PLAIN", isByProxy: true),
            Way(["HTTP_PROXY": "PROXY"], "http://a.store.example:PLAIN", isByProxy: true),
            // In a CGI process a client of it can set that variable.
            Way(["HTTP_PROXY": "PROXY", "REQUEST_METHOD": "GET"], "http://127.0.0.1:PLAIN", isByProxy: false),
            // The proxy for http is none for https, and the other way round.
            Way(["HTTP_PROXY": "PROXY"], "https://store.example:TLS", isByProxy: false),
            Way(["HTTPS_PROXY": "PROXY"], "http://store.example:PLAIN", isByProxy: false),
            Way(["HTTPS_PROXY": "PROXY"], "https://store.example:TLS", isByProxy: true),
            Way(["https_proxy": "PROXY"], "https://127.0.0.1:TLS", isByProxy: true),
            Way(["ALL_PROXY": "PROXY"], "https://store.example:TLS", isByProxy: true),
            Way(["all_proxy": "PROXY"], "http://store.example:PLAIN", isByProxy: true),
            Way(["HTTPS_PROXY": "PROXY", "NO_PROXY": "store.example"], "https://store.example:TLS", isByProxy: false),
            Way(
                ["HTTPS_PROXY": "PROXY", "NO_PROXY": "store.example"], "https://a.store.example:TLS", isByProxy: false),
            Way(
                ["HTTPS_PROXY": "PROXY", "NO_PROXY": ".store.example"], "https://a.store.example:TLS", isByProxy: false),
            Way(["HTTPS_PROXY": "PROXY", "NO_PROXY": "tore.example"], "https://store.example:TLS", isByProxy: true),
            Way(
                ["HTTP_PROXY": "PROXY", "NO_PROXY": "x, store.example"], "http://store.example:PLAIN", isByProxy: false),
            Way(["HTTP_PROXY": "PROXY", "no_proxy": "127.0.0.1"], "http://127.0.0.1:PLAIN", isByProxy: false),
            Way(["HTTP_PROXY": "PROXY", "NO_PROXY": "127.0.0.1:PLAIN"], "http://127.0.0.1:PLAIN", isByProxy: false),
            Way(["HTTP_PROXY": "PROXY", "NO_PROXY": "127.0.0.1:1"], "http://127.0.0.1:PLAIN", isByProxy: true),
            Way(["HTTPS_PROXY": "PROXY", "NO_PROXY": "*"], "https://store.example:TLS", isByProxy: false),
            Way(["HTTP_PROXY": "PROXY", "NO_PROXY": "*"], "http://127.0.0.1:PLAIN", isByProxy: false),
            Way(["HTTP_PROXY": "PROXY", "NO_PROXY": "[::1]"], "http://[::1]:IPV6", isByProxy: false),
            Way(["HTTP_PROXY": "PROXY", "NO_PROXY": "::1"], "http://[::1]:IPV6", isByProxy: false),
            Way(["HTTP_PROXY": "PROXY", "NO_PROXY": "[::1]:IPV6"], "http://[::1]:IPV6", isByProxy: false),
            Way(["HTTP_PROXY": "PROXY", "NO_PROXY": "[::2]"], "http://127.0.0.1:PLAIN", isByProxy: true),
            // What the client itself is told goes before the environment.
            Way(["PROXY": "PROXY", "NO_PROXY": "*"], "http://127.0.0.1:PLAIN", isByProxy: true),
            Way(["PROXY": "PROXY"], "https://store.example:TLS", isByProxy: true),
            Way(["PROXY": "none", "HTTP_PROXY": "PROXY"], "http://127.0.0.1:PLAIN", isByProxy: false),
            Way(["PROXY": "none", "HTTPS_PROXY": "PROXY"], "https://store.example:TLS", isByProxy: false),
        ]
    }

    /// A service in three addresses and a proxy.
    private struct Network {
        let scene: WireScene
        let ipv6: ObjectStoreStub
        let relay: TLSRelay
        let proxy: RecordingProxy
        let directory: TemporaryDirectory

        init(password: String? = nil) async throws {
            let authority = try TestCertificate.authority()
            scene = try await WireScene(.oss)
            var configuration = StubConfiguration()
            configuration.host = "::1"
            configuration.buckets = ["dst-bucket"]
            ipv6 = try await ObjectStoreStub.start(configuration)
            for server in [scene.server, ipv6] { try server.storage.putObject("k", in: "dst-bucket", .text("x")) }
            relay = try TLSRelay(
                TestCertificate.loopback(by: authority, names: "DNS:*.store.example,DNS:store.example,IP:127.0.0.1"),
                to: scene.server.port)
            proxy = try RecordingProxy(password: password)
            directory = try TemporaryDirectory()
            try directory.write(Array(authority.pem.utf8), to: "ca.pem")
        }

        func stop() {
            relay.stop()
            proxy.stop()
        }

        func filled(_ text: String, proxyURL: String? = nil) -> String {
            text.replacing("PROXY", with: proxyURL ?? proxy.url).replacing("PLAIN", with: "\(scene.server.port)")
                .replacing("IPV6", with: "\(ipv6.port)").replacing("TLS", with: "\(relay.port)")
        }

        /// Asks for an object from a process with this environment and no other proxy variables.
        func reach(_ url: String, _ environment: [String: String], proxyURL: String? = nil) async throws -> [Substring]
        {
            var all = [
                "ACCESS_KEY": scene.server.accessKey, "SECRET_KEY": scene.server.secretKey,
                "AUTHORITY": directory.path("ca.pem"),
            ]
            for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
                all[name] = ""
                all[name.uppercased()] = ""
            }
            for (name, value) in environment { all[name] = filled(value, proxyURL: proxyURL) }
            return try await Program.run("MeteredProgram", ["reach", filled(url)], environment: all).lines
        }

        var requests: [WireEntry] { scene.server.wireLog.entries + ipv6.wireLog.entries }
    }

    @Test("FR-089: the way that environment, setting and address give is the one that is taken", arguments: Way.all)
    func ways(_ way: Way) async throws {
        let network = try await Network()
        defer { network.stop() }
        let lines = try await network.reach(way.url, way.environment)
        #expect(lines == ["\(network.filled(way.url)) ok"])
        #expect(network.requests.map(\.operation) == [.headObject])
        let asked = network.proxy.requests
        #expect(asked.count == (way.isByProxy ? 1 : 0), "\(asked)")
        if let request = asked.first {
            #expect(request.isTunnel == way.url.hasPrefix("https"))
            #expect(request.line.contains(network.filled(way.url).drop { $0 != "/" }.dropFirst(2)))
        }
    }

    @Test("FR-089: a proxy that refuses the password is an error of its own, asked once", arguments: ["http", "https"])
    func refusedPassword(_ scheme: String) async throws {
        let network = try await Network(password: "user:right")
        defer { network.stop() }
        let address = scheme == "http" ? "http://store.example:PLAIN" : "https://store.example:TLS"
        let url = "http://user:wrongpass@127.0.0.1:\(network.proxy.port)"
        let lines = try await network.reach(address, ["ALL_PROXY": "PROXY"], proxyURL: url)
        #expect(lines.first == "\(network.filled(address)) proxyFailed")
        #expect(lines.count == 2)
        #expect(lines.last?.contains("407") == true)
        #expect(!lines.joined().contains("wrongpass"))
        #expect(network.proxy.requests.count == 1)
        #expect(network.requests.isEmpty)
    }

    @Test("FR-089: the proxy's password goes to the proxy alone", arguments: ["http", "https"])
    func rightPassword(_ scheme: String) async throws {
        let network = try await Network(password: "user:right word")
        defer { network.stop() }
        let address = scheme == "http" ? "http://store.example:PLAIN" : "https://store.example:TLS"
        let url = "http://user:right%20word@127.0.0.1:\(network.proxy.port)"
        let lines = try await network.reach(address, ["ALL_PROXY": "PROXY"], proxyURL: url)
        #expect(lines == ["\(network.filled(address)) ok"])
        #expect(network.requests.map(\.operation) == [.headObject])
        #expect(
            network.requests.allSatisfy { $0.header("Proxy-Authorization") == nil && !$0.headText.contains("right") })
        // Neither does what the service is asked for reach the proxy where there is a tunnel.
        #expect(network.proxy.requests.map { $0.value("Authorization") == nil } == [scheme == "https"])
    }

    @Test("FR-089: where a proxy is passed by, its password goes nowhere")
    func passedByPassword() async throws {
        let network = try await Network()
        defer { network.stop() }
        let url = "http://user:right@127.0.0.1:\(network.proxy.port)"
        let lines = try await network.reach(
            "http://store.example:PLAIN", ["HTTP_PROXY": "PROXY", "NO_PROXY": "store.example"], proxyURL: url)
        #expect(lines == ["\(network.filled("http://store.example:PLAIN")) ok"])
        #expect(network.proxy.requests.isEmpty)
        #expect(network.requests.allSatisfy { $0.header("Proxy-Authorization") == nil })
    }

    // MARK: FR-090

    @Test(
        "FR-090: HTTP/1.1 over several connections is the default, and HTTP/2 a choice",
        arguments: [HTTPVersion.http1, .http2])
    func version(_ version: HTTPVersion) async throws {
        let authority = try TestCertificate.authority()
        let fixture = try await OSSFixture()
        let relay = try TLSRelay(.loopback(by: authority), to: fixture.server.port)
        defer { relay.stop() }
        let client = try OSSFixture.client(of: fixture.server) {
            $0.endpoint.url = "https://127.0.0.1:\(relay.port)"
            $0.transport.certificateAuthority = .bytes(Array(authority.pem.utf8))
            if version == .http2 { $0.transport.httpVersion = .http2 }
        }
        // Eight parts are held at once: the ninth does not come before one of them has ended.
        let held = fixture.server.faults.add(.on(.uploadPart).first(8), .hold)
        try fixture.directory.write([UInt8](repeating: 1, count: 40 * OSSFixture.partSize), to: "a")
        var input = OSSUploadFileInput(bucket: OSSFixture.bucket, key: "a", filePath: fixture.directory.path("a"))
        input.partSize = OSSFixture.partSize
        input.parallel = 8
        let upload = try client.startUploadFile(input)
        try await held.waitUntilHeld(8)
        // The one of Create is used again.
        #expect(relay.openConnections >= 8)
        held.release()
        _ = try await upload.value
        #expect(fixture.server.wireLog.mostAtOnce(of: .uploadPart) == 8)
        #expect(relay.accepted <= 10)
        for visit in relay.visits { #expect(visit.offered.contains("h2") == (version == .http2)) }
    }

    @Test(
        "FR-090: with a server that offers both, HTTP/2 shares connections and HTTP/1.1 does not (needs nginx)",
        .enabled(if: HTTP2Server.isInstalled, "nginx is not installed"), arguments: [HTTPVersion.http1, .http2])
    func bothVersions(_ version: HTTPVersion) async throws {
        let authority = try TestCertificate.authority()
        let fixture = try await OSSFixture()
        let server = try await HTTP2Server.start(
            TestCertificate.loopback(by: authority), to: fixture.server.port)
        let client = try OSSFixture.client(of: fixture.server) {
            $0.endpoint.url = "https://127.0.0.1:\(server.port)"
            $0.transport.certificateAuthority = .bytes(Array(authority.pem.utf8))
            if version == .http2 { $0.transport.httpVersion = .http2 }
        }
        try fixture.directory.write([UInt8](repeating: 1, count: 40 * OSSFixture.partSize), to: "a")
        var input = OSSUploadFileInput(bucket: OSSFixture.bucket, key: "a", filePath: fixture.directory.path("a"))
        input.partSize = OSSFixture.partSize
        input.parallel = 8
        let output = try await client.uploadFile(input)
        #expect(output.verification == .crc64)
        await client.shutdown()
        let requests = try await server.stop(after: 42)
        #expect(requests.count == 42)
        #expect(requests.allSatisfy { $0.version == (version == .http2 ? "HTTP/2.0" : "HTTP/1.1") }, "\(requests)")
        // One for each event loop.
        if version == .http2 { #expect(Set(requests.map(\.connection)).count <= 2) }
    }

    // MARK: FR-091

    @Test("FR-091: a peer that closes while TLS is written to ends no process, and changes none of its signals")
    func brokenPipes() async throws {
        let authority = try TestCertificate.authority()
        let server = try await WireScene(.oss).server
        let random = LockBox(SeededRandom(seed: 91))
        // Two connections of three break, anywhere in the request or behind it.
        let relay = try TLSRelay(.loopback(by: authority), to: server.port) { number in
            guard number % 3 != 2 else { return nil }
            let place = random.withLock { $0.next() } % 310_000
            return (Int(place), number % 2 == 0 ? .reset : .close)
        }
        defer { relay.stop() }
        let directory = try TemporaryDirectory()
        try directory.write(Array(authority.pem.utf8), to: "ca.pem")
        let gates = try (0..<20).map { turn in
            let key = "gate-\(turn * 10 + 9)"
            try server.storage.putObject(key, in: "dst-bucket", .text(""))
            return server.faults.add(.on(.headObject).key(key), .hold)
        }
        async let ended = Program.run(
            "MeteredProgram", ["broken", "200"],
            environment: [
                "ENDPOINT": "https://127.0.0.1:\(relay.port)", "GATE": server.endpoint, "ACCESS_KEY": server.accessKey,
                "SECRET_KEY": server.secretKey, "AUTHORITY": directory.path("ca.pem"),
            ])
        for gate in gates {
            try await gate.waitUntilHeld()
            relay.closeConnections()
            gate.release()
        }
        let outcome = try await ended
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines == ["deadly true", "stored 200", "deadly true"])
        #expect(server.storage.object("k199", in: "dst-bucket")?.length == 300 << 10)
        // The 200 went over connections that broke, and over those that came in their place.
        #expect(server.wireLog.entries(of: .putObject).contains { $0.status == nil })
        #expect(relay.accepted > 20)
    }
}

/// Every name is this machine.
private struct LoopbackResolver: HostResolver {
    func addresses(of host: String) async throws -> [String] { ["127.0.0.1"] }
}
