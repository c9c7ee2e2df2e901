import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// One of the transfers that the library makes, so that a report about one kind is tried on all.
struct Subject: Sendable, Hashable, CustomTestStringConvertible {
    enum Kind: String, Sendable { case upload, copy, download }
    enum Service: String, CaseIterable, Sendable { case oss, tos, tosS3, s3, vod }

    let kind: Kind
    let service: Service

    var testDescription: String { "\(kind) \(service)" }

    static let uploads = [Service.oss, .tos, .s3, .vod].map { Subject(kind: .upload, service: $0) }
    static let copies = [Service.oss, .tos, .tosS3, .s3].map { Subject(kind: .copy, service: $0) }
    static let downloads = [Service.oss, .tos, .s3].map { Subject(kind: .download, service: $0) }
    /// Those that make an object in parts.
    static let writers = uploads + copies
    static let all = writers + downloads
    /// One of each kind and provider's wire, with small parts where there are such.
    static let light = [
        ossUpload, Subject(kind: .upload, service: .vod), tosCopy, Subject(kind: .download, service: .oss),
    ]
    static let ossUpload = Subject(kind: .upload, service: .oss)
    static let tosCopy = Subject(kind: .copy, service: .tos)

    /// The smallest that the service and its client allow.
    var partSize: Int { service == .oss || service == .vod ? 100 << 10 : 5 << 20 }
    /// The request that moves a part.
    var part: StoreOperation {
        switch kind {
        case .upload: .uploadPart
        case .copy: .uploadPartCopy
        case .download: .getObject
        }
    }
    /// The requests that move the part `number`.
    func match(part number: Int) -> RequestMatch {
        guard kind == .download else { return .on(part).part(number) }
        let start = "bytes=\((number - 1) * partSize)-"
        return .on(part).matching { $0.range?.hasPrefix(start) == true }
    }

    /// What the path of the checkpoint is called.
    var checkpointField: String { service == .vod ? "checkpointDirectory" : "checkpointFile" }

    /// Whether the service's list tells the CRC-64 of the parts.
    var tellsChecksums: Bool { service == .oss || service == .vod }
}

/// How one call is made. Each is made by a client of its own, as by another process.
struct Call: Sendable {
    var path: String
    var key = TransferScene.key
    var parallel = 1
    var retries = 3
    /// A path for the checkpoint; nil for the default.
    var records: String?
    var store: (any CheckpointStore)?
    var hook: (any CancelHook)?
    var grace: Duration = .zero
    var checksLocalParts = true
    var source: UploadSource?
    var onEvent: @Sendable (TransferEvent) -> Void = { _ in }
}

/// A server, a file and an object, and the transfer between them.
final class TransferScene: Sendable {
    static let key = "films/a b.mp4"
    let bucket: String
    let subject: Subject
    let server: ObjectStoreStub
    let directory: TemporaryDirectory
    let count: Int

    /// - Parameter parts: How many parts the content has; the last is a short one.
    init(
        _ subject: Subject, parts: Int = 6, bucket: String = "films",
        _ change: (inout StubConfiguration) -> Void = { _ in }
    ) async throws {
        var configuration = StubConfiguration()
        configuration.buckets = [bucket, "source"]
        change(&configuration)
        self.subject = subject
        self.bucket = bucket
        count = parts
        directory = try TemporaryDirectory()
        server = try await ObjectStoreStub.start(configuration)
        try write(seed: 1)
    }

    // MARK: Content

    var size: Int { (count - 1) * subject.partSize + 1000 }
    var path: String { directory.path("a.mp4") }
    var records: String { directory.path("records/") }

