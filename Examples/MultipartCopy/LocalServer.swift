import ExampleSupport
import ObjectStoreStub
import ObjectTransfer

/// A TOS in this process, for those who have no other at hand.
enum LocalServer {
    static func run() async throws {
        var configuration = StubConfiguration()
        configuration.buckets = ["demo-source", "demo-target"]
        let server = try ObjectStoreStub.startNow(configuration)
        defer { server.stop() }
        try server.storage.putObject("films/a.mov", in: "demo-source", .generated(seed: 7, length: 50 << 20))
        Terminal.print("A TOS server runs in this process at \(server.endpoint).")
        try await MultipartCopy.run(
            CopySteps(
                sourceBucket: "demo-source", sourceKey: "films/a.mov", bucket: "demo-target", key: "films/a.mov"),
            TOSClientConfiguration(
                endpoint: TOSEndpoint(url: server.endpoint, region: server.region),
                credential: TOSCredential(accessKey: server.accessKey, secretKey: server.secretKey)))
    }
}
