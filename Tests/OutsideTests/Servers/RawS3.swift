import Foundation
import TransferCurl
import TransferHTTP

/// Single requests to a server, signed but made without the client, so that its answers are seen as they are.
final class RawS3: Sendable {
    private let server: RealServer
    private let endpoint: HTTPEndpoint
    private let transport: CurlTransport

    init(_ server: RealServer) throws {
        self.server = server
        endpoint = try HTTPEndpoint(parsing: server.endpoint)
        transport = try CurlTransport()
    }

    /// - Parameter path: Percent-encoded, as it is to stand on the wire.
    func send(
        _ method: HTTPMethod, _ path: String, query: [HTTPRequest.QueryItem] = [],
        headers: KeyValuePairs<String, String> = [:], body: String = ""
    ) async throws -> Answer {
        var request = HTTPRequest(
            method, at: endpoint, path: path, query: query, headers: try HTTPHeaders(headers),
            body: body.isEmpty ? .none : .bytes(Array(body.utf8)))
        let credentials = Credentials(accessKey: server.accessKey, secretKey: server.secretKey)
        try V4Signer(.aws4, region: server.region).sign(&request, with: credentials, at: Date())
        let answer = try await transport.send(request)
        return Answer(
            status: answer.status, headers: answer.headers, text: String(decoding: answer.body, as: UTF8.self))
    }

    /// What a server answered.
    struct Answer: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let text: String

        /// The text of the first element of this name, with its quotes as characters; nil without one.
        func element(_ name: String) -> String? {
            guard let start = text.firstRange(of: "<\(name)>"),
                let end = text[start.upperBound...].firstRange(of: "</\(name)>")
            else { return nil }
            let value = String(text[start.upperBound..<end.lowerBound])
            return value.replacing("&quot;", with: "\"").replacing("&#34;", with: "\"")
        }
    }
}

/// A multipart upload that is made by single requests.
struct RawUpload {
    let raw: RawS3
    let path: String
    let id: String

    init(_ raw: RawS3, _ path: String) async throws {
        self.raw = raw
        self.path = path
        id = try await raw.send(.post, path, query: [.init("uploads")]).element("UploadId") ?? ""
    }

    func part(_ number: Int, _ text: String) async throws -> RawS3.Answer {
        try await raw.send(.put, path, query: items(number), body: text)
    }

    func copyPart(
        _ number: Int, from source: String, ifMatch: String? = nil
    ) async throws -> RawS3.Answer {
        guard let ifMatch else {
            return try await raw.send(.put, path, query: items(number), headers: ["x-amz-copy-source": source])
        }
        return try await raw.send(
            .put, path, query: items(number),
            headers: ["x-amz-copy-source": source, "x-amz-copy-source-if-match": ifMatch])
    }

    func complete(_ parts: [(number: Int, etag: String)]) async throws -> RawS3.Answer {
        let list = parts.map { "<Part><PartNumber>\($0.number)</PartNumber><ETag>\($0.etag)</ETag></Part>" }
        return try await raw.send(
            .post, path, query: [.init("uploadId", id)],
            body: "<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>")
    }

    private func items(_ number: Int) -> [HTTPRequest.QueryItem] {
        [.init("partNumber", String(number)), .init("uploadId", id)]
    }
}
