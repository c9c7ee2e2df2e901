import Foundation
import ObjectStoreStub
import ObjectTransfer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Runs the snippets of the README, of docs/from-ios.md and of the documentation's articles against each other.
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

// Those of docs/from-ios.md.
print(copyInTasks(tos) { event in print(event.type) })
print(
    try await pauseAndResume(
        tos,
        {
            var input = TOSResumableCopyObjectInput(
                srcBucket: "films", srcKey: "a.mov", bucket: "archive", key: "paused/a.mov")
            input.enableCheckpoint = true
            input.checkpointFile = film.path + ".records/"
            return input
        }()))
print(try await copyByHand(tos))
for key in ["copies/a.mov", "paused/a.mov", "by-hand/a.mov"] {
    // Here, too, a call that is awaited is the async one.
    let head = try await tos.headObject(TOSHeadObjectInput(bucket: "archive", key: key))
    guard head.contentLength == 96 << 20 else { throw URLError(.cannotDecodeContentData) }
}
guard try await downloadFilm(tos, to: film.path + ".mov") == 96 << 20 else { throw URLError(.cannotDecodeContentData) }
server.faults.removeAll()

// Those of the articles.
do {
    _ = try await tos.headObject(TOSHeadObjectInput(bucket: "films", key: "b.mov"))
    throw URLError(.unknown)
} catch let error as TransferError {
    guard advice(error) == "there is no films/b.mov" else { throw error }
}
guard try await uploadFilm(film.path, within: .seconds(600), using: tos) else { throw URLError(.timedOut) }
let table = TableStore()
var tabled = TOSResumableCopyObjectInput(srcBucket: "films", srcKey: "a.mov", bucket: "archive", key: "tabled/a.mov")
tabled.enableCheckpoint = true
tabled.checkpointStore = table
print(try await pauseAndResume(tos, tabled))
guard await table.pending().isEmpty else { throw URLError(.unknown) }
let denied = server.faults.add(.on(.uploadPartCopy).part(3), .status(503, code: "ServiceUnavailable"))
tabled.key = "followed/a.mov"
tabled.maxRetryCount = 0
do {
    print(try await followCopy(tabled, using: tos))
    throw URLError(.unknown)
} catch let error as TransferError {
    print(advice(error))
}
guard try await giveUpTransfers(to: "archive", in: table, using: tos) == 1, server.storage.uploads.isEmpty else {
    throw URLError(.unknown)
}
denied.remove()
print(try await followCopy(tabled, using: tos))
let backend = Backend(url: server.appServerURL)
let uploaded: VODUploadResult = try await withCheckedThrowingContinuation { continuation in
    do {
        let uploader = try uploadWithCallbacks(
            film.path,
            askBackend: { context, completion in
                Task {
                    do {
                        let path = context.kind == .createVideo ? "/videos" : "/videos/refresh"
                        let answer = try await backend.post(path, body: context.json())
                        completion(.success(String(decoding: answer, as: UTF8.self)))
                    } catch {
                        completion(.failure(error))
                    }
                }
            },
            done: { continuation.resume(with: $0) })
        print(uploader.config.parallel)
    } catch {
        continuation.resume(throwing: error)
    }
}
print(uploaded.videoId ?? "")

await uploader.shutdown()
await tos.shutdown()
await oss.shutdown()
await api.shutdown()
await app.shutdown()
for path in [film.path, film.path + ".mov", film.path + ".records"] { try FileManager.default.removeItem(atPath: path) }
server.stop()
