internal import TransferCore
internal import TransferPrimitives

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Compares what is read with what it should be, and keeps nothing.
final class ComparingSink: PartSink {
    private struct State {
        var next: UInt64
        var complaint: String?
    }

    private let content: GeneratedSource
    /// What of the object is due.
    private let range: ByteRange
    private let state: LockBox<State>

    init(_ content: GeneratedSource, range: ByteRange) {
        self.content = content
        self.range = range
        state = LockBox(State(next: range.offset))
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
        state.withLock { state in
            // A backend may begin again after a failure that passes.
            if offset == range.offset { state = State(next: offset) }
            guard state.complaint == nil else { return }
            state.complaint = complaint(about: bytes, at: offset, due: state.next)
            state.next = offset + UInt64(bytes.count)
        }
    }

    private func complaint(about bytes: UnsafeRawBufferPointer, at offset: UInt64, due next: UInt64) -> String? {
        let end = min(range.end, content.length)
        guard offset == next else { return "bytes were written at \(offset), and those at \(next) were due" }
        guard UInt64(bytes.count) <= end - next else {
            return "bytes were written up to \(offset + UInt64(bytes.count)), and \(end) is the end"
        }
        guard !bytes.isEmpty else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 16) { wanted in
            _ = content.read(at: offset, into: wanted)
            guard let found = bytes.baseAddress, let expected = wanted.baseAddress,
                memcmp(found, expected, bytes.count) != 0
            else { return nil }
            let difference = zip(bytes, wanted).enumerated().first { $0.element.0 != $0.element.1 }
            return "byte \(offset + UInt64(difference?.offset ?? 0)) is another one than was stored"
        }
    }

    /// Throws unless all bytes came, and they were the right ones.
    func finish() throws(Unmet) {
        let state = state.withLock { $0 }
        if let complaint = state.complaint { throw Unmet(reason: complaint) }
        let end = max(range.offset, min(range.end, content.length))
        try expect(state.next == end, "the bytes written end at \(state.next), and should at \(end)")
    }
}

/// Counts the calls, and throws or acts in each.
final class HookedSink: PartSink {
    private let calls = LockBox(0)
    private let onWrite: @Sendable () throws -> Void

    init(onWrite: @escaping @Sendable () throws -> Void = {}) { self.onWrite = onWrite }

    var count: Int { calls.withLock { $0 } }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
        guard !bytes.isEmpty else { return }
        calls.withLock { $0 += 1 }
        try onWrite()
    }
}
