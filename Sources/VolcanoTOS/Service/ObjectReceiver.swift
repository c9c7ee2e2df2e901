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
        let offset = try state.withLock { state in
            let offset = state.offset
            let (end, overflow) = offset.addingReportingOverflow(UInt64(bytes.count))
            guard !overflow, end <= range?.end ?? .max else {
                throw TransferError(.lengthMismatch, "more bytes were sent than asked for")
            }
            state.offset = end
            if range == nil { state.crc.update(bytes) }
            return offset
        }
        try sink.write(bytes, at: offset)
        return .more
    }

    /// What was read, once all of it has arrived. Throws when the bytes are not those that the service stored.
    func finish(_ response: HTTPResponse) throws -> ObjectInfo {
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

/// Takes an answer whose bytes do not matter.
struct DiscardingSink: ResponseSink {
    func begin(status: Int, headers: HTTPHeaders, flow: any ResponseFlow) {}
    func receive(_ bytes: UnsafeRawBufferPointer) -> ResponseDemand { .more }
}

/// `bytes first-last/size` (RFC 9110, section 14.4).
struct ContentRange: Hashable {
    let first: UInt64
    let last: UInt64
    /// Nil when the service does not tell.
    let size: UInt64?

    init?(_ header: String?) {
        guard let header, header.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = header.dropFirst("bytes ".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = UInt64(ends[0]), let last = UInt64(ends[1]), first <= last else {
            return nil
        }
        self.first = first
        self.last = last
        size = UInt64(parts[1])
    }
}
