import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A directory that everybody may write to, and somebody who was there first.
@Suite(
    "Security: checkpoints in shared directories", .enabled(if: geteuid() == 0, "giving files away takes the superuser")
)
struct SecurityOfCheckpointFilesTests {
    private let directory: TemporaryDirectory
    private let shared: String
    private let precious: String
    private static let stranger: uid_t = 65_534

    init() throws {
        directory = try TemporaryDirectory()
        shared = directory.path("shared")
        precious = directory.path("precious")
        #expect(mkdir(shared, 0o700) == 0)
        // Not sticky: there the kernel has a rule of its own, where it is switched on.
        #expect(chmod(shared, 0o777) == 0)
        try directory.write(Array("worth keeping".utf8), to: "precious")
    }

    private func claim(_ path: String) async throws -> any CheckpointClaim {
        try await FileCheckpointStore(path: path).claim(CheckpointID(kind: .copy, ["shared"]))
    }

    private func error(_ path: String) async -> TransferError? {
        do {
            await (try claim(path)).release()
            return nil
        } catch {
            return error as? TransferError
        }
    }

    /// The link would lead to a file of the victim's, which is no checkpoint and would be renamed.
    @Test(arguments: ["precious", "nothing-there"]) func aStrangersLinkIsNotFollowed(_ name: String) async throws {
        let link = shared + "/c.checkpoint"
        #expect(symlink(directory.path(name), link) == 0)
        #expect(lchown(link, Self.stranger, Self.stranger) == 0)
        let error = await error(link)
        #expect(error?.code == .checkpointUnusable)
        #expect(error?.message.contains("another user's") == true)
        #expect(directory.files == ["precious", "shared/c.checkpoint"])
        #expect(try directory.read("precious") == Array("worth keeping".utf8))
    }

    @Test func aStrangersFileIsNotWritten() async throws {
        let path = shared + "/c.checkpoint"
        try directory.write([], to: "shared/c.checkpoint")
        #expect(chown(path, Self.stranger, Self.stranger) == 0)
        #expect(await error(path)?.code == .checkpointUnusable)
        // The name of the journal to come can be guessed as well.
        #expect(unlink(path) == 0)
        let claim = try await claim(path)
        let name = ".object-transfer-\(Hex.encode(Digest.sha256(path.utf8).prefix(8))).new"
        let planted = shared + "/" + name
        try directory.write([], to: "shared/" + name)
        #expect(chown(planted, Self.stranger, Self.stranger) == 0)
        await #expect(throws: TransferError.self) { try await claim.begin(JournalSample.checkpoint) }
        await claim.release()
        #expect(try directory.read("shared/" + name).isEmpty)
    }

    @Test func aStrangersFileTakesNoDownload() throws {
        let target = shared + "/video.mp4"
        let planted = DownloadFile.path(for: target)
        try directory.write([], to: "shared/video.mp4.part")
        #expect(planted == shared + "/video.mp4.part")
        #expect(chown(planted, Self.stranger, Self.stranger) == 0)
        #expect(throws: TransferError.self) {
            try DownloadFile.create(for: target, length: 10, fileSystem: LocalFileSystem())
        }
    }

    /// What is one's own, or the owner's of the directory, is no stranger's.
    @Test func oneOwnLinksAndFilesAreFollowed() async throws {
        let link = shared + "/c.checkpoint"
        #expect(symlink(directory.path("real.checkpoint"), link) == 0)
        #expect(await error(link) == nil)
        #expect(chown(shared, Self.stranger, Self.stranger) == 0)
        #expect(lchown(link, Self.stranger, Self.stranger) == 0)
        #expect(await error(link) == nil)
    }

    /// Nobody but the directory's owner could have put it there.
    @Test func aDirectoryOfOneUserIsThatOnes() async throws {
        #expect(chmod(shared, 0o755) == 0)
        let link = shared + "/c.checkpoint"
        #expect(symlink(directory.path("real.checkpoint"), link) == 0)
        #expect(lchown(link, Self.stranger, Self.stranger) == 0)
        #expect(await error(link) == nil)
    }
}
