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

/// Failing system calls, kills and power cuts: the file is always the state before or the state after.
@Suite struct FileCheckpointFaultTests {
    let id = CheckpointID(kind: .copy, ["p", "a", "k"])
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func store(_ system: any FileSystem = LocalFileSystem()) -> FileCheckpointStore {
        FileCheckpointStore(path: directory.path("c.json"), fileSystem: system)
    }

    private func kept(at path: String) async throws -> (saved: TransferCheckpoint?, notes: [CheckpointNote]) {
        let claim = try await FileCheckpointStore(path: path).claim(id)
        await claim.release()
        return (claim.saved, claim.notes)
    }

    // MARK: Kills

    /// The steps of a call, each with what is kept once it has returned.
    private static let steps: [(@Sendable (any CheckpointClaim) async throws -> Void, TransferCheckpoint?)] = [
        ({ try await $0.begin(JournalSample.checkpoint) }, JournalSample.checkpoint),
        (
            { try await $0.record([JournalSample.parts[0]]) },
            JournalSample.record(parts: Array(JournalSample.parts.prefix(1)), isCompleting: false)
        ),
        ({ try await $0.record(Array(JournalSample.parts[1...])) }, JournalSample.record(isCompleting: false)),
        ({ try await $0.flush() }, JournalSample.record(isCompleting: false)),
        ({ try await $0.completing() }, JournalSample.record()),
        ({ try await $0.remove() }, nil),
    ]

    /// What a kill within step `index` may leave: the state before, the state after, and the lines between.
    private static func allowed(_ index: Int, before: TransferCheckpoint?) -> [TransferCheckpoint?] {
        let previous = index == 0 ? before : steps[index - 1].1
        var states = [previous, steps[index].1]
        if index == 2 {
            states.append(JournalSample.record(parts: Array(JournalSample.parts.prefix(2)), isCompleting: false))
        }
        return states
    }

    @Test(arguments: [false, true]) func aKillAtEveryCallLeavesAWholeState(_ hasEarlierRecord: Bool) async throws {
        var earlier = JournalSample.record(isCompleting: false)
        earlier.uploadID = "earlier"
        var kills = 0
        for number in 1... {
            var wasReached = false
            for death in FaultyFileSystem.Death.allCases {
                let directory = try TemporaryDirectory()
                let path = directory.path("c.json")
                if hasEarlierRecord {
                    let claim = try await FileCheckpointStore(path: path).claim(id)
                    try await claim.begin(earlier)
                    await claim.release()
                }
                let system = FaultyFileSystem()
                system.die(at: number, death)
                let step = await Self.run(FileCheckpointStore(path: path, fileSystem: system), id)
                guard system.isDead else { continue }
                wasReached = true
                kills += 1
                let (saved, _) = try await kept(at: path)
                let before = hasEarlierRecord ? earlier : nil
                let allowed = step.map { Self.allowed($0, before: before) } ?? [before]
                #expect(allowed.contains(saved), "killed \(death) call \(number), in step \(step ?? -1)")
                // What is left can be used and leaves nothing.
                let claim = try await FileCheckpointStore(path: path).claim(id)
                if claim.saved == nil { try await claim.begin(JournalSample.checkpoint) }
                try await claim.record(JournalSample.parts)
                try await claim.remove()
                await claim.release()
                #expect(directory.files.isEmpty)
            }
            if !wasReached { break }
        }
        #expect(kills > 40)
    }

    /// Runs all steps; answers in which one it died, or nil when already at the claim.
    private static func run(_ store: FileCheckpointStore, _ id: CheckpointID) async -> Int? {
        guard let claim = try? await store.claim(id) else { return nil }
        var died: Int?
        for (index, step) in steps.enumerated() {
            do { try await step.0(claim) } catch {
                died = index
                break
            }
        }
        await claim.release()
        return died ?? steps.count - 1
    }

    // MARK: Power cuts

    /// What must survive when the machine stops right after a step has returned.
    @Test func aPowerCutLosesNothingThatWasPromised() async throws {
        let promised: [Int: TransferCheckpoint] = [
            0: JournalSample.checkpoint, 3: JournalSample.record(isCompleting: false), 4: JournalSample.record(),
        ]
        let system = FaultyFileSystem()
        let claim = try await store(system).claim(id)
        for (index, step) in Self.steps.dropLast().enumerated() {
            try await step.0(claim)
            guard let expected = promised[index] else { continue }
            let copy = try TemporaryDirectory()
            try system.cutPower(of: directory.path, into: copy.path("after"))
            #expect(try await kept(at: copy.path("after/c.json")).saved == expected, "after step \(index)")
        }
        await claim.release()
    }

    /// The old record stands until the new one is whole.
    @Test func aPowerCutWhileBeginningLeavesTheOldRecord() async throws {
        var earlier = JournalSample.record(isCompleting: false)
        earlier.uploadID = "earlier"
        let system = FaultyFileSystem()
        let claim = try await store(system).claim(id)
        try await claim.begin(earlier)
        system.fail(.synchronizeDirectory, with: EIO)
        #expect(await transferError { try await claim.begin(JournalSample.checkpoint) }?.code == .checkpointUnusable)
        let copy = try TemporaryDirectory()
        try system.cutPower(of: directory.path, into: copy.path("after"))
        #expect(try await kept(at: copy.path("after/c.json")).saved?.uploadID == "earlier")
        await claim.release()
    }

    // MARK: Failing calls

