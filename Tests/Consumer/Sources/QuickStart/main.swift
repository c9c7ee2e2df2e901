import Foundation
import ObjectTransfer

// Runs the snippets of the README against each other.
let server = try await startServer()
let result = try await copyFilm(
    endpoint: TOSEndpoint(url: server.endpoint, region: server.region),
    credential: TOSCredential(accessKey: server.accessKey, secretKey: server.secretKey))
print(result)

let film = FileManager.default.temporaryDirectory.appendingPathComponent("quick-start-\(UUID().uuidString).mp4")
try Data(count: 3 << 20).write(to: film)
let backend = try VODAppServerClient(url: server.appServerURL)
print(try await uploadVideo(film.path, backend: backend))
await backend.shutdown()
try FileManager.default.removeItem(at: film)
server.stop()
