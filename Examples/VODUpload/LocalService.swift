import ExampleSupport
import ObjectStoreStub
import ObjectTransfer

/// VOD and OSS in this process, for whoever has no account at hand.
final class LocalService {
    private let server: ObjectStoreStub

    init() throws {
        server = try ObjectStoreStub.startNow()
    }

    var endpoint: String { server.endpoint }

    /// The OpenAPI of the server, with the server's own key.
    func client() throws -> VODOpenAPIClient {
        var configuration = VODOpenAPIConfiguration(
            credential: Credentials(accessKey: server.accessKey, secretKey: server.secretKey))
        configuration.endpoint = server.endpoint
        return try VODOpenAPIClient(configuration)
    }

    func stop() { server.stop() }
}
