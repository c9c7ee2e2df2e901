import ObjectStoreStub
import ObjectTransfer

// Runs the snippet of the README against a local server.
var configuration = StubConfiguration()
configuration.buckets = ["films", "archive"]
let server = try await ObjectStoreStub.start(configuration)
try server.storage.putObject("films/a.mov", in: "films", .generated(seed: 1, length: 48 << 20))
let result = try await copyFilm(
    endpoint: TOSEndpoint(url: server.endpoint, region: server.region),
    credential: TOSCredential(accessKey: server.accessKey, secretKey: server.secretKey))
print(result)
server.stop()
