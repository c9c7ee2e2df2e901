package import TransferCore
package import TransferPrimitives

/// An object service in memory that copies by itself, with a hook before each request.
package final class MemoryBackend: CopyBackend {
    package struct Object: Sendable {
        package var bytes: [UInt8]
        package var etag: ETag
        package var attributes = ObjectAttributes()
        /// Whether the service tells how many tags there are.
        package var tellsTagCount = true
        /// Whether the service tells a checksum that is not that of the bytes.
        package var tellsOtherChecksum = false

        package init(_ bytes: [UInt8], attributes: ObjectAttributes = ObjectAttributes()) {
            self.bytes = bytes
            self.attributes = attributes
            etag = ETag(Hex.encode(Digest.md5(bytes)))
        }
    }

    package struct Upload: Sendable {
        package var target: ObjectLocation
        package var options: ObjectOptions
        package var parts: [Int: (bytes: [UInt8], part: CompletedPart)] = [:]

        package init(target: ObjectLocation, options: ObjectOptions = ObjectOptions()) {
            self.target = target
            self.options = options
        }
    }

    /// A request, as the hook and the log see it.
    package enum Request: Sendable, Hashable {
        case head(ObjectLocation)
        case create
        case part(Int)
        case list
        case complete
        case abort
        case copy
        case put
        case tags
        /// Of the bytes from this offset.
        case get(UInt64)
    }

    package struct State: Sendable {
        package var objects: [ObjectLocation: Object] = [:]
        package var uploads: [String: Upload] = [:]
        package var log: [Request] = []
        var nextUpload = 1
    }

    package let provider = "memory"
    package let capabilities: BackendCapabilities
    package let state = LockBox(State())
    /// Called before each request is performed; may wait, and may throw in the request's place.
    private let before: @Sendable (Request) async throws -> Void
    /// Called after a request was performed and before its answer is given; a throw loses the answer.
    private let after: @Sendable (Request) async throws -> Void
    /// Whether Complete answers the object's checksum, and a tag that its parts give.
    private let tellsChecksums: Bool

    package init(
        capabilities: BackendCapabilities = BackendCapabilities(
            parts: .init(minimumSize: 1, maximumSize: 1 << 30, maximumCount: 10_000, defaultSize: 10),
            largestPut: 1 << 30, largestCopy: 1 << 30, checksums: [.crc64]),
        tellsChecksums: Bool = true,
        before: @escaping @Sendable (Request) async throws -> Void = { _ in },
        after: @escaping @Sendable (Request) async throws -> Void = { _ in }
    ) {
        self.capabilities = capabilities
        self.tellsChecksums = tellsChecksums
        self.before = before
        self.after = after
    }

    package var log: [Request] { state.withLock { $0.log } }
    package var openUploads: [String] { state.withLock { $0.uploads.keys.sorted() } }

    package func object(_ location: ObjectLocation) -> Object? { state.withLock { $0.objects[location] } }

    package func put(_ object: Object, at location: ObjectLocation) {
        state.withLock { $0.objects[location] = object }
    }

    private func perform<Value>(
        _ request: Request, _ body: (inout State) throws -> Value
    ) async throws -> Value {
        state.withLock { $0.log.append(request) }
        try await before(request)
        let value = try state.withLock { state in try body(&state) }
        try await after(request)
        return value
    }

    package func headObject(_ object: ObjectLocation) async throws -> ObjectInfo {
        try await perform(.head(object)) { state in
            guard let found = state.objects[object] else { throw TransferError(.notFound, "no such object") }
            return found.info
        }
    }

    package func putObject(
        _ body: PartBody, at target: ObjectLocation, options: ObjectOptions
    ) async throws -> TransferReceipt {
        let bytes = try body.bytes()
        return try await perform(.put) { state in
            let object = Object(bytes, attributes: options.attributes)
            state.objects[target] = object
            return TransferReceipt(
                etag: object.etag, checksums: object.info.checksums, verification: .crc64)
        }
    }

    package func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, ifMatch: ETag?, options: ObjectOptions
    ) async throws -> TransferReceipt {
        try await perform(.copy) { state in
            let object = try state.source(source, ifMatch: capabilities.honoursCopyPreconditions ? ifMatch : nil)
            state.objects[target] = Object(object.bytes, attributes: options.attributes)
            return TransferReceipt(etag: object.etag)
        }
    }

    package func createMultipartUpload(
        at target: ObjectLocation, options: ObjectOptions
    ) async throws -> MultipartUpload {
        try await perform(.create) { state in
            let id = "upload-\(state.nextUpload)"
            state.nextUpload += 1
            state.uploads[id] = Upload(target: target, options: options)
            return MultipartUpload(id: id, target: target, options: options)
        }
    }

    package func uploadPart(_ number: Int, of upload: MultipartUpload, body: PartBody) async throws -> CompletedPart {
        let bytes = try body.bytes()
        return try await perform(.part(number)) { state in try state.store(bytes, number, upload.id, confirmed: true) }
    }

    package func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange, ifMatch: ETag?
    ) async throws -> CompletedPart {
        try await perform(.part(number)) { state in
            let object = try state.source(source, ifMatch: capabilities.honoursCopyPreconditions ? ifMatch : nil)
            guard range.end <= UInt64(object.bytes.count), !range.isEmpty else {
                throw TransferError(.refused, "the range is outside the source")
            }
            let bytes = Array(object.bytes[Int(range.offset)..<Int(range.end)])
            return try state.store(bytes, number, upload.id, confirmed: false)
        }
    }

    package func listParts(of upload: MultipartUpload) async throws -> [CompletedPart] {
        try await perform(.list) { state in
            try state.upload(upload.id).parts.values.map(\.part).sorted { $0.number < $1.number }
        }
    }

    package func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) async throws -> TransferReceipt {
        try await perform(.complete) { state in
            let open = try state.upload(upload.id)
            var bytes: [UInt8] = []
            var last = 0
            for part in parts {
                guard part.number > last, let stored = open.parts[part.number], stored.part.etag == part.etag else {
                    throw TransferError(.invalidPart, "part \(part.number) is missing or another one")
                }
                last = part.number
                bytes += stored.bytes
            }
            var object = Object(bytes, attributes: open.options.attributes)
            let digests = parts.compactMap { Hex.decode($0.etag.bare) }.joined()
            let combined = Hex.encode(Digest.md5(digests)) + "-\(parts.count)"
            object.etag = ETag(tellsChecksums ? combined : "of-\(upload.id)")
            state.objects[open.target] = object
            state.uploads[upload.id] = nil
            return TransferReceipt(etag: object.etag, checksums: tellsChecksums ? object.info.checksums : [:])
        }
    }

    package func copySourceTags(_ source: ObjectLocation) async throws -> [String: String]? {
        try await perform(.tags) { state in state.objects[source]?.attributes.tags }
    }

    package func abortMultipartUpload(_ upload: MultipartUpload) async throws {
        try await perform(.abort) { state in state.uploads[upload.id] = nil }
    }
}

