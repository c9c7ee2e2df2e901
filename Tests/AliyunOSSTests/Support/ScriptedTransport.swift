import TransferHTTP
import TransferPrimitives

@testable import AliyunOSS

/// Answers requests as a test says, reads their bodies as a transport does, and keeps them.
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
        let body = try request.body.bytes()
        var response = try await script(request, number)
        if request.body.computesCRC64 {
            var crc = CRC64()
            crc.update(body)
            response.sentCRC64 = crc.value
        }
        if response.isSuccess, let sink = request.sink {
            do {
                try sink.begin(status: response.status, headers: response.headers, flow: NoFlow())
                _ = try response.body.withUnsafeBytes { try sink.receive($0) }
            } catch {
                throw TransportFailure(
                    .sink, operation: request.operation, host: request.endpoint.host, message: "the sink failed",
                    underlying: error)
            }
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
    /// An answer of OSS, with a request id.
    static func oss(
        _ status: Int, _ body: String = "", type: String = "application/xml", _ headers: [(String, String)] = [],
        requestID: String? = "request-1"
    ) throws -> HTTPResponse {
        var fields = HTTPHeaders()
        if let requestID { try fields.append("x-oss-request-id", requestID) }
        if !body.isEmpty { try fields.append("Content-Type", type) }
        for (name, value) in headers { try fields.append(name, value) }
        return HTTPResponse(status: status, headers: fields, body: Array(body.utf8))
    }

    /// A refusal with an error document.
    static func refusal(_ status: Int, _ code: String, _ extra: String = "") throws -> HTTPResponse {
        try oss(
            status,
            "<Error><Code>\(code)</Code><Message>because</Message><RequestId>request-1</RequestId>\(extra)</Error>")
    }
}

extension HTTPRequest {
    /// Method, URL and all headers but those of the signature, a line each, headers sorted.
    var golden: String {
        let signature: Set = ["authorization", "date", "x-oss-date", "x-oss-content-sha256"]
        let lines = headers.filter { !signature.contains($0.name.lowercased()) }.map { "\($0.name): \($0.value)" }
        return (["\(method.rawValue) \(url)"] + lines.sorted()).joined(separator: "\n")
    }

    var bodyText: String { String(decoding: (try? body.bytes()) ?? [], as: UTF8.self) }

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
