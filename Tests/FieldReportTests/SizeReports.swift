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
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Field reports about sizes at the edges, and about sources that are odd or change.
@Suite("Field reports: sizes and sources", .timeLimit(.minutes(2))) struct SizeReports {
    // MARK: Nothing at all

    /// Where an empty object comes from.
    enum Emptiness: CaseIterable, Sendable {
        case file
        case memory
        case ownStruct
        case ownClass
    }

    @Test(
        "FR-065: nothing is uploaded as an empty object, by one request", arguments: Service.allCases,
        Emptiness.allCases)
    func emptySources(_ service: Service, _ emptiness: Emptiness) async throws {
        let fixture = try await ServiceFixture(service)
        let source: UploadSource
        switch emptiness {
        case .file:
            try fixture.directory.write([], to: "empty")
            source = try .file(fixture.directory.path("empty"))
        case .memory: source = .bytes([], name: "empty")
        case .ownStruct: source = UploadSource(MadeUpSource(length: 0), name: "empty")
        case .ownClass: source = UploadSource(CountingSource(length: 0), name: "empty")
        }
        for (limit, keepsCheckpoint) in [(0, true), (0, false), (1, true), (1, false)] {
            let progress = LockBox<[TransferProgress]>([])
            let receipt = try await fixture.upload(source) { options in
                options.singleRequestLimit = UInt64(limit)
                if !keepsCheckpoint { options.checkpoint = .none }
                options.onEvent = { if case .progress(let step) = $0 { progress.withLock { $0.append(step) } } }
            }
            #expect(fixture.stored?.length == 0)
            if service.tellsCRC64 { #expect(receipt.verification == .crc64) }
            expectOneEnd(progress.withLock { $0 })
            #expect(fixture.checkpoints.isEmpty)
            fixture.server.storage.removeObject(fixture.target.key, in: fixture.target.bucket)
        }
        // By one request, whatever the options say.
        #expect(fixture.log.count(of: .putObject) == 4)
        #expect(fixture.log.count(of: .createMultipartUpload) == 0)
    }

    private func expectOneEnd(_ progress: [TransferProgress]) {
        #expect(progress.count { $0.fraction == 1 } == 1)
        #expect(progress.last?.fraction == 1)
        #expect(progress.allSatisfy { $0.fraction.isFinite && (0...1).contains($0.fraction) })
    }

    @Test("FR-065: an empty object is copied and downloaded as one", arguments: Service.allCases)
    func emptyObjects(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        let source = ObjectLocation(bucket: "src-bucket", key: "empty")
        try fixture.server.storage.putObject("empty", in: "src-bucket", .bytes([]))
        let progress = LockBox<[TransferProgress]>([])
        let listen: @Sendable (TransferEvent) -> Void = {
            if case .progress(let step) = $0 { progress.withLock { $0.append(step) } }
        }
        _ = try await fixture.copy(from: source) { $0.onEvent = listen }
        #expect(fixture.stored?.length == 0)
        expectOneEnd(progress.withLock { $0 })
        progress.withLock { $0 = [] }
        let path = fixture.directory.path("copy")
        _ = try await TransferEngine().download(
            source, to: path, using: fixture.backend, options: TransferOptions(onEvent: listen)
        ).value
        #expect(try fixture.directory.read("copy").isEmpty)
        expectOneEnd(progress.withLock { $0 })
    }

    @Test("FR-065: an empty video and an empty image are stored", arguments: ["a.mp4", "a.png"], [true, false])
    func emptyMedia(_ name: String, keepsCheckpoint: Bool) async throws {
        let fixture = try await VODFixture()
        let percents = LockBox<[Double]>([])
        let uploader = try fixture.uploader { $0.checkpoint = keepsCheckpoint }
        let result = try await uploader.uploadFile(
            fixture.file(name, size: 0),
            options: VODUploadOptions(onProgress: { percent, _, _ in percents.withLock { $0.append(percent) } }))
        #expect(result.size == 0 && result.verification == .crc64)
        let place =
            fixture.server.vod.videos.first.map { ($0.bucket, $0.key) }
            ?? fixture.server.vod.images.first.map { ($0.bucket, $0.key) }
        let (bucket, key) = try #require(place)
        #expect(fixture.server.storage.object(key, in: bucket)?.length == 0)
        #expect(percents.withLock { $0.count { $0 == 1 } == 1 && $0.last == 1 && $0.allSatisfy(\.isFinite) })
    }

    // MARK: Paths

    /// Every call that uploads the file at a path.
    enum Uploader: CaseIterable, Sendable {
        case oss
        case tos
        case s3
        case vod
    }

    /// Uploads the file at a path by the client's own call. Returns what the server was asked.
    private func upload(_ path: String, by uploader: Uploader) async throws -> WireLog {
        switch uploader {
        case .oss:
            let fixture = try await OSSFixture()
            do {
                _ = try await fixture.client.uploadFile(
                    OSSUploadFileInput(bucket: OSSFixture.bucket, key: "k", filePath: path))
            } catch { throw Failed(error: error, log: fixture.server.wireLog) }
            return fixture.server.wireLog
        case .tos:
            let fixture = try await CopyFixture()
            do {
                _ = try await fixture.client.uploadFile(
                    TOSUploadFileInput(bucket: "dst-bucket", key: "k", filePath: path))
            } catch { throw Failed(error: error, log: fixture.server.wireLog) }
            return fixture.server.wireLog
        case .s3:
            let fixture = try await S3Fixture()
            do {
                _ = try await fixture.client.uploadFile(path, to: ObjectLocation(bucket: "dst-bucket", key: "k"))
            } catch { throw Failed(error: error, log: fixture.server.wireLog) }
            return fixture.server.wireLog
        case .vod:
            let fixture = try await VODFixture()
            do { _ = try await fixture.uploader().uploadFile(path) } catch {
                throw Failed(
                    error: (error as? VODUploadError)?.underlying ?? error, log: fixture.server.wireLog)
            }
            return fixture.server.wireLog
        }
    }

    private struct Failed: Error {
        let error: any Error
        let log: WireLog
    }

    /// Expects that the path is refused before anybody is asked, by an error that names it.
    private func expectRefusal(of path: String, by uploader: Uploader, naming name: String? = nil) async {
        do {
            _ = try await upload(path, by: uploader)
            Issue.record("\(path) was uploaded")
        } catch let failed as Failed {
            let error = failed.error as? TransferError
            #expect(error?.code == .fileUnreadable, "\(path): \(failed.error)")
            #expect(error?.field == "path")
            #expect(error?.message.contains(name ?? path) == true, "\(error?.message ?? "")")
            #expect(failed.log.entries.isEmpty)
        } catch { Issue.record(error) }
    }

    @Test(
        "FR-066: a path is a path: what can be read is uploaded, and anything else is refused by name",
        arguments: Uploader.allCases)
    func paths(_ uploader: Uploader) async throws {
        let directory = try TemporaryDirectory()
        for name in ["plain.mp4", "with blank.mp4", "with%20code.mp4"] {
            try directory.write([1, 2, 3], to: name)
            #expect(try await upload(directory.path(name), by: uploader).entries.last?.status == 200)
        }
        let steps = FileManager.default.currentDirectoryPath.split(separator: "/").count
        let relative = String(repeating: "../", count: steps) + directory.path("plain.mp4").dropFirst()
        #expect(try await upload(relative, by: uploader).entries.last?.status == 200)

        await expectRefusal(
            of: "file://" + directory.path("plain.mp4"), by: uploader, naming: "this is a URL; give its path")
        await expectRefusal(of: directory.path("with%20blank.mp4"), by: uploader)
        await expectRefusal(of: directory.path("missing.mp4"), by: uploader)
        await expectRefusal(of: directory.path, by: uploader)
        await expectRefusal(of: "", by: uploader, naming: "path is empty")
        await expectRefusal(of: directory.path("plain.mp4\u{0}.txt"), by: uploader, naming: "NUL")
    }

    /// A file that this user may not read: one of the kernel's that can be written alone, or one without permissions.
    private static func unreadableFile(in directory: TemporaryDirectory) throws -> String? {
        if geteuid() == 0 {
            let path = "/proc/sys/vm/compact_memory"
            return access(path, F_OK) == 0 ? path : nil
        }
        try directory.write([1], to: "secret")
        return chmod(directory.path("secret"), 0) == 0 ? directory.path("secret") : nil
    }

    @Test("FR-066: a file that may not be read is refused by name", arguments: Uploader.allCases)
    func unreadableFile(_ uploader: Uploader) async throws {
        let directory = try TemporaryDirectory()
        let path = try #require(try Self.unreadableFile(in: directory))
        await expectRefusal(of: path, by: uploader)
    }

    @Test("FR-074: a pipe, a socket, a device and a loop of links are refused at once", arguments: Uploader.allCases)
    func whatIsNoFile(_ uploader: Uploader) async throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.path("pipe.mp4")
        #expect(mkfifo(pipe, 0o600) == 0)
        let socket = try LocalSocket(at: directory.path("socket.mp4"))
        let loop = directory.path("loop.mp4")
        #expect(symlink(loop, loop) == 0)
        let linked = directory.path("linked.mp4")
        #expect(symlink(pipe, linked) == 0)
        for path in [pipe, socket.path, "/dev/null", "/dev/zero", loop, linked, directory.path] {
            await expectRefusal(of: path, by: uploader)
        }
    }

    @Test("FR-074: the same where a checkpoint or a download is to be kept", arguments: Service.allCases)
    func placesThatAreNoFile(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        try fixture.server.storage.putObject("film", in: "src-bucket", .bytes([1, 2, 3]))
        let source = ObjectLocation(bucket: "src-bucket", key: "film")
        let pipe = fixture.directory.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let socket = try LocalSocket(at: fixture.directory.path("socket"))
        for path in [pipe, socket.path, "/dev/null"] {
            let download = await failure {
                _ = try await TransferEngine().download(source, to: path, using: fixture.backend).value
            }
            #expect(download?.code == .fileUnwritable, "\(path): \(String(describing: download))")
            let copy = await failure {
                _ = try await fixture.copy(from: source) {
                    $0.checkpoint = .store(FileCheckpointStore(path: path))
                }
            }
            #expect(copy?.code == .checkpointUnusable, "\(path): \(String(describing: copy))")
        }
        #expect(fixture.stored == nil)
        #expect(fixture.server.storage.uploads.isEmpty)
    }

    // MARK: Part arithmetic

    /// `n` parts, a byte more, a byte less.
    static let tilings = [1, 2, 3].flatMap { n in [(n, 0), (n, 1), (n, -1)] } + [(0, 1)]

    @Test("FR-067: ranges of part copies tile the source", arguments: Service.allCases, tilings)
    func tiles(_ service: Service, _ size: (n: Int, more: Int)) async throws {
        let fixture = try await ServiceFixture(service)
        let part = service.leastPart
        let length = UInt64(Int(part) * size.n + size.more)
        let content = ObjectContent.pretended(length: length)
        try fixture.server.storage.putObject("film", in: "src-bucket", content)
        _ = try await fixture.copy(from: ObjectLocation(bucket: "src-bucket", key: "film"))
        #expect(fixture.stored?.content.firstDifference(from: content) == nil && fixture.stored?.length == length)
        expectTiles(fixture.log.entries(of: .uploadPartCopy), length, part)
    }

    private func expectTiles(_ entries: [WireEntry], _ length: UInt64, _ part: UInt64) {
        var next: UInt64 = 0
        // A part that was asked for again, as on a busy machine, is the same part.
        let parts = Dictionary(grouping: entries) { $0.request.partNumber ?? 0 }.sorted { $0.key < $1.key }
        for (_, requests) in parts {
            let end = min(next + part, length)
            #expect(requests.allSatisfy { $0.request.range == "bytes=\(next)-\(end - 1)" })
            #expect(requests.contains { $0.status == 200 || $0.status == 206 })
            next = end
        }
        #expect(next == length)
    }

    @Test("FR-067: so do those of a download, and the parts of an upload", arguments: tilings)
    func tilesOfFiles(_ size: (n: Int, more: Int)) async throws {
        let fixture = try await ServiceFixture(.oss)
        let part = Service.oss.leastPart
        let length = UInt64(Int(part) * size.n + size.more)
        let source = MadeUpSource(length: length)
        _ = try await fixture.upload(UploadSource(source, name: "film"))
        let lengths = fixture.log.entries(of: .uploadPart).sorted {
            ($0.request.partNumber ?? 0) < ($1.request.partNumber ?? 0)
        }
        .map(\.bodyLength)
        #expect(lengths.reduce(0, +) == length && lengths.dropLast().allSatisfy { $0 == part } && !lengths.contains(0))
        let path = fixture.directory.path("copy")
        _ = try await TransferEngine().download(
            fixture.target, to: path, using: fixture.backend, options: TransferOptions(partSize: part)
        ).value
        #expect(try fixture.directory.read("copy") == source.bytes)
        let ranges = fixture.log.entries(of: .getObject)
        if length > part {
            var next: UInt64 = 0
            for range in ranges.compactMap(\.request.range).sorted(by: {
                $0.count == $1.count ? $0 < $1 : $0.count < $1.count
            }) {
                let end = min(next + part, length)
                #expect(range == "bytes=\(next)-\(end - 1)")
                next = end
            }
            #expect(next == length)
        }
    }

    static let gibibyte: UInt64 = 1 << 30

    /// Sizes around the limit of one request, and nearly the largest of all: 48.8 TiB.
    static let largeSizes: [UInt64] = [
        5 * gibibyte - 1, 5 * gibibyte, 5 * gibibyte + 1, UInt64(48.8 * Double(gibibyte) * 1024),
    ]

    /// Starts a copy of a source of that size until its first part is asked for, and returns what was planned.
    private func plan(
        _ fixture: ServiceFixture, size: UInt64, partSize: UInt64? = nil
    ) async throws -> (parts: Int, ranges: [ByteRange]) {
        try fixture.server.storage.putObject("film", in: "src-bucket", .pretended(length: size))
        let hook = TransferCancelHook()
        let stalled = fixture.server.faults.add(.on(.uploadPartCopy), .hold)
        var options = TransferOptions(
            partSize: partSize, concurrency: 2,
            checkpoint: .store(FileCheckpointStore(path: fixture.directory.path("checkpoint"))), cancelHook: hook,
            pauseGrace: .zero)
        options.singleRequestLimit = 0
        let handle = try TransferEngine().copy(
            from: ObjectLocation(bucket: "src-bucket", key: "film"), to: fixture.target, using: fixture.backend,
            options: options)
        let ended = Task { await failure { _ = try await handle.value } }
        try await stalled.waitUntilHeld(2)
        hook.cancel()
        #expect(await ended.value?.code == .paused)
        let pending = try await FileCheckpointStore(path: fixture.directory.path("checkpoint")).pending()
        let ranges = fixture.log.entries(of: .uploadPartCopy).compactMap(\.request.range).map { text -> ByteRange in
            let bounds = text.dropFirst("bytes=".count).split(separator: "-").compactMap { UInt64($0) }
            return ByteRange(offset: bounds[0], length: bounds[1] - bounds[0] + 1)
        }
        return (try #require(pending.first?.partCount), ranges)
    }

    @Test("FR-068: a copy in parts has a legal plan for every size", arguments: Service.allCases, largeSizes)
    func plansOfLargeSources(_ service: Service, size: UInt64) async throws {
        let fixture = try await ServiceFixture(service)
        let (parts, ranges) = try await plan(fixture, size: size)
        let length = try #require(ranges.first?.length)
        #expect(ranges.count == 2 && ranges.allSatisfy { $0.length == length })
        #expect((service.leastPart...(5 << 30)).contains(length))
        #expect((2...10_000).contains(parts))
        #expect(UInt64(parts - 1) * length < size && UInt64(parts) * length >= size)
    }

    @Test(
        "FR-068: a copy by one request that is too large names the call that does it", arguments: Service.allCases,
        largeSizes)
    func copyByOneRequest(_ service: Service, size: UInt64) async throws {
        let fixture = try await ServiceFixture(service)
        try fixture.server.storage.putObject("film", in: "src-bucket", .pretended(length: size))
        let source = ObjectLocation(bucket: "src-bucket", key: "film")
        // OSS: 1 GiB; the others 5 GiB.
        if size <= fixture.backend.capabilities.largestCopy {
            _ = try await fixture.backend.copyObject(source, to: fixture.target, ifMatch: nil, options: ObjectOptions())
            #expect(fixture.stored?.length == size)
            return
        }
        let error = await failure {
            _ = try await fixture.backend.copyObject(source, to: fixture.target, ifMatch: nil, options: ObjectOptions())
        }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains("resumableCopyObject") == true, "\(error?.message ?? "")")
        #expect(fixture.stored == nil && fixture.log.entries.count == 1)
    }

    /// A file without content of any length.
    private func sparse(_ name: String, _ size: UInt64, in directory: TemporaryDirectory) throws -> String {
        try directory.write([], to: name)
        #expect(truncate(directory.path(name), off_t(size)) == 0)
        return directory.path(name)
    }

    @Test("FR-069: the default part size grows with the source, and is recorded")
    func partSizesGrow() async throws {
        // TOS: 20 MiB would be 12,800 parts of 250 GiB.
        let fixture = try await ServiceFixture(.tos)
        let (parts, ranges) = try await plan(fixture, size: 250 * Self.gibibyte)
        #expect(ranges.first?.length == 26 << 20 && parts == 9_847)
        fixture.server.faults.removeAll()
        let upload = try #require(fixture.server.storage.uploads.first?.id)
        let held = fixture.server.faults.add(.on(.uploadPartCopy), .stall)
        // The same plan is found again by the call that goes on, though it names no size either.
        let again = try TransferEngine().copy(
            from: ObjectLocation(bucket: "src-bucket", key: "film"), to: fixture.target, using: fixture.backend,
            options: TransferOptions(
                checkpoint: .store(FileCheckpointStore(path: fixture.directory.path("checkpoint"))), pauseGrace: .zero))
        try await fixture.log.waitFor(count: 3) { $0.operation == .uploadPartCopy }
        again.cancel(.pause)
        _ = await failure { _ = try await again.value }
        held.remove()
        #expect(fixture.server.storage.uploads.map(\.id) == [upload])

        // VOD: 1 MiB would be 12,288 parts of 12 GiB.
        let video = try await VODFixture()
        let path = try sparse("film.mp4", 12 * Self.gibibyte, in: video.directory)
        let stalled = video.server.faults.add(.on(.uploadPart), .stall)
        let task = try video.uploader { $0.partSize = nil }.uploadTask(path)
        var raised: (UInt64, UInt64)?
        let events = Task {
            var raised: (UInt64, UInt64)?
            for await event in task.events {
                if case .partSizeRaised(let from, let to) = event { raised = (from, to) }
            }
            return raised
        }
        try await video.server.wireLog.waitFor(operation: .uploadPart)
        task.cancel()
        _ = await uploadFailure { _ = try await task.value }
        stalled.remove()
        raised = await events.value
        #expect(raised?.0 == 1 << 20 && raised?.1 == 2 << 20)
        let checkpoints = try await FileCheckpointStore(path: video.directory.path("records/")).pending()
        #expect(checkpoints.first?.partCount == 6_144)
    }

    @Test("FR-069: a part size that was asked for and is too small is refused before anything is created")
    func partSizesThatAreTooSmall() async throws {
        let tos = try await CopyFixture(size: 250 * Self.gibibyte)
        let copy = await failure { _ = try await tos.client.resumableCopyObject(tos.input()) }
        #expect(copy?.field == "partSize" && copy?.message.contains("10000") == true)
        #expect(tos.operations == ["HeadObject"])

        let video = try await VODFixture()
        let path = try sparse("film.mp4", 12 * Self.gibibyte, in: video.directory)
        let error = await uploadFailure { _ = try await video.uploader().uploadFile(path) }
        #expect(error?.underlying.field == "partSize")
        #expect(video.server.wireLog.entries.isEmpty)

        let oss = try await OSSFixture()
        var input = OSSUploadFileInput(bucket: OSSFixture.bucket, key: "k", filePath: path)
        input.partSize = 1 << 20
        let upload = await failure { [input] in _ = try await oss.client.uploadFile(input) }
        #expect(upload?.field == "partSize")
        #expect(oss.server.wireLog.entries.isEmpty)
    }

    @Test(
        "FR-070: a source of ten parts fits a service of ten parts, and a byte more is an error, never a shorter object"
    )
    func oneByteTooMany() async throws {
        let fixture = try await ServiceFixture(.oss, { $0.quirks.maximumPartNumber = 10 })
        let part = Service.oss.leastPart
        _ = try await fixture.upload(UploadSource(MadeUpSource(length: 10 * part), name: "ten"))
        #expect(fixture.stored?.length == 10 * part)
        fixture.server.storage.removeObject(fixture.target.key, in: fixture.target.bucket)
        let error = await failure {
            _ = try await fixture.upload(UploadSource(MadeUpSource(length: 10 * part + 1), name: "eleven")) {
                $0.checkpoint = .none
            }
        }
        #expect(error?.part == 11 && error?.service?.code == "InvalidArgument")
        #expect(fixture.stored == nil && fixture.server.storage.uploads.isEmpty)
    }

    /// Says that it has more bytes than it gives.
    private struct ShortSource: ByteSource {
        let length: UInt64
        let real: UInt64

        func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            try MadeUpSource(length: real).read(at: offset, into: buffer)
        }
    }

    @Test(
        "FR-070: a source that ends before the length that it told is an error at once, never a shorter object",
        arguments: Service.allCases, [true, false])
    func sourceThatIsShort(_ service: Service, inParts: Bool) async throws {
        let fixture = try await ServiceFixture(service)
        let source = ShortSource(length: 2 * service.leastPart, real: 2 * service.leastPart - 1)
        let error = await failure {
            _ = try await fixture.upload(UploadSource(source, name: "short")) {
                $0.checkpoint = .none
                $0.singleRequestLimit = inParts ? 0 : source.length
            }
        }
        #expect(error?.code == .fileUnreadable, "\(String(describing: error))")
        #expect(error.map { String(reflecting: $0).contains("the source ended at byte") } == true)
        #expect(fixture.stored == nil && fixture.server.storage.uploads.isEmpty)
        #expect(fixture.log.count(of: .completeMultipartUpload) == 0)
    }

    // MARK: Beyond 32 bits

    /// Around the ends of signed and unsigned 32-bit numbers.
    static let wideSizes: [UInt64] = [1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 32, 1 << 32 + 1]

    fileprivate func uploadWide(_ size: UInt64, partSize: UInt64?) async throws {
        let fixture = try await ServiceFixture(.oss)
        fixture.server.storage.createBucket("dst-bucket", discardsUploads: true)
        let path = try sparse("film", size, in: fixture.directory)
        let progress = LockBox<[TransferProgress]>([])
        let receipt = try await fixture.upload(try .file(path), partSize: partSize) { options in
            options.singleRequestLimit = partSize == nil ? size : 0
            options.concurrency = 2
            options.onEvent = { if case .progress(let step) = $0 { progress.withLock { $0.append(step) } } }
        }
        #expect(receipt.verification == .crc64 && receipt.size == size)
        #expect(fixture.stored?.length == size)
        let steps = progress.withLock { $0 }
        expectOneEnd(steps)
        #expect(steps.last?.completedBytes == size && steps.allSatisfy { $0.totalBytes == size })
        let bodies = fixture.log.entries.filter { [.putObject, .uploadPart].contains($0.operation) }
        #expect(bodies.map(\.bodyLength).reduce(0, +) == size)
        for body in bodies { #expect(body.header("Content-Length") == String(body.bodyLength)) }
    }

    @Test("FR-071: a file of 2^32 + 1 bytes is uploaded in parts of over 2 GiB")
    func wideParts() async throws { try await uploadWide(1 << 32 + 1, partSize: 1 << 31 + 1) }

    @Test("FR-071: ranges, records and results of copies beyond 2^32", arguments: Service.allCases)
    func wideCopies(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        let part = Self.gibibyte + 1
        let size = 9 * part + 5
        let content = ObjectContent.pretended(length: size)
        try fixture.server.storage.putObject("film", in: "src-bucket", content)
        let source = ObjectLocation(bucket: "src-bucket", key: "film")
        let held = fixture.server.faults.add(.on(.uploadPartCopy).parts(7...10), .stall)
        let hook = TransferCancelHook()
        let stored = LockBox(0)
        let error = await failure {
            _ = try await fixture.copy(from: source, partSize: part) {
                $0.cancelHook = hook
                $0.onEvent = { event in
                    guard case .partCompleted = event else { return }
                    stored.withLock { count in
                        count += 1
                        if count == 6 { hook.cancel() }
                    }
                }
            }
        }
        #expect(error?.code == .paused)
        held.remove()
        let pending = try await FileCheckpointStore(path: fixture.directory.path("checkpoint")).pending()
        #expect(pending.first?.bytesDone == 6 * part)
        let progress = LockBox<[TransferProgress]>([])
        let receipt = try await fixture.copy(from: source, partSize: part) {
            $0.onEvent = { if case .progress(let step) = $0 { progress.withLock { $0.append(step) } } }
        }
        #expect(receipt.size == size)
        #expect(fixture.stored?.length == size && fixture.stored?.content.firstDifference(from: content) == nil)
        #expect(progress.withLock { $0.last?.completedBytes } == size)
        let done = fixture.log.entries(of: .uploadPartCopy).filter { $0.status == 200 }
        expectTiles(done, size, part)
    }

    // MARK: Sources that change

    /// What happens to a file while it is uploaded.
    enum Change: CaseIterable, Sendable {
        case grows
        case shrinks
        case isRewritten
        case isReplaced
        case isDeleted

        /// Lets it happen to the file at a path, which has that many bytes.
        func happen(to path: String, _ size: UInt64) {
            switch self {
            case .grows: #expect(truncate(path, off_t(size + 1)) == 0)
            case .shrinks: #expect(truncate(path, off_t(size / 2)) == 0)
            case .isRewritten:
                let file = open(path, O_WRONLY)
                #expect(pwrite(file, "changed", 7, off_t(size - 10)) == 7)
                close(file)
            case .isReplaced:
                let other = open(path + ".other", O_WRONLY | O_CREAT, 0o600)
                #expect(ftruncate(other, off_t(size)) == 0)
                close(other)
                #expect(rename(path + ".other", path) == 0)
            case .isDeleted: #expect(unlink(path) == 0)
            }
        }
    }

    private func expectSourceChanged(_ error: TransferError?, _ fixture: ServiceFixture) {
        #expect(error?.code == .sourceChanged, "\(String(describing: error))")
        #expect(fixture.stored == nil)
        #expect(fixture.log.count(of: .completeMultipartUpload) == 0)
        #expect(fixture.server.storage.uploads.isEmpty)
        #expect(fixture.checkpoints.isEmpty)
    }

    @Test(
        "FR-072: a file that changes half-way, or behind its last part, is never stored", arguments: Service.allCases,
        Change.allCases)
    func changingFiles(_ service: Service, _ change: Change) async throws {
        for isLast in [false, true] {
            let fixture = try await ServiceFixture(service)
            let count = service.leastPart == 100 << 10 ? 10 : 4
            let size = UInt64(count) * service.leastPart
            let path = try sparse("film", size, in: fixture.directory)
            // Half-way, the bytes of part 5 of 10 have been read already, those of the next not yet.
            let held = fixture.server.faults.add(.on(.uploadPart).part(isLast ? count : count / 2), .hold)
            let handle = try fixture.startUpload(.file(path)) { $0.concurrency = 1 }
            let ended = Task { await failure { _ = try await handle.value } }
            try await held.waitUntilHeld()
            change.happen(to: path, size)
            held.release()
            expectSourceChanged(await ended.value, fixture)
            #expect(fixture.log.count(of: .uploadPart) <= (isLast ? count : count / 2 + 1))
        }
    }

    @Test(
        "FR-072: a file that changes before it is sent again by one request is never stored",
        arguments: Service.allCases,
        Change.allCases)
    func changingSmallFiles(_ service: Service, _ change: Change) async throws {
        let happening = LockBox<(@Sendable () -> Void)?>(nil)
        let fixture = try await ServiceFixture(
            service,
            {
                $0.onRequest = { entry in
                    guard entry.operation == .putObject else { return }
                    happening.withLock { happening in
                        defer { happening = nil }
                        return happening
                    }?()
                }
            })
        let path = try sparse("film", 200_000, in: fixture.directory)
        happening.withLock { $0 = { change.happen(to: path, 200_000) } }
        fixture.server.faults.add(.on(.putObject).first(1), .resetInBody(after: 1000))
        let error = await failure {
            _ = try await fixture.upload(.file(path)) { $0.singleRequestLimit = 200_000 }
        }
        expectSourceChanged(error, fixture)
    }

    @Test("FR-072: so it is with a video", arguments: Change.allCases)
    func changingVideos(_ change: Change) async throws {
        let fixture = try await VODFixture()
        let path = try fixture.file(size: 10 * VODFixture.partSize)
        let held = fixture.server.faults.add(.on(.uploadPart).part(5), .hold)
        let task = try fixture.uploader { $0.parallel = 1 }.uploadTask(path)
        task.events.ignore()
        try await held.waitUntilHeld()
        change.happen(to: path, UInt64(10 * VODFixture.partSize))
        held.release()
        let error = await uploadFailure { _ = try await task.value }
        #expect(error?.errorCode == "ReadFileError" && error?.underlying.code == .sourceChanged)
        #expect(fixture.stored == nil && fixture.count(.completeMultipartUpload) == 0)
        #expect(fixture.server.storage.uploads.isEmpty)
    }

    // MARK: Sparse files

    @Test("FR-073: a file with holes is stored with them as zeros", arguments: [Service.oss, .tos])
    func holes(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        let size: UInt64 = 33 << 20
        let path = try sparse("film", size, in: fixture.directory)
        let islands: [UInt64] = [0, 12 << 20, size - 5]
        writeIslands(islands, to: path)
        let receipt = try await fixture.upload(.file(path), partSize: 8 << 20)
        #expect(receipt.verification == .crc64)
        let stored = try #require(fixture.stored?.content)
        #expect(stored.length == size)
        var expected = [UInt8](repeating: 0, count: Int(size))
        for island in islands { expected.replaceSubrange(Int(island)..<(Int(island) + 5), with: Array("bytes".utf8)) }
        #expect(stored.firstDifference(from: .bytes(expected)) == nil)
    }

    private func writeIslands(_ offsets: [UInt64], to path: String) {
        let file = open(path, O_WRONLY)
        for offset in offsets { #expect(pwrite(file, "bytes", 5, off_t(offset)) == 5) }
        close(file)
    }

    /// The most memory that a process has used so far, in KiB.
    private func peakMemory(of process: Int32) throws -> Int {
        let status = String(decoding: try Data(contentsOf: URL(filePath: "/proc/\(process)/status")), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first)
    }

    #if os(Linux)
        /// Uploads a sparse file by a process of its own and returns the most memory that it used before its end, in KiB.
        fileprivate func memoryOfUpload(_ size: UInt64) async throws -> Int {
            let fixture = try await ServiceFixture(.tos)
            fixture.server.storage.createBucket("dst-bucket", discardsUploads: true)
            let path = try sparse("film", size, in: fixture.directory)
            writeIslands([0, size / 2, size - 5], to: path)
            let parts = Int(size / (5 << 20))
            let program = try Program(
                "FileTransferProgram",
                ["upload", "dst-bucket", "film", path, fixture.directory.path("records/"), String(parts)],
                environment: [
                    "TOS_ENDPOINT": fixture.server.endpoint, "TOS_REGION": fixture.server.region,
                    "TOS_ACCESS_KEY": fixture.server.accessKey, "TOS_SECRET_KEY": fixture.server.secretKey,
                ])
            // It stops itself there.
            for _ in 0..<parts { _ = await program.waitForLine { $0.hasPrefix("event ") } }
            await program.waitUntilStopped()
            let memory = try peakMemory(of: program.identifier)
            program.signal(SIGCONT)
            let outcome = await program.wait()
            #expect(outcome.lines.last == "done crc64", "\(outcome.errors)")
            #expect(fixture.server.storage.object("film", in: "dst-bucket")?.length == size)
            return memory
        }

        @Test("FR-073: memory is flat while a file with holes is uploaded")
        func memoryIsFlat() async throws { #expect(try await memoryOfUpload(200 << 20) < 100 << 10) }
    #endif

    // MARK: Part sizes

    static let partSizes = [
        0, 1, 102_399, 102_400, 5_000_000, 5_242_879, 5_242_880, 5 << 30, 5 << 30 + 1, -1, Int.min, Int.max,
    ]

    /// Expects that `call` is refused before any request where the size is outside the range, and else is not.
    private func expect(
        _ size: Int, least: Int, _ log: WireLog, _ call: () async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let before = log.entries.count
        do {
            try await call()
            #expect(size == 0 || (least...(5 << 30)).contains(size), sourceLocation: sourceLocation)
        } catch {
            let error = error as? TransferError ?? (error as? VODUploadError)?.underlying
            #expect(
                size != 0 && !(least...(5 << 30)).contains(size), "\(String(describing: error))",
                sourceLocation: sourceLocation)
            #expect(error?.field == "partSize", sourceLocation: sourceLocation)
            #expect(error?.message.contains("\(least)…5368709120") == true, sourceLocation: sourceLocation)
            #expect(log.entries.count == before, sourceLocation: sourceLocation)
        }
    }

    @Test("FR-075: part sizes of TOS are 5 MiB to 5 GiB, and 0 for the default", arguments: partSizes)
    func partSizesOfTOS(_ size: Int) async throws {
        let fixture = try await CopyFixture(size: 10)
        let log = fixture.server.wireLog
        let path = fixture.directory.path("film")
        await expect(size, least: 5 << 20, log) {
            var input = fixture.input()
            input.partSize = size
            _ = try await fixture.client.resumableCopyObject(input)
        }
        await expect(size, least: 5 << 20, log) {
            var input = TOSDownloadFileInput(bucket: "src-bucket", key: fixture.source.key, filePath: path)
            input.partSize = size
            _ = try await fixture.client.downloadFile(input)
        }
        await expect(size, least: 5 << 20, log) {
            var input = TOSUploadFileInput(bucket: "dst-bucket", key: "k", source: .bytes([1], name: "a"))
            input.partSize = size
            _ = try await fixture.client.uploadFile(input)
        }
    }

    @Test("FR-075: part sizes of OSS are 100 KiB to 5 GiB, and 0 for the default", arguments: partSizes)
    func partSizesOfOSS(_ size: Int) async throws {
        let fixture = try await OSSFixture()
        try fixture.server.storage.putObject("film", in: "archive", .bytes([1, 2, 3]))
        let log = fixture.server.wireLog
        let path = fixture.directory.path("film")
        await expect(size, least: 100 << 10, log) {
            var input = OSSResumableCopyObjectInput(
                srcBucket: "archive", srcKey: "film", bucket: OSSFixture.bucket, key: "k")
            input.partSize = size
            _ = try await fixture.client.resumableCopyObject(input)
        }
        await expect(size, least: 100 << 10, log) {
            var input = OSSDownloadFileInput(bucket: "archive", key: "film", filePath: path)
            input.partSize = size
            _ = try await fixture.client.downloadFile(input)
        }
        await expect(size, least: 100 << 10, log) {
            var input = OSSUploadFileInput(bucket: OSSFixture.bucket, key: "k", source: .bytes([1], name: "a"))
            input.partSize = size
            _ = try await fixture.client.uploadFile(input)
        }
    }

    @Test("FR-075: so are those of VOD, and those of S3 as TOS's", arguments: partSizes)
    func partSizesOfVODAndS3(_ size: Int) async throws {
        let video = try await VODFixture()
        let path = try video.file(size: 10)
        await expect(size, least: 100 << 10, video.server.wireLog) {
            _ = try await video.uploader { $0.partSize = size }.uploadFile(path)
        }
        await expect(size, least: 100 << 10, video.server.wireLog) {
            _ = try await video.uploader().uploadFile(path, options: VODUploadOptions(partSize: size))
        }
        guard let size = UInt64(exactly: size) else { return }
        let fixture = try await S3Fixture()
        await expect(Int(size), least: 5 << 20, fixture.server.wireLog) {
            _ = try await fixture.client.uploadFile(
                path, to: ObjectLocation(bucket: "dst-bucket", key: "k"), options: TransferOptions(partSize: size))
        }
    }

    @Test("FR-075: the defaults, and a last part that is smaller than any other may be")
    func defaults() async throws {
        let tos = try await CopyFixture(size: 20 << 20 + 1)
        var copy = tos.input()
        copy.partSize = 0
        _ = try await tos.client.resumableCopyObject(copy)
        #expect(
            tos.server.wireLog.entries(of: .uploadPartCopy).compactMap(\.request.range)
                == ["bytes=0-20971519", "bytes=20971520-20971520"])

        for partSize in [nil, 0] as [Int?] {
            let video = try await VODFixture()
            _ = try await video.uploader { $0.partSize = partSize }.uploadFile(try video.file(size: 1 << 20 + 1))
            #expect(video.server.wireLog.entries(of: .uploadPart).map(\.bodyLength).sorted() == [1, 1 << 20])
        }
        let oss = try await OSSFixture()
        var upload = OSSUploadFileInput(
            bucket: OSSFixture.bucket, key: "k", source: UploadSource(MadeUpSource(length: 8 << 20 + 1), name: "a"))
        upload.partSize = 0
        _ = try await oss.client.uploadFile(upload)
        #expect(oss.server.wireLog.entries(of: .uploadPart).map(\.bodyLength).sorted() == [1, 8 << 20])
    }
}

@Suite("Field reports: sizes and sources, by make test-slow", .slow) struct SlowSizeReports {
    @Test(
        "FR-071: files around 2 and 4 GiB by one request and in parts",
        arguments: SizeReports.wideSizes, [nil, 1 << 31 - 1, 1 << 31, 1 << 29] as [UInt64?])
    func wideFiles(_ size: UInt64, partSize: UInt64?) async throws {
        try await SizeReports().uploadWide(size, partSize: partSize)
    }

    #if os(Linux)
        @Test("FR-073: 8 GiB with three islands", .timeLimit(.minutes(10)))
        func largeSparseFile() async throws { #expect(try await SizeReports().memoryOfUpload(8 << 30) < 100 << 10) }
    #endif
}
