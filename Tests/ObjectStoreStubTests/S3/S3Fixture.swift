import ObjectStoreStub
import TransferPrimitives

/// What the tests of the S3 dialect do over and over.
struct S3Fixture {
    var stub: StubFixture

    init(_ change: (inout StubConfiguration) -> Void = { _ in }) async throws {
        stub = try await StubFixture(change)
        stub.signer.wire = .s3
    }

    var server: ObjectStoreStub { stub.server }

    /// Sends one request, path-style, on a connection of its own.
    func send(
        _ method: String, _ path: String, query: [(String, String)] = [], headers: [(String, String)] = [],
        body: [UInt8] = []
    ) throws -> RawClient.Reply {
        try stub.send(method, path, query: query, headers: headers, body: body)
    }

    func createUpload(_ path: String, headers: [(String, String)] = []) throws -> String {
        try send("POST", path, query: [("uploads", "")], headers: headers).element("UploadId")
    }

    func copyPart(
        _ number: Int, of upload: String, from source: String = "/src-bucket/s", range: String? = nil,
        headers: [(String, String)] = []
    ) throws -> RawClient.Reply {
        try send(
            "PUT", "/dst-bucket/k", query: [("partNumber", "\(number)"), ("uploadId", upload)],
            headers: [("x-amz-copy-source", source)] + headers
                + (range.map { [("x-amz-copy-source-range", $0)] } ?? []))
    }

    func complete(_ upload: String, _ parts: [(Int, String)]) throws -> RawClient.Reply {
        let list = parts.map { "<Part><PartNumber>\($0.0)</PartNumber><ETag>\($0.1)</ETag></Part>" }.joined()
        return try send(
            "POST", "/dst-bucket/k", query: [("uploadId", upload)],
            body: Array("<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>".utf8))
    }
}
