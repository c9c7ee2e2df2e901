import ObjectStoreStub
import ObjectTransfer
import TLSSupport
import TestSupport
import Testing
import TransferPrimitives

/// What certificates must be like is in `TLSReports`; here is what TLS itself must be.
@Suite("Security: TLS") struct SecurityOfTLSTests {
    /// OpenSSL as careless as it can be made, so that it is the library that refuses.
    private static let careless = """
        openssl_conf = defaults
        [defaults]
        ssl_conf = modules
        [modules]
        system_default = system
        [system]
        MinProtocol = TLSv1
        CipherString = DEFAULT:@SECLEVEL=0

        """

    private struct Scene {
        let server: ObjectStoreStub
        let authority: TestCertificate
        let directory: TemporaryDirectory

        init() async throws {
            var configuration = StubConfiguration()
            configuration.buckets = ["dst-bucket"]
            server = try await ObjectStoreStub.start(configuration)
            try server.storage.putObject("k", in: "dst-bucket", .text("x"))
            authority = try TestCertificate.authority()
            directory = try TemporaryDirectory()
            try directory.write(Array(authority.pem.utf8), to: "ca.pem")
            try directory.write(Array(SecurityOfTLSTests.careless.utf8), to: "openssl.cnf")
        }

        func reach(_ url: String, proxy: String = "none") async throws -> [Substring] {
            let environment = [
                "ACCESS_KEY": server.accessKey, "SECRET_KEY": server.secretKey, "AUTHORITY": directory.path("ca.pem"),
                "OPENSSL_CONF": directory.path("openssl.cnf"), "PROXY": proxy,
            ]
            return try await Program.run("MeteredProgram", ["reach", url], environment: environment).lines
        }
    }

    @Test("no version before TLS 1.2, whatever OpenSSL was told", arguments: [true, false])
    func oldVersions(_ isOutdated: Bool) async throws {
        let scene = try await Scene()
        let relay = try TLSRelay(
            .loopback(by: scene.authority), to: scene.server.port, isOutdated: isOutdated)
        defer { relay.stop() }
        let url = "https://127.0.0.1:\(relay.port)"
        let lines = try await scene.reach(url)
        #expect(lines.first == (isOutdated ? "\(url) tlsFailed" : "\(url) ok"), "\(lines)")
        #expect(scene.server.wireLog.entries.isEmpty == isOutdated)
    }

    /// The proxy's certificate is nobody's here: it matters why the connection failed.
    @Test("nor to a proxy", arguments: [true, false])
    func oldVersionsToProxy(_ isOutdated: Bool) async throws {
        let scene = try await Scene()
        let relay = try TLSRelay(
            .loopback(by: scene.authority), to: scene.server.port, isOutdated: isOutdated)
        defer { relay.stop() }
        let lines = try await scene.reach("http://store.example", proxy: "https://127.0.0.1:\(relay.port)")
        let text = lines.joined(separator: " ")
        #expect(text.contains("tlsFailed"), "\(text)")
        #expect(text.contains("certificate") != isOutdated, "\(text)")
        #expect(scene.server.wireLog.entries.isEmpty)
    }
}
