internal import TransferCore
internal import TransferPrimitives

// Steps that most checks are made of.

extension Bench {
    /// What the service says of an object; undecided where a denial is to be reckoned with.
    func head(_ location: ObjectLocation) async throws -> ObjectInfo {
        do {
            return try await backend.headObject(location)
        } catch let error as TransferError where error.code == .accessDenied && backend.capabilities.mayDenyHead {
            throw Undecided(reason: "HEAD is denied, as capabilities.mayDenyHead says it may be")
        }
    }

    /// The stored parts; undecided where a denial is to be reckoned with.
    func list(_ upload: MultipartUpload) async throws -> [CompletedPart] {
        do {
            return try await backend.listParts(of: upload)
        } catch let error as TransferError where error.code == .accessDenied && backend.capabilities.mayDenyListParts {
            throw Undecided(reason: "listing parts is denied, as capabilities.mayDenyListParts says it may be")
        }
    }

    @discardableResult
    func put(
        _ content: GeneratedSource, at location: ObjectLocation, options: ObjectOptions = ObjectOptions()
    ) async throws -> TransferReceipt {
        try await backend.putObject(PartBody(content), at: location, options: options)
    }

    /// Sends the stretch of `content` that part `number` of a plan with `partSize` has.
    func send(
        _ number: Int, of upload: MultipartUpload, _ content: GeneratedSource
    ) async throws -> CompletedPart {
        let range = ByteRange(offset: UInt64(number - 1) * partSize, length: partSize)
        return try await backend.uploadPart(number, of: upload, body: PartBody(content, range: range))
    }

    /// Copies the same stretch of an object.
    func copy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, size: UInt64, ifMatch: ETag? = nil
    ) async throws -> CompletedPart {
        let offset = UInt64(number - 1) * partSize
        let range = ByteRange(offset: offset, length: min(partSize, size - offset))
        return try await copying().uploadPartCopy(number, of: upload, from: source, range: range, ifMatch: ifMatch)
    }

    /// Content of so many whole parts and a rest.
    func content(wholeParts: Int, seed: UInt64 = 1) -> GeneratedSource {
        GeneratedSource(seed: seed, length: UInt64(wholeParts) * partSize + restSize)
    }

    /// Expects exactly `content` at `location`: its size, its CRC-64 where it is told, its bytes where they can be read.
    func expectObject(at location: ObjectLocation, is content: GeneratedSource) async throws {
        let info = try await head(location)
        try expectEqual(info.size, content.length, "the size of the object")
        if let crc64 = info.checksums.crc64 { try expectEqual(crc64, content.crc64, "the CRC-64 of the object") }
        if backend is any ReadableBackend { try await expectBytes(of: location, are: content) }
    }

    /// Reads `range` and expects exactly those bytes, in order, each at its offset in the object.
    @discardableResult
    func expectBytes(
        of location: ObjectLocation, are content: GeneratedSource, range: ByteRange? = nil, ifMatch: ETag? = nil
    ) async throws -> ObjectInfo {
        let sink = ComparingSink(content, range: range ?? ByteRange(offset: 0, length: content.length))
        let info = try await reading().getObject(location, range: range, ifMatch: ifMatch, into: sink)
        try sink.finish()
        try expectEqual(info.size, content.length, "the size of the whole object, as a read tells it,")
        return info
    }

    func expectMissing(_ location: ObjectLocation, _ when: String) async throws {
        try await expectError(.notFound, of: "HEAD of an object \(when)") { try await head(location) }
    }

    func expectGone(_ upload: MultipartUpload, _ when: String) async throws {
        try await expectError(.uploadNotFound, of: "a listing of parts \(when)") { try await list(upload) }
    }
}