    /// Content of an upload: it differs in every part, and is cheap to make.
    func bytes(seed: UInt64) -> [UInt8] {
        var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: seed), count: size)
        for part in 0..<count {
            let mark = Array("part \(part + 1) of seed \(seed)".utf8)
            bytes.replaceSubrange(part * subject.partSize..<part * subject.partSize + mark.count, with: mark)
        }
        return bytes
    }

    /// That of an object.
    private func content(seed: UInt64) -> ObjectContent { .pretended(length: UInt64(size), seed: seed) }

    /// Writes the source: the file of an upload, else the object.
    func write(seed: UInt64) throws {
        if subject.kind == .upload {
            try write(bytes(seed: seed))
        } else {
            try server.storage.putObject(Self.key, in: "source", content(seed: seed))
        }
    }

    func write(_ bytes: [UInt8]) throws { try directory.write(bytes, to: "a.mp4") }

    /// The CRC-64 of what the transfer was to make, as it stands; nil while it does not.
    ///
    /// Of the bytes themselves, not as the server tells it: comparing that many bytes one by one takes long in a debug build.
    func made(_ key: String = TransferScene.key) -> UInt64? {
        switch subject.kind {
        case .download: (try? directory.read("a.mp4")).map { Self.checksum($0) }
        case .copy, .upload: object(key)?.content.crc64
        }
    }

    static func checksum(_ bytes: [UInt8]) -> UInt64 {
        var crc = CRC64()
        crc.update(bytes)
        return crc.value
    }

    func expected(seed: UInt64) -> UInt64? {
        subject.kind == .upload ? Self.checksum(bytes(seed: seed)) : content(seed: seed).crc64
    }

    func object(_ key: String = TransferScene.key) -> StoredObject? {
        guard subject.service == .vod else { return server.storage.object(key, in: bucket) }
        return server.vod.videos.last.flatMap { server.storage.object($0.key, in: $0.bucket) }
    }

    func isMade(seed: UInt64 = 1) -> Bool { made() == expected(seed: seed) }

    // MARK: Calls

    var call: Call { Call(path: path, records: records) }

    /// Makes a call and returns its events.
    @discardableResult
    func run(_ change: (inout Call) throws -> Void = { _ in }) async throws -> [TransferEvent] {
        var call = call
        try change(&call)
        let events = LockBox<[TransferEvent]>([])
        let listener = call.onEvent
        call.onEvent = { event in
            events.withLock { $0.append(event) }
            listener(event)
        }
        defer { last.withLock { $0 = events.withLock { $0 } } }
        try await perform(call)
        return events.withLock { $0 }
    }

    private let last = LockBox<[TransferEvent]>([])
    /// Those of the last call, however it ended.
    var lastEvents: [TransferEvent] { last.withLock { $0 } }
    /// What the store told when the checkpoint of the last call was claimed.
    var lastNotes: [CheckpointNote] { Later(events: lastEvents, entries: [], subject: subject).notes }

    /// The error that a call ends with.
    func fails(
        sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout Call) throws -> Void = { _ in }
    ) async -> TransferError? {
        await failure({ try await run(change) }, sourceLocation: sourceLocation)
    }

    /// Makes the first `count` parts, pauses, and returns the upload's id. However late the pause comes, no further part
    /// gets through.
    @discardableResult
    func pause(after count: Int, _ change: (inout Call) -> Void = { _ in }) async throws -> String? {
        let stalled = server.faults.add(.on(subject.part).after(count), .stall)
        defer { stalled.remove() }
        let hook = TransferCancelHook()
        let stored = LockBox(0)
        let error = await fails { call in
            change(&call)
            call.hook = hook
            call.onEvent = { event in
                guard case .partCompleted = event else { return }
                let number = stored.withLock { stored in
                    stored += 1
                    return stored
                }
                if number == count { hook.cancel() }
            }
        }
        #expect(error?.code == .paused)
        // What was on its way when the call ended is at the server now, and met the stall.
        try await server.wireLog.waitUntilConnectionsEnd()
        return server.storage.uploads.last?.id
    }

    /// A listener that opens a gate when a part is recorded: the event follows the line.
    static func opening(_ gate: Gate, afterPart number: Int) -> @Sendable (TransferEvent) -> Void {
        { event in
            if case .partCompleted(let part, _) = event, part.number == number { gate.open() }
        }
    }

    /// What a later call did.
    struct Later {
        let events: [TransferEvent]
        let entries: [WireEntry]
        let subject: Subject

        /// The numbers of the parts that it moved or tried to, in their order.
        var parts: [Int] {
            entries.filter { $0.operation == subject.part }.compactMap { entry in
                if subject.kind != .download { return entry.request.partNumber }
                let first = entry.request.range?.split(separator: "=").last?.split(separator: "-").first
                return first.flatMap { Int($0) }.map { $0 / subject.partSize + 1 }
            }.sorted()
        }
        func count(_ operation: StoreOperation) -> Int { entries.count { $0.operation == operation } }
        /// The parts that Complete named, in its order.
        var completed: [Int] {
            let text = entries.last { $0.operation == .completeMultipartUpload }?.documentText ?? ""
            // In XML every second mention closes the element.
            let step = text.contains("<") ? 2 : 1
            return text.split(separator: "PartNumber").dropFirst().enumerated()
                .filter { $0.offset.isMultiple(of: step) }
                .compactMap { Int($0.element.drop { !$0.isNumber }.prefix { $0.isNumber }) }
        }
        var restarts: [RestartReason] {
            events.compactMap { event -> RestartReason? in
                if case .restarted(let reason) = event { reason } else { nil }
            }
        }
        var isResumed: Bool { events.contains { if case .resumed = $0 { true } else { false } } }
        /// What the store told when the checkpoint was claimed.
        var notes: [CheckpointNote] {
            events.flatMap { event -> [CheckpointNote] in
                if case .checkpointClaimed(_, let notes) = event { notes } else { [] }
            }
        }
    }

    /// Makes a call and returns what it did at the server.
    func later(_ change: (inout Call) throws -> Void = { _ in }) async throws -> Later {
        let before = server.wireLog.entries.count
        let events = try await run(change)
        return Later(events: events, entries: Array(server.wireLog.entries.dropFirst(before)), subject: subject)
    }

    // MARK: The checkpoint

    var store: FileCheckpointStore { FileCheckpointStore(path: records) }

    /// The one file in the directory of checkpoints.
    func recordPath() throws -> String {
        directory.path(try #require(directory.files.first { $0.hasPrefix("records/") && $0.hasSuffix(".checkpoint") }))
    }

    /// The numbers of the parts that its lines record.
    func recordedParts() throws -> [Int] {
        try CheckpointDirectory.durableParts(in: records).compactMap { Int($0) }.sorted()
    }

    /// Files that are left of checkpoints and unfinished downloads.
    var leftovers: [String] { directory.files.filter { $0 != "a.mp4" } }

    /// How often each part was stored.
    var storedParts: [Int: Int] {
        let name: String
        if subject.service == .vod {
            name = server.vod.videos.last.map { "\($0.bucket)/\($0.key)" } ?? ""
        } else {
            name = "\(bucket)/\(Self.key)"
        }
        return server.storage.storedPartCounts[name] ?? [:]
    }

    /// Every part once.
    var everyPartOnce: [Int: Int] { Dictionary(uniqueKeysWithValues: (1...count).map { ($0, 1) }) }
}
