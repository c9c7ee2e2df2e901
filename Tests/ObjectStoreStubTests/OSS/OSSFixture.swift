import ObjectStoreStub
import TestSupport
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A server whose clock stands at the date of OSS's test vectors, two buckets, and a signing client.
struct OSSFixture {
    /// 2025-01-15T08:30:00Z
    static let now = Date(timeIntervalSince1970: 1_736_929_800)

    let server: ObjectStoreStub
    let clock = ManualClock(start: now)
    var signer = OSSTestSigner()

    init(_ change: (inout StubConfiguration) -> Void = { _ in }) async throws {
        var configuration = StubConfiguration()
        configuration.clock = clock
        configuration.accounts = [StubAccount(accessKey: signer.accessKey, secretKey: signer.secretKey)]
        configuration.buckets = ["src-bucket", "dst-bucket"]
        change(&configuration)
        server = try await ObjectStoreStub.start(configuration)
    }

    var host: String { "127.0.0.1:\(server.port)" }

    func connect() throws -> RawClient { try RawClient(port: server.port) }

    /// Sends one request about `key` of `dst-bucket`, path-style, on a connection of its own.
    func send(
        _ method: String, _ key: String, in bucket: String = "dst-bucket", query: [(String, String)] = [],
        headers: [(String, String)] = [], body: [UInt8] = []
    ) throws -> RawClient.Reply {
        let target = OSSTestSigner.Target(method: method, bucket: bucket, key: key, query: query)
        return try exchange(signer.request(target, host: host, headers: headers, body: body))
    }

    func exchange(_ request: [UInt8]) throws -> RawClient.Reply {
        let client = try connect()
        try client.send(request)
        return try client.receive(isHead: request.starts(with: Array("HEAD".utf8)))
    }

    func createUpload(_ key: String, headers: [(String, String)] = []) throws -> String {
        try send("POST", key, query: [("uploads", "")], headers: headers).element("UploadId")
    }

    func uploadPart(_ number: Int, of upload: String, _ key: String, _ body: [UInt8]) throws -> String {
        let reply = try send("PUT", key, query: [("partNumber", "\(number)"), ("uploadId", upload)], body: body)
        guard let etag = reply.headers["etag"] else { throw RawClient.Failure.malformed }
        return etag
    }

    func complete(
        _ upload: String, _ key: String, _ parts: [(Int, String)], headers: [(String, String)] = []
    ) throws -> RawClient.Reply {
        let list = parts.map { "<Part><PartNumber>\($0.0)</PartNumber><ETag>\($0.1)</ETag></Part>" }.joined()
        return try send(
            "POST", key, query: [("uploadId", upload)], headers: headers,
            body: Array("<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>".utf8))
    }
}

extension RawClient.Reply {
    /// The text of the first element of this name.
    func element(_ name: String) throws -> String {
        guard let start = text.firstRange(of: "<\(name)>"), let end = text.firstRange(of: "</\(name)>") else {
            throw RawClient.Failure.malformed
        }
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// The texts of all elements of this name.
    func elements(_ name: String) -> [String] {
        text.ranges(of: "<\(name)>").map { String(text[$0.upperBound...].prefix { $0 != "<" }) }
    }
}
