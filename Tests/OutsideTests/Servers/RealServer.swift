import Foundation
import ObjectTransfer
import TestSupport

/// A real object store on the loopback interface, as `Scripts/real-servers` starts it.
struct RealServer: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case ceph, juicefs
    }

    /// Where the README tells what was seen of them.
    static let table = "Servers of S3"
    /// Made on every server when it starts.
    static let buckets = ["films", "archive"]

    let kind: Kind
    let endpoint: String
    let region: String
    let accessKey: String
    let secretKey: String
    /// The server's name and version.
    let version: String

    /// A client of it.
    func client(_ change: (inout S3ClientConfiguration) -> Void = { _ in }) throws -> S3Client {
        var configuration = S3ClientConfiguration(
            endpoint: S3Endpoint(url: endpoint, region: region),
            credential: S3Credential(accessKey: accessKey, secretKey: secretKey))
        configuration.transport.proxy = .none
        configuration.decodesPartCopySourceTwice = kind == .ceph
        configuration.honoursCopyPreconditions = kind == .juicefs
        change(&configuration)
        return try S3Client(configuration: configuration)
    }

    /// What points `S3Transfer` and, for the S3-compatible wire of TOS, `ResumableCopy` at it.
    var environment: [String: String] {
        [
            "AWS_ENDPOINT_URL_S3": endpoint, "AWS_REGION": region, "AWS_ACCESS_KEY_ID": accessKey,
            "AWS_SECRET_ACCESS_KEY": secretKey, "AWS_SESSION_TOKEN": "", "TOS_ENDPOINT": endpoint, "TOS_REGION": region,
            "TOS_ACCESS_KEY": accessKey, "TOS_SECRET_KEY": secretKey, "TOS_SECURITY_TOKEN": "",
        ]
    }
}

extension RealServer {
    /// A server did not start.
    struct NotStarted: Error {
        let kind: Kind
        let errors: String
    }

    /// Starts a server with its buckets. One that a run before this one left behind is stopped first.
    static func start(_ kind: Kind) async throws -> RealServer {
        let outcome = try await script("start", kind)
        var values: [Substring: String] = [:]
        for line in outcome.lines {
            let words = line.split(separator: "=", maxSplits: 1)
            if words.count == 2 { values[words[0]] = String(words[1]) }
        }
        guard outcome.status == 0, let endpoint = values["endpoint"], let region = values["region"],
            let accessKey = values["access-key"], let secretKey = values["secret-key"], let version = values["version"]
        else { throw NotStarted(kind: kind, errors: outcome.errors) }
        let server = RealServer(
            kind: kind, endpoint: endpoint, region: region, accessKey: accessKey, secretKey: secretKey, version: version
        )
        let client = try server.client()
        for bucket in buckets { try await client.createBucket(bucket) }
        await client.shutdown()
        return server
    }

    static func stop(_ kind: Kind) async throws { _ = try await script("stop", kind) }

    private static func script(_ action: String, _ kind: Kind) async throws -> Program.Outcome {
        let scripts = URL(filePath: #filePath).deletingLastPathComponent().path + "/../../../Scripts"
        let scratch = (OutsideEnvironment.directory ?? "") + "/servers/run/" + kind.rawValue
        return try await Program.run(scripts + "/real-servers", [action, kind.rawValue, scratch])
    }
}
