#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Pages for the tests of other processes, unsigned, under `/_stub/`; neither logged nor met by faults.
///
/// | request | answer |
/// |---|---|
/// | `GET /_stub/objects/BUCKET/KEY` | `{"length":…,"crc64":"…","etag":"…","versionId":…,"metadata":{…}}`, or 404 |
/// | `GET /_stub/uploads` | `[{"bucket":…,"key":…,"uploadId":…,"parts":[1,2,…]}]` |
/// | `GET /_stub/log` | `{"connections":…,"operations":{"PutObject":…}}`: requests that arrived |
/// | `GET /_stub/parts` | `{"BUCKET/KEY":{"1":2}}`: how often each part was stored with success |
/// | `GET /_stub/requests` | the wire log, one line a request, without secrets |
/// | `GET /_stub/vod` | `{"videos":[{"id":…,"title":…,"bucket":…,"key":…,"refreshes":0}],"images":[{"id":…,…}]}` |
/// | `DELETE /_stub/log` | forgets the log and its counts |
///
/// CRC-64 values are decimal text, for many JSON readers would round them.
struct AdminDialect: Dialect {
    let name = "admin"
    let vod: VODService

    func recognises(_ head: RequestHead) -> Bool { head.rawPath.hasPrefix("/_stub/") }

    func open(_ head: RequestHead, _ server: ServerContext) -> any DialectExchange { AdminExchange(head, server, vod) }
}

struct AdminExchange: DialectExchange {
    private let head: RequestHead
    private let server: ServerContext
    private let vod: VODService
    let request: StoreRequest
    let bodyUse = BodyUse.document(limit: 64 << 10)
    let requestIDField = "x-stub-request-id"
    let isService = false

    init(_ head: RequestHead, _ server: ServerContext, _ vod: VODService) {
        self.head = head
        self.server = server
        self.vod = vod
        request = StoreRequest(operation: .unknown, dialect: "admin", method: head.method, target: head.target)
    }

    func authorise(at now: Date) throws(ServiceFailure) {}

    func expiredToken() -> ServiceFailure { .accessDenied }

    func refuse(_ failure: ServiceFailure, at now: Date) -> WireAnswer {
        document(.object([("error", .string(failure.code))]), status: failure.status)
    }

    func perform(
        _ body: ReceivedBody, _ adjustments: ResultAdjustments, at now: Date
    ) throws(ServiceFailure) -> WireAnswer {
        let path = head.rawPath.dropFirst("/_stub/".count)
        switch (head.method, path) {
        case ("GET", "log"): return document(log)
        case ("DELETE", "log"):
            server.log.clear()
            return WireAnswer(status: 204)
        case ("GET", "parts"): return document(parts)
        case ("GET", "uploads"): return document(uploads)
        case ("GET", "vod"): return document(media)
        case ("GET", "requests"):
            let lines = server.log.entries.map { $0.description + "\n" }.joined()
            return WireAnswer(
                status: 200, fields: [WireAnswer.Field(name: "Content-Type", value: "text/plain; charset=utf-8")],
                body: Array(lines.utf8))
        case ("GET", _) where path.hasPrefix("objects/"):
            let address = try Addressing.address(rawPath: "/" + path.dropFirst("objects/".count), style: .path)
            guard let object = server.storage.object(address.key, in: address.bucket) else { throw .noSuchKey }
            return document(describe(object))
        default: throw .notImplemented
        }
    }

    private func document(_ json: JSONText, status: Int = 200) -> WireAnswer {
        WireAnswer(
            status: status, fields: [WireAnswer.Field(name: "Content-Type", value: "application/json")],
            body: json.bytes)
    }

    private func describe(_ object: StoredObject) -> JSONText {
        .object([
            ("length", .unsigned(object.length)),
            ("crc64", object.crc64.map { .string(String($0)) } ?? .null),
            ("etag", .string(object.etag)),
            ("versionId", object.versionID.map { .string($0) } ?? .null),
            ("contentType", object.attributes.contentType.map { .string($0) } ?? .null),
            (
                "metadata",
                .object(object.attributes.metadata.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
            ),
        ])
    }

    private var log: JSONText {
        let counts = server.log.counts.sorted { $0.key.rawValue < $1.key.rawValue }
        return .object([
            ("connections", .integer(Int64(server.log.connectionCount))),
            ("operations", .object(counts.map { ($0.key.rawValue, .integer(Int64($0.value))) })),
        ])
    }

    private var uploads: JSONText {
        .array(
            server.storage.uploads.map { upload in
                .object([
                    ("bucket", .string(upload.bucket)), ("key", .string(upload.key)), ("uploadId", .string(upload.id)),
                    ("parts", .array(upload.parts.map { .integer(Int64($0.number)) })),
                ])
            })
    }

    private var media: JSONText {
        func describe(_ id: String, _ title: String?, _ bucket: String, _ key: String) -> [(String, JSONText)] {
            [
                ("id", .string(id)), ("title", title.map { .string($0) } ?? .null), ("bucket", .string(bucket)),
                ("key", .string(key)),
            ]
        }
        let videos = vod.videos.map { video in
            JSONText.object(
                describe(video.id, video.title, video.bucket, video.key)
                    + [("refreshes", .integer(Int64(video.refreshCount)))])
        }
        let images = vod.images.map { JSONText.object(describe($0.id, $0.title, $0.bucket, $0.key)) }
        return .object([("videos", .array(videos)), ("images", .array(images))])
    }

    private var parts: JSONText {
        let counts = server.storage.storedPartCounts
        return .object(
            counts.sorted { $0.key < $1.key }.map { name, numbers in
                (name, .object(numbers.sorted { $0.key < $1.key }.map { (String($0.key), .integer(Int64($0.value))) }))
            })
    }
}
