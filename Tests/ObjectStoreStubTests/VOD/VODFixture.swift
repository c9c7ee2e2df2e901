import ObjectStoreStub
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A server with a VOD service, and a client that calls it in every way there is.
struct VODFixture {
    /// How a call reaches the service.
    enum Way: String, CaseIterable, CustomStringConvertible {
        case headerGet, headerPost, headerForm, parameterGet, parameterPost, parameterForm, parameterAllInForm, app

        var description: String { rawValue }
    }

    let stub: StubFixture
    var signer = OpenAPITestSigner()
    private let nonces = LockBox(0)

    init(_ change: (inout StubConfiguration) -> Void = { _ in }) async throws { stub = try await StubFixture(change) }

    var server: ObjectStoreStub { stub.server }
    var host: String { "127.0.0.1:\(server.port)" }

    static let video = [("Title", "A title"), ("FileName", "dir/我的 a.MP4"), ("FileSize", "1234")]

    /// Performs an operation; its parameters have their OpenAPI names in every way.
    func call(_ way: Way, _ action: String, _ parameters: [(String, String)]) throws -> RawClient.Reply {
        var signer = signer
        signer.nonce = nonces.withLock { count in
            count += 1
            return "nonce \(count)"
        }
        return switch way {
        case .headerGet: try send(signer.headerSigned("GET", action, host: host, query: parameters))
        case .headerPost: try send(signer.headerSigned("POST", action, host: host, query: parameters))
        case .headerForm: try send(signer.headerSigned("POST", action, host: host, form: parameters))
        case .parameterGet: try send(signer.parameterSigned("GET", action, host: host, query: parameters))
        case .parameterPost: try send(signer.parameterSigned("POST", action, host: host, query: parameters))
        case .parameterForm: try send(signer.parameterSigned("POST", action, host: host, form: parameters))
        case .parameterAllInForm:
            try send(signer.parameterSigned("POST", action, host: host, query: parameters, isAllInForm: true))
        case .app: try app(Self.page(action), Self.json(parameters))
        }
    }

    func app(_ page: String, _ body: String, method: String = "POST") throws -> RawClient.Reply {
        try send(
            Array(
                "\(method) /app/\(page) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    .utf8))
    }

    func send(_ bytes: [UInt8]) throws -> RawClient.Reply {
        let client = try stub.connect()
        try client.send(bytes)
        return try client.receive()
    }

    private static func page(_ action: String) -> String {
        switch action {
        case "CreateUploadVideo": "create-video"
        case "RefreshUploadVideo": "refresh-video"
        default: "create-image"
        }
    }

    private static func json(_ parameters: [(String, String)]) throws -> String {
        let special = ["CoverURL": "coverUrl", "OriginalFileName": "fileName", "Description": "desc"]
        let members = parameters.map { name, value in
            (special[name] ?? name.prefix(1).lowercased() + name.dropFirst(), value)
        }
        let data = try JSONEncoder().encode(Dictionary(members, uniquingKeysWith: { first, _ in first }))
        return String(decoding: data, as: UTF8.self)
    }
}

extension RawClient.Reply {
    /// The JSON text of one of the two blobs.
    func blob(_ name: String) throws -> RawClient.Reply {
        guard let bytes = Base64.decode(try member(name)) else { throw MissingMember() }
        return RawClient.Reply(status: status, headers: [:], body: bytes)
    }
}
