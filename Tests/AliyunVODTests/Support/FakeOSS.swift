import TransferHTTP
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// OSS in memory, as a transport: keeps objects and uploads, and the tokens that it refuses.
final class FakeOSS: HTTPTransport {
    struct Upload: Sendable {
        var object: String
        var parts: [Int: [UInt8]] = [:]
    }

    /// A request as it came, for tests to look at.
    struct Seen: Sendable {
        var operation: String
        var host: String
        /// `bucket/key`.
        var object: String
        var part: Int?
        var token: String?
        var authorization: String
        var contentType: String?
        var bytes: Int
    }

    struct State: Sendable {
        var objects: [String: [UInt8]] = [:]
        var uploads: [String: Upload] = [:]
        var seen: [Seen] = []
        /// Tokens that have expired.
        var expired: Set<String> = []
        var lastUpload = 0
        var isShutDown = false
    }

    typealias Before = @Sendable (Seen, FakeOSS) async throws -> HTTPResponse?

    let state = LockBox(State())
    /// Called before a request is performed; an answer of its own takes the place of the service's.
    private let before: Before

    init(before: @escaping Before = { _, _ in nil }) { self.before = before }

    var seen: [Seen] { state.withLock { $0.seen } }
    var objects: [String: [UInt8]] { state.withLock { $0.objects } }
    var openUploads: [String: Upload] { state.withLock { $0.uploads } }
    func count(_ operation: String) -> Int { seen.count { $0.operation == operation } }
    func expire(_ tokens: String...) { state.withLock { $0.expired.formUnion(tokens) } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        var body: [UInt8] = []
        do { body = try request.body.bytes() } catch {
            throw TransportFailure(
                .bodySource, operation: request.operation, host: request.endpoint.host, message: "the source failed",
                underlying: error)
        }
        let seen = Seen(request, bytes: body.count)
        let isExpired = state.withLock { state in
            state.seen.append(seen)
            return seen.token.map(state.expired.contains) ?? false
        }
        if state.withLock({ $0.isShutDown }) {
            throw TransportFailure(
                .shutdown, operation: request.operation, host: request.endpoint.host, message: "shut down")
        }
        if let answer = try await before(seen, self) { return answer }
        if isExpired { return try .tokenExpired(seen.token ?? "") }
        var response = try perform(request, seen, body)
        if request.body.computesCRC64 { response.sentCRC64 = crc64(body) }
        return response
    }

    func shutdown() async { state.withLock { $0.isShutDown = true } }

    private func perform(_ request: HTTPRequest, _ seen: Seen, _ body: [UInt8]) throws -> HTTPResponse {
        let uploadID = request.parameter("uploadId") ?? ""
        return try state.withLock { state in
            func unknown() throws -> HTTPResponse { try .refusal(404, "NoSuchUpload") }
            switch seen.operation {
            case "PutObject":
                state.objects[seen.object] = body
                return try .stored(body)
            case "InitiateMultipartUpload":
                state.lastUpload += 1
                let id = "upload-\(state.lastUpload)"
                state.uploads[id] = Upload(object: seen.object)
                return try .oss(
                    200, "<InitiateMultipartUploadResult><UploadId>\(id)</UploadId></InitiateMultipartUploadResult>")
            case "UploadPart":
                guard state.uploads[uploadID]?.object == seen.object else { return try unknown() }
                state.uploads[uploadID]?.parts[seen.part ?? 0] = body
                return try .stored(body)
            case "ListParts":
                guard let upload = state.uploads[uploadID] else { return try unknown() }
                let parts = upload.parts.sorted { $0.key < $1.key }.map { number, bytes in
                    """
                    <Part><PartNumber>\(number)</PartNumber><ETag>"\(etag(bytes))"</ETag><Size>\(bytes.count)</Size>\
                    <HashCrc64ecma>\(crc64(bytes))</HashCrc64ecma></Part>
                    """
                }
                return try .oss(
                    200,
                    "<ListPartsResult>\(parts.joined())<IsTruncated>false</IsTruncated></ListPartsResult>")
            case "CompleteMultipartUpload":
                guard let upload = state.uploads[uploadID], upload.object == seen.object else { return try unknown() }
                var bytes: [UInt8] = []
                for (_, part) in upload.parts.sorted(by: { $0.key < $1.key }) { bytes += part }
                state.objects[seen.object] = bytes
                state.uploads[uploadID] = nil
                return try .oss(
                    200,
                    """
                    <CompleteMultipartUploadResult><Key>k</Key><ETag>"\(etag(bytes))-\(upload.parts.count)"</ETag>\
                    </CompleteMultipartUploadResult>
                    """, [("x-oss-hash-crc64ecma", String(crc64(bytes)))])
            case "AbortMultipartUpload":
                guard state.uploads.removeValue(forKey: uploadID) != nil else { return try unknown() }
                return try .oss(204)
            case "HeadObject":
                guard let bytes = state.objects[seen.object] else { return try .oss(404) }
                return try .oss(
                    200, "",
                    [
                        ("Content-Length", String(bytes.count)), ("ETag", "\"\(etag(bytes))\""),
                        ("x-oss-hash-crc64ecma", String(crc64(bytes))),
                    ])
            default: return try .refusal(400, "NotImplemented")
            }
        }
    }
}