    /// A kill between the rename and the directory's fsync leaves a name that is not durable yet; who resumes relies on it.
    @Test func aPowerCutKeepsARecordThatWasResumedAfterAKill() async throws {
        let system = FaultyFileSystem()
        system.fail(.synchronizeDirectory, with: EIO)
        let killed = try await store(system).claim(id)
        #expect(await transferError { try await killed.begin(JournalSample.checkpoint) } != nil)
        await killed.release()
        let resumed = try await store(system).claim(id)
        #expect(resumed.saved == JournalSample.checkpoint)
        let copy = try TemporaryDirectory()
        try system.cutPower(of: directory.path, into: copy.path("after"))
        #expect(try await kept(at: copy.path("after/c.json")).saved == JournalSample.checkpoint)
        await resumed.release()
    }

    @Test func everyFailureWhileBeginningKeepsTheOldRecord() async throws {
        for call in [FaultyFileSystem.Call.create, .lock, .write, .synchronize, .rename] {
            let directory = try TemporaryDirectory()
            let path = directory.path("c.json")
            let system = FaultyFileSystem()
            let claim = try await FileCheckpointStore(path: path, fileSystem: system).claim(id)
            try await claim.begin(JournalSample.record(isCompleting: false))
            system.fail(call, with: ENOSPC, after: 10)
            var newer = JournalSample.checkpoint
            newer.uploadID = "newer"
            let error = await transferError { try await claim.begin(newer) }
            #expect(error?.code == .diskFull, "\(call)")
            #expect(directory.files == ["c.json"])
            // The old record is still the claim's own, and can be added to.
            try await claim.completing()
            await claim.release()
            #expect(try await kept(at: path).saved == JournalSample.record())
        }
    }

    /// ENOSPC in mid-line: whole lines only, and later lines are not lost behind a torn one.
    @Test(arguments: [0, 1, 7, 60, 90, 200]) func aFullDiskLeavesWholeLines(_ written: Int) async throws {
        let system = FaultyFileSystem()
        let claim = try await store(system).claim(id)
        try await claim.begin(JournalSample.checkpoint)
        try await claim.record([JournalSample.parts[0]])
        system.fail(.write, with: ENOSPC, after: written)
        let error = await transferError { try await claim.record(Array(JournalSample.parts[1...])) }
        #expect(error?.code == .diskFull)
        #expect((error?.underlying as? SystemCallError)?.number == ENOSPC)
        #expect(
            try directory.read("c.json") == JournalSample.bytes(parts: [JournalSample.parts[0]], isCompleting: false))
        try await claim.record([JournalSample.parts[2]])
        await claim.release()
        #expect(try await kept(at: directory.path("c.json")).saved?.parts.map(\.number) == [2, 4])
    }

    /// Where not even cutting back works, nothing is appended until it does.
    @Test func nothingIsAppendedBehindATornLine() async throws {
        let system = FaultyFileSystem()
        let claim = try await store(system).claim(id)
        try await claim.begin(JournalSample.checkpoint)
        system.fail(.write, with: ENOSPC, after: 9)
        system.fail(.truncate, count: 2, with: EIO)
        #expect(await transferError { try await claim.record([JournalSample.parts[0]]) }?.code == .diskFull)
        #expect(await transferError { try await claim.record([JournalSample.parts[1]]) } != nil, "still torn")
        try await claim.record([JournalSample.parts[2]])
        await claim.release()
        let (saved, notes) = try await kept(at: directory.path("c.json"))
        #expect(saved?.parts.map(\.number) == [4])
        #expect(notes.isEmpty)
    }

    /// A failure of the disk while nobody waited is told by the next call that promises durability.
    @Test func aFailedSynchronisationIsTold() async throws {
        for waits in [{ try await $0.flush() }, { try await $0.completing() }]
            as [@Sendable (any CheckpointClaim) async throws -> Void]
        {
            let directory = try TemporaryDirectory()
            let system = FaultyFileSystem()
            let claim = try await FileCheckpointStore(path: directory.path("c.json"), fileSystem: system).claim(id)
            try await claim.begin(JournalSample.checkpoint)
            system.fail(.synchronize, with: EIO)
            try await claim.record([JournalSample.parts[0]])
            let error = await transferError { try await waits(claim) }
            #expect(error?.code == .checkpointUnusable)
            #expect((error?.underlying as? SystemCallError)?.number == EIO)
            // Told once; the next one stands for itself.
            try await waits(claim)
            await claim.release()
        }
    }

    @Test func manyRecordsShareSynchronisations() async throws {
        let system = FaultyFileSystem()
        let claim = try await store(system).claim(id)
        try await claim.begin(JournalSample.checkpoint)
        for number in 1...500 { try await claim.record([CompletedPart(number: number, etag: ETag("e"))]) }
        try await claim.flush()
        await claim.release()
        #expect(system.calls.count { $0 == .write } == 501)
        #expect(system.calls.count { $0 == .synchronize } <= 502)
        #expect(try await kept(at: directory.path("c.json")).saved?.parts.count == 500)
    }

    @Test func aRemovalThatFailsIsTold() async throws {
        let system = FaultyFileSystem()
        let claim = try await store(system).claim(id)
        try await claim.begin(JournalSample.checkpoint)
        system.fail(.remove, count: 2, with: EACCES)
        #expect(await transferError { try await claim.remove() }?.code == .checkpointUnusable)
        try await claim.remove()
        await claim.release()
        #expect(directory.files.isEmpty)
    }
}