extension MemoryBackend: ReadableBackend {
    /// Gives the bytes a few at a time, each piece after the hook's word; an attempt that fails in between is final.
    package func getObject(
        _ object: ObjectLocation, range: ByteRange?, ifMatch: ETag?, into sink: some PartSink
    ) async throws -> ObjectInfo {
        let range = range ?? ByteRange(offset: 0, length: UInt64(self.object(object)?.bytes.count ?? 0))
        let found = try await perform(.get(range.offset)) { state in try state.source(object, ifMatch: ifMatch) }
        var offset = Int(clamping: range.offset)
        let end = min(found.bytes.count, Int(clamping: range.end))
        while offset < end {
            let piece = Array(found.bytes[offset..<min(end, offset + 4)])
            try piece.withUnsafeBytes { try sink.write($0, at: UInt64(offset)) }
            offset += piece.count
        }
        return found.info
    }
}

extension MemoryBackend.Object {
    package var info: ObjectInfo {
        var crc = CRC64()
        crc.update(bytes)
        if tellsOtherChecksum { crc.update([0]) }
        var told = attributes
        told.tags = [:]
        return ObjectInfo(
            size: UInt64(bytes.count), etag: etag, checksums: Checksums(crc64: crc.value), attributes: told,
            tagCount: tellsTagCount ? attributes.tags.count : nil)
    }
}

extension MemoryBackend.State {
    fileprivate func source(_ location: ObjectLocation, ifMatch: ETag?) throws -> MemoryBackend.Object {
        guard let object = objects[location] else { throw TransferError(.notFound, "no such object") }
        if let ifMatch, ifMatch != object.etag { throw TransferError(.sourceChanged, "the source changed") }
        return object
    }

    fileprivate func upload(_ id: String) throws -> MemoryBackend.Upload {
        guard let upload = uploads[id] else { throw TransferError(.uploadNotFound, "no such upload") }
        return upload
    }

    fileprivate mutating func store(
        _ bytes: [UInt8], _ number: Int, _ id: String, confirmed: Bool
    ) throws -> CompletedPart {
        guard uploads[id] != nil else { throw TransferError(.uploadNotFound, "no such upload") }
        var crc = CRC64()
        crc.update(bytes)
        let part = CompletedPart(
            number: number, etag: ETag(Hex.encode(Digest.md5(bytes))), size: UInt64(bytes.count),
            checksums: confirmed ? Checksums(crc64: crc.value) : [:], isConfirmed: confirmed)
        uploads[id]?.parts[number] = (bytes, part)
        return part
    }
}

extension PartBody {
    fileprivate func bytes() throws -> [UInt8] {
        // All empty arrays share their storage, which even the length 0 would be written to.
        if length == 0 { return [] }
        return try [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            while count < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let read = try self.read(at: UInt64(count), into: rest)
                if read == 0 { break }
                count += read
            }
        }
    }
}