extension FakeOSS.Seen {
    fileprivate init(_ request: HTTPRequest, bytes: Int) {
        operation = request.operation
        host = request.endpoint.host
        object = String((request.canonicalPath ?? request.path).dropFirst())
        object = PercentEncoding.decode(object) ?? object
        part = request.parameter("partNumber").flatMap { Int($0) }
        token = request.headers["x-oss-security-token"]
        authorization = request.headers["Authorization"] ?? ""
        contentType = request.headers["Content-Type"]
        self.bytes = bytes
    }
}

func etag(_ bytes: [UInt8]) -> String { Hex.encode(Digest.md5(bytes)).uppercased() }

func crc64(_ bytes: [UInt8]) -> UInt64 {
    var crc = CRC64()
    crc.update(bytes)
    return crc.value
}

extension HTTPResponse {
    static func oss(_ status: Int, _ body: String = "", _ headers: [(String, String)] = []) throws -> HTTPResponse {
        var fields = HTTPHeaders()
        try fields.append("x-oss-request-id", "request-1")
        if !body.isEmpty { try fields.append("Content-Type", "application/xml") }
        for (name, value) in headers { try fields.append(name, value) }
        return HTTPResponse(status: status, headers: fields, body: Array(body.utf8))
    }

    static func refusal(_ status: Int, _ code: String, _ extra: String = "") throws -> HTTPResponse {
        try oss(
            status,
            "<Error><Code>\(code)</Code><Message>because</Message><RequestId>request-1</RequestId>\(extra)</Error>")
    }

    /// As OSS says it, echoing the token.
    static func tokenExpired(_ token: String) throws -> HTTPResponse {
        try oss(
            403,
            """
            <Error><Code>SecurityTokenExpired</Code><Message>The security token \(token) has expired.</Message>\
            <RequestId>request-1</RequestId><SecurityToken>\(token)</SecurityToken></Error>
            """)
    }

    static func stored(_ bytes: [UInt8]) throws -> HTTPResponse {
        try oss(200, "", [("ETag", "\"\(etag(bytes))\""), ("x-oss-hash-crc64ecma", String(crc64(bytes)))])
    }
}

extension HTTPRequest {
    func parameter(_ name: String) -> String? { query.first { $0.name == name }.map { $0.value ?? "" } }
}

extension HTTPBody {
    func bytes() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(length))
        var count = 0
        while count < bytes.count {
            let read = try bytes.withUnsafeMutableBytes {
                try self.read(at: UInt64(count), into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
            }
            if read == 0 { break }
            count += read
        }
        return Array(bytes.prefix(count))
    }
}
