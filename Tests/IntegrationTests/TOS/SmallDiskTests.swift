#if os(Linux)
    import ObjectStoreStub
    import ObjectTransfer
    import StubFixtures
    import TestSupport
    import Testing
    import TransferPrimitives

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// A disk of its own, 8 MiB, which only a process that may mount can have.
    final class SmallDisk: Sendable {
        static let isAvailable = SmallDisk() != nil

        private let directory: TemporaryDirectory
        var path: String { directory.path }

        init?() {
            guard let directory = try? TemporaryDirectory() else { return nil }
            self.directory = directory
            guard mount("tmpfs", directory.path, "tmpfs", 0, "size=8m") == 0 else { return nil }
        }

        deinit { umount2(directory.path, Int32(MNT_DETACH)) }

        /// Leaves no more than `room` bytes.
        func fill(but room: Int) {
            #expect(FileManager.default.createFile(atPath: path + "/full", contents: Data(count: (8 << 20) - room)))
        }

        /// Takes what room there is, to the last page.
        func fillUp() {
            let system = LocalFileSystem()
            let page = [UInt8](repeating: 1, count: 4_096)
            #expect(throws: SystemCallError.self) {
                let file = try system.open(path + "/full", .replace)
                while true { try page.withUnsafeBytes { try system.write($0, to: file) } }
            }
        }

        /// Cut before it is removed: a process that another test starts just now may hold the file open for a moment, and a
        /// removed file that is open keeps its blocks.
        func clear() throws {
            try #require(truncate(path + "/full", 0) == 0)
            try FileManager.default.removeItem(atPath: path + "/full")
        }

        var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] }
    }

    /// Downloads of TOS to a disk that is really full.
    @Suite("A disk that is full (only for a process that may mount one)", .enabled(if: SmallDisk.isAvailable))
    struct SmallDiskTests {
        private func input(_ fixture: CopyFixture, _ disk: SmallDisk) -> TOSDownloadFileInput {
            var input = TOSDownloadFileInput(
                bucket: "src-bucket", key: fixture.source.key, filePath: disk.path + "/film")
            input.partSize = CopyFixture.partSize
            input.enableCheckpoint = true
            input.checkpointFile = fixture.checkpoint
            return input
        }

        @Test func aDownloadThatFindsNoRoomHasTheErrorAndLeavesNothing() async throws {
            let (disk, fixture) = (try #require(SmallDisk()), try await CopyFixture(size: 6 << 20))
            disk.fill(but: 4 << 20)
            let events = LockBox<[TOSDownloadEvent]>([])
            var first = input(fixture, disk)
            first.downloadEventListener = { event in events.withLock { $0.append(event) } }
            let error = await failure { [first] in _ = try await fixture.client.downloadFile(first) }
            #expect(error?.code == .diskFull)
            #expect(events.withLock { $0 }.map(\.type) == [.createTempFileFailed])
            #expect(events.withLock { $0 }.first?.error?.code == .diskFull)
            #expect(disk.files == ["full"])
            #expect(fixture.server.wireLog.count(of: .getObject) == 0)

            try disk.clear()
            let output = try await fixture.client.downloadFile(input(fixture, disk))
            #expect(output.verification == .crc64)
            #expect(disk.files == ["film"])
            #expect(!fixture.hasCheckpoint)
        }

        @Test func aFullDiskHoldsNoRecord() async throws {
            let (disk, fixture) = (try #require(SmallDisk()), try await CopyFixture())
            disk.fill(but: 0)
            var first = input(fixture, disk)
            first.filePath = fixture.directory.path + "/film"
            first.checkpointFile = disk.path + "/records/"
            let error = await failure { [first] in _ = try await fixture.client.downloadFile(first) }
            #expect(error?.code == .diskFull)
            #expect(fixture.server.wireLog.count(of: .getObject) == 0)

            try disk.clear()
            _ = try await fixture.client.downloadFile(first)
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path + "/records").isEmpty)
        }

        /// Room on a tmpfs is counted and not kept: somebody else may take it.
        @Test func aDiskThatIsFilledDuringADownloadCostsNoDurablePart() async throws {
            let (disk, fixture) = (try #require(SmallDisk()), try await CopyFixture(size: 6 << 20))
            var first = input(fixture, disk)
            first.downloadEventListener = { if $0.type == .downloadPartSucceed { disk.fillUp() } }
            let error = await failure { [first] in _ = try await fixture.client.downloadFile(first) }
            #expect(error?.code == .diskFull)
            #expect(fixture.hasCheckpoint)
            #expect(!disk.files.contains("film"))

            try disk.clear()
            fixture.server.wireLog.clear()
            let output = try await fixture.client.downloadFile(input(fixture, disk))
            #expect(output.verification == .crc64)
            #expect(disk.files == ["film"])
            #expect(!fixture.hasCheckpoint)
            // The second of two parts alone.
            #expect(fixture.server.wireLog.count(of: .getObject) == 1)
        }

        /// The record has room for as many lines as its last page has.
        @Test func aDiskThatIsFilledUnderARecordCostsNoDurablePart() async throws {
            let parts = 100
            let disk = try #require(SmallDisk())
            let fixture = try await CopyFixture(size: UInt64(parts * CopyFixture.partSize))
            var first = fixture.input()
            first.taskNum = 3
            first.checkpointFile = disk.path + "/records/"
            let isFull = LockBox(false)
            first.copyEventListener = { event in
                guard event.type == .uploadPartCopySucceed else { return }
                isFull.withLock { isFull in
                    if !isFull { disk.fillUp() }
                    isFull = true
                }
            }
            let error = await failure { [first] in _ = try await fixture.client.resumableCopyObject(first) }
            #expect(error?.code == .diskFull)
            let durable = try CheckpointDirectory.durableParts(in: disk.path + "/records")
            #expect((1..<parts).contains(durable.count))

            try disk.clear()
            first.copyEventListener = nil
            _ = try await fixture.client.resumableCopyObject(first)
            #expect(fixture.isCopied)
            for number in durable { #expect(Int(number).flatMap { fixture.storedParts[$0] } == 1, "part \(number)") }
            #expect(fixture.storedParts.count == parts)
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path + "/records").isEmpty)
        }
    }
#endif
