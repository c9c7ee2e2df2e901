import TransferHTTP
import TransferPrimitives

@testable import S3Wire

/// Answers requests as a test says, and keeps them.
final class ScriptedTransport: HTTPTransport {
    typealias Script = @Sendable (HTTPRequest, _ number: Int) async throws -> HTTPResponse

    private let log = LockBox<[HTTPRequest]>([])
    private let script: Script

    /// `script` gets every request with its number, from 1.
    init(_ script: @escaping Script) { self.script = script }

    /// Answers with `responses` in turn, and with the last one from then on.
    convenience init(_ responses: HTTPResponse...) {
        self.init { _, number in responses[min(number, responses.count) - 1] }
    }

    var requests: [HTTPRequest] { log.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let number = log.withLock { log in
            log.append(request)
            return log.count
        }
        var response = try await script(request, number)
        if response.isSuccess, let sink = request.sink {
            try sink.begin(status: response.status, headers: response.headers, flow: NoFlow())
            _ = try response.body.withUnsafeBytes { try sink.receive($0) }
            response.body = []
        }
        return response
    }

    func shutdown() async {}

    private struct NoFlow: ResponseFlow {
        func resume() {}
    }
}

extension HTTPResponse {
    /// An answer of TOS, with a request id.
    static func tos(
        _ status: Int, _ body: String = "", type: String = "application/json", _ headers: [(String, String)] = []
    ) throws -> HTTPResponse {
        var fields = HTTPHeaders()
        try fields.append("x-tos-request-id", "request-1")
        if !body.isEmpty { try fields.append("Content-Type", type) }
        for (name, value) in headers { try fields.append(name, value) }
        return HTTPResponse(status: status, headers: fields, body: Array(body.utf8))
    }
}

extension HTTPRequest {
    /// Method, URL and all headers but those of the signature, a line each, headers sorted.
    var golden: String {
        let signature: Set = ["authorization", "x-tos-date", "x-tos-content-sha256"]
        let lines = headers.filter { !signature.contains($0.name.lowercased()) }.map { "\($0.name): \($0.value)" }
        return (["\(method.rawValue) \(url)"] + lines.sorted()).joined(separator: "\n")
    }

    var bodyText: String { body.text }
}

extension S3Request {
    var bodyText: String { body.text }
}

extension HTTPBody {
    fileprivate var text: String {
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let count = bytes.withUnsafeMutableBytes { (try? read(at: 0, into: $0)) ?? 0 }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
