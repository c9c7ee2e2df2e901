import TestSupport
import TransferCore
import TransferPrimitives

/// A backend with one fault, as they are made.
struct FaultyBackend: CopyBackend, ReadableBackend {
    enum Fault: CaseIterable {
        case takesOneReading
        case forgetsAttributes
        case losesCaseOfKeys
        case callsMissingRefused
        case wrapsErrorsOfSources
        case wrapsErrorsOfSinks
        case writesFromZero
        case ignoresTagsOfReads
        case ignoresTagsOfCopies
        case ignoresRanges
        case tellsNoCRC64OfParts
        case claimsCRC64
        case comparesNothing
        case listsInOrderOfArrival
        case listsOnePage
        case listsWrongSizes
        case acceptsAnyTag
        case keepsCompletedUploads
        case abortsNothing
        case refusesSecondAbort
        case cannotBeCancelled
        case belongsToOneValue
        case contradictsItself
    }

    let base: LocalDirectoryBackend
    let fault: Fault
    /// Uploads that this value, and no other, knows.
    private let known = LockBox<Set<String>>([])

    init(_ directory: LocalDirectory, _ fault: Fault) {
        base = LocalDirectoryBackend(directory)
        self.fault = fault
    }

    var provider: String { base.provider }

    var capabilities: BackendCapabilities {
        var capabilities = base.capabilities
        if fault == .contradictsItself { capabilities.parts.defaultSize = 0 }
        return capabilities
    }

    // MARK: Faults

    private func place(_ location: ObjectLocation) -> ObjectLocation {
        guard fault == .losesCaseOfKeys else { return location }
        return ObjectLocation(bucket: location.bucket, key: location.key.lowercased())
    }

    private func body(_ body: PartBody) throws -> PartBody {
        guard fault == .takesOneReading else { return body }
        var bytes = [UInt8](repeating: 0, count: Int(body.length))
        let count = try bytes.withUnsafeMutableBytes { try body.read(at: 0, into: $0) }
        return PartBody(MemorySource(Array(bytes.prefix(count))))
    }

    private func told(_ info: ObjectInfo) -> ObjectInfo {
        var info = info
        if fault == .claimsCRC64 { info.checksums = [:] }
        return info
    }

    private func told(_ part: CompletedPart) -> CompletedPart {
        var part = part
        if fault == .tellsNoCRC64OfParts { part.checksums = [:] }
        return part
    }

    private func perform<Value: Sendable>(_ step: @escaping @Sendable () async throws -> Value) async throws -> Value {
        do {
            // A task that does not belong to the caller's never learns of its end.
            if fault == .cannotBeCancelled { return try await Task.detached { try await step() }.value }
            return try await step()
        } catch let error as TransferError {
            throw self.told(error)
        }
    }

    private func told(_ error: TransferError) -> TransferError {
        let isHidden =
            switch fault {
            case .callsMissingRefused: error.code == .notFound
            case .wrapsErrorsOfSources: error.code == .sourceChanged && error.object == nil
            case .wrapsErrorsOfSinks: error.code == .diskFull
            default: false
            }
        return isHidden ? TransferError(.refused, "it did not work", underlying: error) : error
    }

    // MARK: Steps

    func headObject(_ object: ObjectLocation) async throws -> ObjectInfo {
        try await perform { told(try await base.headObject(place(object))) }
    }

    func putObject(
        _ body: PartBody, at target: ObjectLocation, options: ObjectOptions
    ) async throws -> TransferReceipt {
        let options = fault == .forgetsAttributes ? ObjectOptions() : options
        return try await perform {
            var receipt = try await base.putObject(try self.body(body), at: place(target), options: options)
            if fault == .comparesNothing { receipt.verification = .none }
            return receipt
        }
    }

    func createMultipartUpload(at target: ObjectLocation, options: ObjectOptions) async throws -> MultipartUpload {
        let upload = try await perform { try await base.createMultipartUpload(at: target, options: options) }
        known.withLock { _ = $0.insert(upload.id) }
        return upload
    }

    func uploadPart(_ number: Int, of upload: MultipartUpload, body: PartBody) async throws -> CompletedPart {
        if fault == .belongsToOneValue, !known.withLock({ $0.contains(upload.id) }) {
            throw TransferError(.uploadNotFound, "which upload?")
        }
        return try await perform {
            told(try await base.uploadPart(number, of: upload, body: try self.body(body)))
        }
    }

    func listParts(of upload: MultipartUpload) async throws -> [CompletedPart] {
        if fault == .keepsCompletedUploads, (try? await base.listParts(of: upload)) == nil { return [] }
        return try await perform {
            var parts = try await base.listParts(of: upload).map { told($0) }
            switch fault {
            case .listsInOrderOfArrival: parts.reverse()
            case .listsOnePage: parts = Array(parts.prefix(3))
            case .listsWrongSizes: for index in parts.indices { parts[index].size = 0 }
            default: break
            }
            return parts
        }
    }

    func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) async throws -> TransferReceipt {
        try await perform {
            let chosen = fault == .acceptsAnyTag ? try await base.listParts(of: upload) : parts
            return try await base.completeMultipartUpload(upload, parts: chosen)
        }
    }

    func abortMultipartUpload(_ upload: MultipartUpload) async throws {
        if fault == .abortsNothing { return }
        if fault == .refusesSecondAbort { _ = try await base.listParts(of: upload) }
        try await perform { try await base.abortMultipartUpload(upload) }
    }

    func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, ifMatch: ETag?, options: ObjectOptions
    ) async throws -> TransferReceipt {
        let ifMatch = fault == .ignoresTagsOfCopies ? nil : ifMatch
        return try await perform {
            try await base.copyObject(source, to: target, ifMatch: ifMatch, options: options)
        }
    }

    func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange, ifMatch: ETag?
    ) async throws -> CompletedPart {
        let ifMatch = fault == .ignoresTagsOfCopies ? nil : ifMatch
        let range =
            fault == .ignoresRanges ? ByteRange(offset: 0, length: try await base.headObject(source).size) : range
        return try await perform {
            try await base.uploadPartCopy(number, of: upload, from: source, range: range, ifMatch: ifMatch)
        }
    }

    func getObject(
        _ object: ObjectLocation, range: ByteRange?, ifMatch: ETag?, into sink: some PartSink
    ) async throws -> ObjectInfo {
        let ifMatch = fault == .ignoresTagsOfReads ? nil : ifMatch
        let sink = ShiftedSink(base: sink, shift: fault == .writesFromZero ? range?.offset ?? 0 : 0)
        return try await perform {
            told(try await base.getObject(place(object), range: range, ifMatch: ifMatch, into: sink))
        }
    }
}

/// Writes everything `shift` bytes too early.
private struct ShiftedSink<Base: PartSink>: PartSink {
    let base: Base
    let shift: UInt64

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
        try base.write(bytes, at: offset - shift)
    }
}
