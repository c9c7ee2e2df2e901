import Foundation

/// `object-store-stub` as a process of its own.
final class StubProcess {
    private let program: Program
    /// What points the example at it.
    let environment: [String: String]
    let endpoint: String
    let appServer: String
    let accessKey: String
    let secretKey: String

    init(_ arguments: [String]) async throws {
        program = try Program("object-store-stub", ["--port", "0"] + arguments)
        var values: [String: String] = [:]
        while let line = await program.waitForLine({ _ in true }), line != "ready" {
            guard let equals = line.firstIndex(of: "=") else { continue }
            values[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
        endpoint = values["endpoint"] ?? ""
        appServer = values["app-server"] ?? ""
        accessKey = values["access-key"] ?? ""
        secretKey = values["secret-key"] ?? ""
        environment = [
            "TOS_ENDPOINT": endpoint, "TOS_REGION": values["region"] ?? "",
            "TOS_ACCESS_KEY": accessKey, "TOS_SECRET_KEY": secretKey,
        ]
    }

    deinit { program.signal(SIGTERM) }

    struct ObjectPage: Decodable, Equatable {
        let length: UInt64
        let crc64: String
    }

    /// What VOD made.
    struct Media: Decodable {
        struct Video: Decodable {
            let id: String
            let title: String
            let bucket: String
            let key: String
            let refreshes: Int
        }

        struct Image: Decodable {
            let id: String
        }

        let videos: [Video]
        let images: [Image]
    }

    func media() throws -> Media { try page("vod") }

    func object(_ path: String) throws -> ObjectPage { try page("objects/\(path)") }

    /// How often each part of each object was stored.
    func storedParts() throws -> [String: [String: Int]] { try page("parts") }

    private func page<Value: Decodable>(_ path: String) throws -> Value {
        guard let url = URL(string: "\(endpoint)/_stub/\(path)") else { throw CocoaError(.fileNoSuchFile) }
        return try JSONDecoder().decode(Value.self, from: fetch(url))
    }

    /// One GET over a socket, so that the tests need no HTTP library.
    private func fetch(_ url: URL) throws -> Data {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(url.port ?? 80).bigEndian
        address.sin_addr.s_addr = inet_addr(url.host ?? "")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw CocoaError(.fileReadUnknown) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        try file.write(
            contentsOf: Data("GET \(url.path) HTTP/1.1\r\nHost: \(url.host ?? "")\r\nConnection: close\r\n\r\n".utf8))
        let answer = try file.readToEnd() ?? Data()
        guard let head = answer.range(of: Data("\r\n\r\n".utf8)) else { throw CocoaError(.fileReadCorruptFile) }
        return answer[head.upperBound...]
    }
}
