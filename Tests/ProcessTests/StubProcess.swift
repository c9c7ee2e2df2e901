import Foundation
import TestSupport

/// `object-store-stub` as a process of its own.
final class StubProcess {
    private let program: Program
    /// What points the examples and the other programs at it.
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
            "OSS_ENDPOINT": endpoint, "OSS_REGION": values["oss-region"] ?? "",
            "OSS_ACCESS_KEY": accessKey, "OSS_SECRET_KEY": secretKey,
        ]
    }

    func signal(_ number: Int32) { program.signal(number) }

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

    /// An upload that is neither completed nor aborted.
    struct OpenUpload: Decodable {
        let key: String
        let parts: [Int]
    }

    func uploads() throws -> [OpenUpload] { try page("uploads") }

    /// What arrived, one line a request.
    func requests() throws -> [Substring] {
        String(decoding: try PlainHTTP.get("\(endpoint)/_stub/requests").body, as: UTF8.self).split(separator: "\n")
    }

    private func page<Value: Decodable>(_ path: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(PlainHTTP.get("\(endpoint)/_stub/\(path)").body))
    }
}
