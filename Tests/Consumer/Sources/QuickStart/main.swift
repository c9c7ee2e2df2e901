import Foundation
import ObjectStoreStub
import ObjectTransfer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Runs the snippets of the README against each other.
let server = try await startServer()
let result = try await copyFilm(
    endpoint: TOSEndpoint(url: server.endpoint, region: server.region),
    credential: TOSCredential(accessKey: server.accessKey, secretKey: server.secretKey))
print(result)

let film = FileManager.default.temporaryDirectory.appendingPathComponent("quick-start-\(UUID().uuidString).mp4")
try Data(count: 3 << 20).write(to: film)
let (tos, oss, api, app) = try clients(of: server)
print(try await uploadVideo(film.path, backend: app))

let url = try await shareFilm(
    film.path, endpoint: OSSEndpoint(url: server.endpoint, region: server.ossRegion),
    credential: OSSCredential(accessKey: server.accessKey, secretKey: server.secretKey))
let (bytes, _) = try await URLSession.shared.data(from: URL(string: url) ?? film)
guard bytes.count == 3 << 20 else { throw URLError(.cannotDecodeContentData) }

// An upload that stops after some parts, and is given up.
var config = handOut(Backend(url: server.appServerURL))
config.checkpointDirectory = film.path + ".records"
config.parallel = 1
server.faults.add(.on(.uploadPart).part(3), .status(403, code: "AccessDenied"))
let uploader = try VODUploader(config)
do {
    _ = try await uploader.uploadFile(film.path)
    throw URLError(.unknown)
} catch let error as VODUploadError {
    print(error.localizedDescription)
}
try await giveUp(uploader) { _ in false }
guard try await uploader.pendingUploads().isEmpty else { throw URLError(.unknown) }

await uploader.shutdown()
await end(tos)
await oss.shutdown()
await api.shutdown()
await app.shutdown()
for path in [film.path, film.path + ".records"] { try FileManager.default.removeItem(atPath: path) }
server.stop()

/// In a function, for at the top level Swift takes the form that returns a task and waits for nothing.
func end(_ client: TOSClient) async { await client.shutdown() }
