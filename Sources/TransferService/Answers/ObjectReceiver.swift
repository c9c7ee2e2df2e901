package import TransferCore
package import TransferHTTP
internal import TransferPrimitives

/// Hands the bytes of GetObject to a `PartSink`, each with its place in the object.
package final class ObjectReceiver<Sink: PartSink>: ResponseSink {
    private struct State {
        var offset: UInt64 = 0
        var crc = CRC64()
        /// Bytes of the whole object.
        var size: UInt64?
        /// Just behind the last byte that the headers promise; nil when they promise nothing.
        var end: UInt64?
    }

    private let sink: Sink
    private let range: ByteRange?
    private let check: @Sendable (HTTPHeaders) throws(TransferError) -> Void
    private let state = LockBox(State())

    /// - Parameters:
    ///   - range: What was asked for; nil for the whole object.
    ///   - check: Throws when the headers are none of the service's, before any byte is handed on.
    package init(
        _ sink: Sink, range: ByteRange?,
        check: @escaping @Sendable (HTTPHeaders) throws(TransferError) -> Void = { _ in }
    ) {
        self.sink = sink
        self.range = range
        self.check = check
    }

    package func begin(status: Int, headers: HTTPHeaders, flow: any ResponseFlow) throws {
        try check(headers)
        var begun = State()
        if let range {
            guard status == 206, let answered = ContentRange(headers["Content-Range"]), answered.first == range.offset,
                answered.reaches(range)
            else { throw TransferError(.malformedResponse, "another range was sent than was asked for") }
            begun.offset = range.offset
            begun.size = answered.size
            begun.end = answered.last + 1
        } else {
            begun.size = headers["Content-Length"].flatMap { UInt64($0) }
            begun.end = begun.size
        }
        state.withLock { $0 = begun }
    }

    package func receive(_ bytes: UnsafeRawBufferPointer) throws -> ResponseDemand {
        let offset = try state.withLock { state throws(TransferError) in
            let offset = state.offset
            let (end, overflow) = offset.addingReportingOverflow(UInt64(bytes.count))
            guard !overflow, end <= range?.end ?? .max else {
                throw TransferError(.lengthMismatch, "more bytes were sent than asked for")
            }
            state.offset = end
            // The checksum of an answer is that of the whole object, whatever was asked for.
            if range == nil { state.crc.update(bytes) }
            return offset
        }
        try sink.write(bytes, at: offset)
        return .more
    }

    /// What was read, once all of it has arrived. Throws when the bytes are not those that the service stored, or
    /// fewer than it promised.
    ///
    /// - Parameter describe: What the headers say of an object of so many bytes.
    package func finish(_ describe: (UInt64) -> ObjectInfo) throws(TransferError) -> ObjectInfo {
        let state = state.withLock { $0 }
        if let end = state.end, state.offset != end {
            throw TransferError(
                .lengthMismatch, "the bytes end at \(state.offset), and were to end at \(end)", retry: .backoff)
        }
        let info = describe(state.size ?? state.offset)
        if range == nil, let stored = info.checksums.crc64, stored != state.crc.value {
            throw TransferError(
                .checksumMismatch, "the CRC-64 of the bytes read is \(state.crc.value), and of those stored \(stored)",
                retry: .backoff)
        }
        return info
    }
}
