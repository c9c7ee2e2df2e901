import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import TransferPrimitives

/// A file that a program uploads, as a process of its own, to a server in this process.
final class ProcessScene: Sendable {
    let kind: String
    let scene: TransferScene

    /// - Parameter kind: `upload` or `upload-oss`, as `FileTransferProgram` has it.
    init(_ kind: String, parts: Int) async throws {
        self.kind = kind
        scene = try await TransferScene(
            Subject(kind: .upload, service: kind == "upload-oss" ? .oss : .tos), parts: parts
        ) {
            // Programs keep permanent keys in their environment.
            $0.accounts = [StubAccount(accessKey: "PROGRAM0000000000001", secretKey: "s1")]
        }
    }

    var server: ObjectStoreStub { scene.server }
    var isMade: Bool { scene.isMade() }
    var storedParts: [Int: Int] { scene.storedParts }

    /// - Parameters:
    ///   - checkpoints: As the program takes it; nil for a directory of the scene's.
    ///   - events: After how many the program stops itself.
    ///   - directory: Where it works.
    func start(
        parallel: Int = 3, checkpoints: String? = nil, events: Int? = nil, file: String? = nil,
        directory: String? = nil, environment: [String: String] = [:]
    ) throws -> Program {
        let service = [
            "TOS_ENDPOINT": server.endpoint, "TOS_REGION": server.region, "TOS_ACCESS_KEY": server.accessKey,
            "TOS_SECRET_KEY": server.secretKey, "OSS_ENDPOINT": server.endpoint, "OSS_REGION": server.ossRegion,
            "OSS_ACCESS_KEY": server.accessKey, "OSS_SECRET_KEY": server.secretKey, "PARALLEL": "\(parallel)",
        ]
        return try Program(
            "FileTransferProgram",
            [kind, scene.bucket, TransferScene.key, file ?? scene.path, checkpoints ?? scene.records]
                + (events.map { ["\($0)"] } ?? []),
            environment: service.merging(environment) { _, new in new }, directory: directory)
    }
}
