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

/// Checkpoints as files: where they are, what they survive, and what they leave.
@Suite struct FileCheckpointStoreTests {
    let id = CheckpointID(kind: .copy, ["p", "a", "k"])
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func store(_ name: String = "c.json") -> FileCheckpointStore {
        FileCheckpointStore(path: directory.path(name))
    }

    /// Keeps the sample as a call would that was stopped before Complete.
    private func keep(_ store: FileCheckpointStore, _ id: CheckpointID? = nil, isCompleting: Bool = false) async throws
    {
        let claim = try await store.claim(id ?? self.id)
        try await claim.begin(JournalSample.checkpoint)
        try await claim.record(JournalSample.parts)
        if isCompleting { try await claim.completing() }
        try await claim.flush()
        await claim.release()
    }

    private func mode(_ name: String) -> mode_t {
        var status = stat()
        return stat(directory.path(name), &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    // MARK: Life

    @Test func whatIsKeptIsFoundAgain() async throws {
        try await keep(store(), isCompleting: true)
        let claim = try await store().claim(id)
        #expect(claim.saved == JournalSample.record())
        #expect(claim.location == directory.path("c.json"))
        #expect(claim.notes.isEmpty)
        await claim.release()
    }

    @Test func oneFileWhileItRunsAndNoneAfterSuccess() async throws {
        let claim = try await store().claim(id)
        #expect(claim.saved == nil)
        try await claim.begin(JournalSample.checkpoint)
        #expect(directory.files == ["c.json"])
        #expect(mode("c.json") == 0o600)
        try await claim.record(JournalSample.parts)
        #expect(directory.files == ["c.json"])
        try await claim.remove()
        #expect(directory.files.isEmpty)
        await claim.release()
        #expect(directory.files.isEmpty)
    }

    /// A call that never began leaves nothing, not even an empty file.
    @Test func aClaimThatNeverBeganLeavesNothing() async throws {
        let claim = try await store().claim(id)
        await claim.release()
        #expect(directory.files.isEmpty)
    }

    @Test func beginningReplacesWhatWasKept() async throws {
        try await keep(store())
        let claim = try await store().claim(id)
        var other = JournalSample.checkpoint
        other.uploadID = "u2"
        try await claim.begin(other)
        await claim.release()
        #expect(directory.files == ["c.json"])
        let again = try await store().claim(id)
        #expect(again.saved == other)
        await again.release()
    }

    @Test func aBeginningMayHoldParts() async throws {
        let claim = try await store().claim(id)
        try await claim.begin(JournalSample.record(isCompleting: false))
        await claim.release()
        #expect(try await store().pending().first?.partsDone == 3)
    }

    @Test func nothingIsWrittenBeforeTheBeginningNorAfterTheRemoval() async throws {
        let claim = try await store().claim(id)
        #expect(await transferError { try await claim.record(JournalSample.parts) }?.code == .checkpointUnusable)
        #expect(await transferError { try await claim.completing() }?.code == .checkpointUnusable)
        try await claim.flush()
        try await claim.begin(JournalSample.checkpoint)
        try await claim.remove()
        #expect(await transferError { try await claim.record(JournalSample.parts) }?.code == .checkpointUnusable)
        #expect(await transferError { try await claim.completing() }?.code == .checkpointUnusable)
        #expect(await transferError { try await claim.begin(JournalSample.checkpoint) }?.code == .checkpointUnusable)
        try await claim.remove()
        await claim.release()
        await claim.release()
        #expect(directory.files.isEmpty)
    }

    // MARK: FR-009, what may stand at the path

    @Test func anEmptyFileIsAFreshStart() async throws {
        try directory.write([], to: "c.json")
        let claim = try await store().claim(id)
        #expect(claim.saved == nil)
        #expect(claim.notes == [.discarded(reason: "'\(directory.path("c.json"))' was empty")])
        try await claim.begin(JournalSample.checkpoint)
        await claim.release()
        #expect(try await store().pending().count == 1)
    }

    @Test func halfAFileIsWhatItsWholeLinesSay() async throws {
        let bytes = try JournalSample.bytes()
        let lines = try JournalSample.lines()
        let half = lines[0].count + lines[1].count + 5
        try directory.write(Array(bytes[..<half]), to: "c.json")
        let claim = try await store().claim(id)
        #expect(claim.saved?.parts.map(\.number) == [2])
        #expect(claim.notes == [.truncated(bytes: 5)])
        // What is appended now is read later: the torn line is gone.
        try await claim.record([JournalSample.parts[1]])
        await claim.release()
        let again = try await store().claim(id)
        #expect(again.saved?.parts.map(\.number) == [1, 2])
        #expect(again.notes.isEmpty)
        await again.release()
    }

    @Test func aDamagedHeaderIsDropped() async throws {
        try directory.write(Array(try JournalSample.bytes()[..<40]), to: "c.json")
        let claim = try await store().claim(id)
        #expect(claim.saved == nil)
        #expect(claim.notes.count == 1)
        if case .discarded? = claim.notes.first {} else { Issue.record("\(claim.notes)") }
        try await claim.begin(JournalSample.checkpoint)
        await claim.release()
        #expect(try await store().pending().count == 1)
        #expect(directory.files == ["c.json"])
    }

    @Test func aForeignFileIsSetAsideNotLost() async throws {
        let contents: [[UInt8]] = [
            Array("[1,2]".utf8), Array(#"{"a":1}"#.utf8), [0xFF, 0xFE, 0x00],
            [0xEF, 0xBB, 0xBF] + (try JournalSample.bytes()),
            Array("my thesis".utf8),
        ]
        for (number, bytes) in contents.enumerated() {
            try directory.write(bytes, to: "c.json")
            let claim = try await store().claim(id)
            let aside = "c.json.not-a-checkpoint" + (number == 0 ? "" : "-\(number + 1)")
            #expect(claim.saved == nil)
            #expect(claim.notes == [.setAside(path: directory.path(aside))])
            #expect(try directory.read(aside) == bytes)
            try await claim.begin(JournalSample.checkpoint)
            #expect(try await store().pending().count == 1)
            try await claim.remove()
            await claim.release()
        }
        #expect(directory.files.count == contents.count)
    }

    /// A huge file is set aside without being read.
    @Test func aHugeFileIsSetAside() async throws {
        let system = LocalFileSystem()
        let file = try system.open(directory.path("c.json"), .replace)
        let header = try CheckpointJournal.header(JournalSample.checkpoint)
        try header.withUnsafeBytes { try system.write($0, to: file) }
        try system.truncate(file, to: 100 << 20)
        let claim = try await store().claim(id)
        #expect(claim.notes == [.setAside(path: directory.path("c.json.not-a-checkpoint"))])
        await claim.release()
    }

    @Test func aNewerFormatIsRefusedAndKeptByteForByte() async throws {
        let bytes = JournalSample.line(#"{"objectTransferCheckpoint":2,"new":true}"#) + Array("anything behind".utf8)
        try directory.write(bytes, to: "c.json")
        for _ in 0..<2 {
            #expect(await transferError { try await store().claim(id) }?.code == .checkpointUnsupported)
            #expect(try directory.read("c.json") == bytes)
            #expect(directory.files == ["c.json"])
        }
        #expect(try await store().pending().isEmpty)
    }

    @Test func aBrokenLinkIsFollowed() async throws {
        symlink("elsewhere/real.json", directory.path("c.json"))
        try LocalFileSystem().createDirectories(directory.path("elsewhere"))
        try await keep(store())
        #expect(directory.files == ["c.json", "elsewhere/real.json"])
        let claim = try await store().claim(id)
        #expect(claim.saved == JournalSample.record(isCompleting: false))
        #expect(claim.location?.hasSuffix("elsewhere/real.json") == true)
        try await claim.remove()
        await claim.release()
        #expect(directory.files == ["c.json"], "the link stays, what it named is gone")
    }

    @Test func linksThatLeadNowhereAreRefused() async throws {
        symlink("b", directory.path("a"))
        symlink("a", directory.path("b"))
        symlink("missing/dir/file", directory.path("c"))
        for name in ["a", "b", "c"] {
            let error = await transferError { try await store(name).claim(id) }
            #expect(error?.code == .checkpointUnusable)
            #expect(error?.field == "checkpointFile")
        }
    }

    @Test func whatIsNoFileIsRefused() async throws {
        mkfifo(directory.path("pipe"), 0o600)
        for path in [directory.path("pipe"), "/dev/null"] {
            let error = await transferError { try await FileCheckpointStore(path: path).claim(id) }
            #expect(error?.code == .checkpointUnusable)
        }
    }

    // MARK: FR-011, FR-017, paths

    @Test func unusablePathsAreRefusedByName() async throws {
        try directory.write([1], to: "file")
        for path in [
            "", "\u{0}", "a\u{0}b", directory.path("file/c.json"), directory.path("file/"),
            directory.path("file/deep/c.json"),
        ] {
            let error = await transferError { try await FileCheckpointStore(path: path).claim(id) }
            #expect(error?.code == .checkpointUnusable, "\(path)")
            #expect(error?.field == "checkpointFile")
            let pending = await transferError { try await FileCheckpointStore(path: path).pending() }
            #expect(pending == nil || pending?.code == .checkpointUnusable)
        }
        #expect(directory.files == ["file"])
    }

    @Test func whatStandsInTheWayIsNamedAndWhatToDo() async throws {
        try directory.write([1], to: "file")
        let file = directory.path("file")
        for path in [file + "/", file + "/c.json", file + "/deep/c.json"] {
            let error = await transferError { try await FileCheckpointStore(path: path).claim(id) }
            #expect(
                error?.message == "'\(file)' is a file, not a directory; name another one, or keep no checkpoint",
                "\(path)")
        }
        let system = FaultyFileSystem()
        system.fail(.access, count: 1, with: EACCES)
        let store = FileCheckpointStore(path: directory.path("c.json"), field: "elsewhere", fileSystem: system)
        let error = await transferError { try await store.claim(id) }
        #expect(
            error?.message
                == "'\(directory.path)' cannot be written (Permission denied); name another one, or keep no checkpoint")
        #expect(error?.field == "elsewhere")
    }

    /// Replacing and removing a journal needs its directory: found out before the first request, not when a part waits.
    @Test func anUnwritableDirectoryIsRefused() async throws {
        for call in [FaultyFileSystem.Call.access, .create] {
            let system = FaultyFileSystem()
            system.fail(call, count: 100, with: EACCES)
            let store = FileCheckpointStore(path: directory.path("c.json"), fileSystem: system)
            let error = await transferError { try await store.claim(id) }
            #expect(error?.code == .checkpointUnusable)
            #expect(error?.message.contains(directory.path) == true)
            #expect((error?.underlying as? SystemCallError)?.number == EACCES)
        }
        #expect(directory.files.isEmpty)
    }

    @Test func missingDirectoriesAreMadeForTheOwnerAlone() async throws {
        try await keep(store("x/y/c.json"))
        #expect(directory.files == ["x/y/c.json"])
        #expect(mode("x") == 0o700)
        #expect(mode("x/y") == 0o700)
    }

    @Test func aDirectoryHoldsOneFilePerTransfer() async throws {
        let other = CheckpointID(kind: .copy, ["p", "a", "l"])
        for path in ["d/", "d", "d//"] {
            let store = store(path)
            try await keep(store)
            try await keep(store, other)
            #expect(directory.files == ["d/\(id).checkpoint", "d/\(other).checkpoint"].sorted())
        }
        #expect(mode("d") == 0o700)
        #expect(try await store("d").pending().count == 2)
    }

    @Test func aRelativePathIsUsedAsIs() async throws {
        // Relative to the working directory of the tests, so only the pure part is looked at.
        #expect("c.json".parentDirectory == ".")
        #expect("a/c.json".parentDirectory == "a")
        #expect("/c.json".parentDirectory == "/")
        #expect("/a/b/c.json".parentDirectory == "/a/b")
    }

    @Test func theDefaultDirectoryIsPure() throws {
        #expect(try FileCheckpointStore.defaultDirectory(cache: "/c", home: "/h") == "/c/object-transfer/")
        for cache in [nil, "", "relative"] {
            #expect(try FileCheckpointStore.defaultDirectory(cache: cache, home: "/h") == "/h/.cache/object-transfer/")
            for home in [nil, "", "relative"] {
                let error = transferError { try FileCheckpointStore.defaultDirectory(cache: cache, home: home) }
                #expect(error?.code == .checkpointUnusable)
                #expect(error?.field == "checkpointFile")
            }
        }
    }

    /// FR-012, FR-013: any key, any length; two hundred transfers, of which twenty stay.
    @Test func manyTransfersWithAwkwardKeysLeaveOnlyWhatStays() async throws {
        let store = store("d/")
        for number in 0..<200 {
            let key = ["a:b", "c/d", "*?", "e f", String(repeating: "文", count: 333)][number % 5] + "\(number)"
            let claim = try await store.claim(CheckpointID(kind: .copy, ["p", "bucket", key]))
            try await claim.begin(JournalSample.checkpoint)
            if number % 10 != 0 { try await claim.remove() }
            await claim.release()
        }
        #expect(directory.files.count == 20)
        for file in directory.files {
            let name = file.dropFirst(2)
            #expect(name.utf8.count < 100)
            #expect(name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") })
        }
    }

    // MARK: pending()

    @Test func pendingTellsWithoutTouching() async throws {
        #expect(try await store("d/").pending().isEmpty)
        #expect(directory.files.isEmpty, "it makes no directory")
        try await keep(store("d/"))
        try directory.write(Array("x".utf8), to: "d/foreign.checkpoint")
        try directory.write([], to: "d/empty.checkpoint")
        try directory.write(try JournalSample.bytes(), to: "d/other-name.json")
        let torn = try JournalSample.bytes().dropLast(3)
        try directory.write(Array(torn), to: "d/torn.checkpoint")
        let before = try directory.files.map { ($0, try directory.read($0)) }
        let pending = try await store("d/").pending()
        #expect(pending.count == 2)
        let summary = try #require(pending.first { $0.location.contains(id.digest) })
        #expect(summary.provider == "tos")
        #expect(summary.kind == .copy)
        #expect(summary.uploadID == "u/1")
        #expect(summary.partsDone == 3)
        #expect(summary.partCount == 4)
        #expect(summary.bytesDone == (20 << 20) + 1)
        #expect(summary.location == directory.path("d/\(id).checkpoint"))
        let after = try directory.files.map { ($0, try directory.read($0)) }
        #expect(before.map(\.0) == after.map(\.0))
        #expect(before.map(\.1) == after.map(\.1))
        #expect(try await store("d/\(id).checkpoint").pending().count == 1, "a file is asked for itself")
    }

    @Test func pendingSeesWhatAnotherTaskHolds() async throws {
        let claim = try await store().claim(id)
        try await claim.begin(JournalSample.checkpoint)
        try await claim.record([JournalSample.parts[0]])
        #expect(try await store().pending().first?.partsDone == 1)
        try await claim.record([JournalSample.parts[1]])
        #expect(try await store().pending().first?.partsDone == 2, "reading did not take the lock away")
        await claim.release()
    }
}
