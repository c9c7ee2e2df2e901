internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives

/// Hands the bytes of GetObject to a `PartSink`, each with its place in the object.
final class ObjectReceiver<Sink: PartSink>: ResponseSink {
    private struct State {
        var offset: UInt64 = 0
        var crc = CRC64()
        /// Bytes of the whole object.
        var size: UInt64?
    }

    private let sink: Sink
    private let range: ByteRange?
    private let state = LockBox(State())

    init(_ sink: Sink, range: ByteRange?) {
        self.sink = sink
        self.range = range
    }

    func begin(status: Int, headers: HTTPHeaders, flow: any ResponseFlow) throws {
        guard headers.text(OSSHeader.requestID) != nil else {
            throw TransferError(.malformedResponse, "the answer has no request id: it does not come from OSS")
        }
        var begun = State()
        if let range {
            guard status == 206, let answered = ContentRange(headers["Content-Range"]), answered.first == range.offset,
                answered.last < range.end
            else { throw TransferError(.malformedResponse, "another range was sent than was asked for") }
            begun.offset = range.offset
            begun.size = answered.size
        } else {
            begun.size = headers["Content-Length"].flatMap { UInt64($0) }
        }
        state.withLock { $0 = begun }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> ResponseDemand {
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

    /// What was read, once all of it has arrived. Throws when the bytes are not those that the service stored.
    func finish(_ response: HTTPResponse) throws(TransferError) -> ObjectInfo {
        let state = state.withLock { $0 }
        let info = ObjectInfo(size: state.size ?? state.offset, response.headers)
        if range == nil, let stored = info.checksums.crc64, stored != state.crc.value {
            throw TransferError(
                .checksumMismatch, "the CRC-64 of the bytes read is \(state.crc.value), and of those stored \(stored)",
                retry: .backoff)
        }
        return info
    }
}
