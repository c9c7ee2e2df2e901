import TransferHTTP
import TransferPrimitives

@testable import AliyunOSS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A small OSS in memory, behind the transport's interface: what uploads and copies need, and no signatures.
final class FakeOSS: HTTPTransport {
    struct Object: Sendable {
        var bytes: [UInt8]
        var etag: String
        var headers: [String: String] = [:]
        var crc: UInt64 { FakeOSS.crc(bytes) }
    }

    struct Upload: Sendable {
        let key: String
        let headers: [String: String]
        var parts: [Int: Object] = [:]
    }

    struct State: Sendable {
        /// By bucket and key.
        var objects: [String: Object] = [:]
        var uploads: [String: Upload] = [:]
        var lastID = 0
        var requests: [HTTPRequest] = []
    }

    /// Answers in place of the service; nil lets it answer.
    typealias Fault = @Sendable (HTTPRequest) async throws -> HTTPResponse?

    private let state: LockBox<State>
    private let fault: Fault
    /// The answer to a request that was performed; thrown errors lose it.
    private let answer: @Sendable (HTTPRequest, HTTPResponse) throws -> HTTPResponse
    let pageSize: Int

    init(
        objects: [String: [UInt8]] = [:], pageSize: Int = 1000, fault: @escaping Fault = { _ in nil },
        answer: @escaping @Sendable (HTTPRequest, HTTPResponse) throws -> HTTPResponse = { $1 }
    ) {
        var begun = State()
        for (key, bytes) in objects { begun.objects[key] = Object(bytes: bytes, etag: Self.etag(bytes)) }
        state = LockBox(begun)
        self.fault = fault
        self.answer = answer
        self.pageSize = pageSize
    }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    var operations: [String] { requests.map(\.operation) }
    var uploads: [String: Upload] { state.withLock { $0.uploads } }
    func object(_ key: String) -> Object? { state.withLock { $0.objects[key] } }
    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    func shutdown() async {}

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        state.withLock { $0.requests.append(request) }
        if let response = try await fault(request) { return response }
        try Task.checkCancellation()
        let body: [UInt8]
        do {
            body = try request.body.bytes()
        } catch {
            throw TransportFailure(
                .bodySource, operation: request.operation, host: request.endpoint.host, message: "no bytes",
                underlying: error)
        }
        var response = try answer(request, try state.withLock { try Self.perform(request, body, &$0, pageSize) })
        if request.body.computesCRC64 { response.sentCRC64 = Self.crc(body) }
        return response
    }

    static func etag(_ bytes: [UInt8]) -> String { "\"\(Hex.encode(Digest.md5(bytes)).uppercased())\"" }

    static func crc(_ bytes: [UInt8]) -> UInt64 {
        var crc = CRC64()
        crc.update(bytes)
        return crc.value
    }

    private static func perform(
        _ request: HTTPRequest, _ body: [UInt8], _ state: inout State, _ pageSize: Int
    ) throws -> HTTPResponse {
        let key = PercentEncoding.decode((request.canonicalPath ?? "").dropFirst()) ?? ""
        let uploadID = request.parameter("uploadId") ?? ""
        switch request.operation {
        case "HeadObject": return try head(state.objects[key])
        case "PutObject":
            let object = Object(bytes: body, etag: etag(body), headers: kept(request.headers))
            state.objects[key] = object
            return try .oss(200, "", marks(object))
        case "CopyObject":
            guard var object = try source(request, state) else { return try .refusal(404, "NoSuchKey") }
            if request.headers["x-oss-metadata-directive"] == "REPLACE" { object.headers = kept(request.headers) }
            state.objects[key] = object
            return try .oss(200, "<CopyObjectResult><ETag>\(object.etag)</ETag></CopyObjectResult>", [])
        case "InitiateMultipartUpload":
            state.lastID += 1
            state.uploads["U\(state.lastID)"] = Upload(key: key, headers: kept(request.headers))
            return try .oss(
                200,
                "<InitiateMultipartUploadResult><UploadId>U\(state.lastID)</UploadId></InitiateMultipartUploadResult>")
        default: break
        }
        guard var upload = state.uploads[uploadID], upload.key == key else { return try .refusal(404, "NoSuchUpload") }
        let number = request.parameter("partNumber").flatMap { Int($0) } ?? 0
        switch request.operation {
        case "UploadPart":
            let part = Object(bytes: body, etag: etag(body))
            upload.parts[number] = part
            state.uploads[uploadID] = upload
            return try .oss(200, "", marks(part))
        case "UploadPartCopy":
            guard let source = try source(request, state) else { return try .refusal(404, "NoSuchKey") }
            if let wanted = request.headers["x-oss-copy-source-if-match"], wanted != source.etag {
                return try .refusal(412, "PreconditionFailed")
            }
            let bytes = stretch(request.headers["x-oss-copy-source-range"], of: source.bytes)
            let part = Object(bytes: bytes, etag: etag(bytes))
            upload.parts[number] = part
            state.uploads[uploadID] = upload
            return try .oss(200, "<CopyPartResult><ETag>\(part.etag)</ETag></CopyPartResult>")
        case "ListParts": return try list(upload, request, pageSize)
        case "CompleteMultipartUpload":
            let bytes = upload.parts.sorted { $0.key < $1.key }.flatMap(\.value.bytes)
            let object = Object(bytes: bytes, etag: "\"\(uploadID)-\(upload.parts.count)\"", headers: upload.headers)
            state.objects[key] = object
            state.uploads[uploadID] = nil
            return try .oss(
                200,
                """
                <CompleteMultipartUploadResult><Location>http://x/\(uploadID)</Location><Key>k</Key>\
                <ETag>\(object.etag)</ETag></CompleteMultipartUploadResult>
                """, [("x-oss-hash-crc64ecma", String(object.crc))])
        case "AbortMultipartUpload":
            state.uploads[uploadID] = nil
            return try .oss(204)
        default: return try .refusal(405, "MethodNotAllowed")
        }
    }

    private static func marks(_ object: Object) -> [(String, String)] {
        [("ETag", object.etag), ("x-oss-hash-crc64ecma", String(object.crc))]
    }

    private static func head(_ object: Object?) throws -> HTTPResponse {
        guard let object else { return try .oss(404, "", [("x-oss-ec", "0026-00000001")]) }
        return try .oss(
            200, "",
            marks(object) + [
                ("Content-Length", String(object.bytes.count)), ("Last-Modified", "Wed, 15 Jan 2025 08:30:00 GMT"),
            ] + object.headers.map { ($0.key, $0.value) })
    }

    private static func kept(_ headers: HTTPHeaders) -> [String: String] {
        var kept: [String: String] = [:]
        for (name, value) in headers where name == "Content-Type" || name.hasPrefix("x-oss-meta-") {
            kept[name] = value
        }
        return kept
    }

    private static func source(_ request: HTTPRequest, _ state: State) throws -> Object? {
        let name = request.headers["x-oss-copy-source"].flatMap { PercentEncoding.decode($0.dropFirst()) }
        return name.flatMap { state.objects[$0] }
    }

    private static func stretch(_ header: String?, of bytes: [UInt8]) -> [UInt8] {
        guard let ends = header?.dropFirst("bytes=".count).split(separator: "-").compactMap({ Int($0) }),
            ends.count == 2
        else { return bytes }
        return Array(bytes[ends[0]...ends[1]])
    }

    private static func list(_ upload: Upload, _ request: HTTPRequest, _ pageSize: Int) throws -> HTTPResponse {
        let marker = request.parameter("part-number-marker").flatMap { Int($0) } ?? 0
        let rest = upload.parts.filter { $0.key > marker }.sorted { $0.key < $1.key }
        let page = rest.prefix(pageSize)
        var body = "<ListPartsResult><IsTruncated>\(rest.count > page.count)</IsTruncated>"
        body += "<NextPartNumberMarker>\(page.last?.key ?? 0)</NextPartNumberMarker>"
        for (number, part) in page {
            body += """
                <Part><PartNumber>\(number)</PartNumber><ETag>\(part.etag)</ETag><Size>\(part.bytes.count)</Size>\
                <HashCrc64ecma>\(part.crc)</HashCrc64ecma></Part>
                """
        }
        return try .oss(200, body + "</ListPartsResult>")
    }
}
