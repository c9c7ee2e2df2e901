import TestSupport
import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives
import TransferService

/// What GetObject answered, before anybody takes it for the object.
@Suite struct ObjectReceiverTests {
    private final class Sink: PartSink {
        let writes = LockBox([(offset: UInt64, bytes: [UInt8])]())
        func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {
            writes.withLock { $0.append((offset, Array(bytes))) }
        }
        var offsets: [UInt64] { writes.withLock { $0.map(\.offset) } }
    }

    private struct Flow: ResponseFlow {
        func resume() {}
    }

    private static let range = ByteRange(offset: 10, length: 4)

    private func begin(
        _ receiver: ObjectReceiver<Sink>, _ status: Int, _ headers: [(String, String)] = []
    ) throws {
        var fields = HTTPHeaders()
        for (name, value) in headers { try fields.append(name, value) }
        try receiver.begin(status: status, headers: fields, flow: Flow())
    }

    private func receive(_ receiver: ObjectReceiver<Sink>, _ text: String) throws {
        _ = try Array(text.utf8).withUnsafeBytes { try receiver.receive($0) }
    }

    private func info(_ size: UInt64, crc64: UInt64? = nil) -> ObjectInfo {
        ObjectInfo(size: size, checksums: Checksums(crc64: crc64))
    }

    @Test func `bytes of a range have their place in the object`() throws {
        let sink = Sink()
        let receiver = ObjectReceiver(sink, range: Self.range)
        try begin(receiver, 206, [("Content-Range", "bytes 10-13/20")])
        try receive(receiver, "ab")
        try receive(receiver, "cd")
        #expect(sink.offsets == [10, 12])
        // The checksum is the whole object's, and says nothing of four bytes.
        #expect(try receiver.finish { info($0, crc64: 1) }.size == 20)
    }

    @Test(arguments: [
        (200, "bytes 10-13/20"), (206, "bytes 9-12/20"), (206, "bytes 10-14/20"), (206, "bytes 13-10/20"),
        (206, "10-13"), (206, "bytes 10-12/20"), (206, "bytes 10-12/14"), (206, "bytes 10-11/11"),
    ])
    func `another range is refused before any byte`(status: Int, range: String) {
        let receiver = ObjectReceiver(Sink(), range: Self.range)
        let error = transferError { try begin(receiver, status, [("Content-Range", range)]) }
        #expect(error?.code == .malformedResponse)
    }

    @Test func `more bytes than asked for are refused`() throws {
        let sink = Sink()
        let receiver = ObjectReceiver(sink, range: Self.range)
        try begin(receiver, 206, [("Content-Range", "bytes 10-13/*")])
        #expect(transferError { try receive(receiver, "abcde") }?.code == .lengthMismatch)
        #expect(sink.offsets.isEmpty)
    }

    @Test func `a range may end where the object does`() throws {
        let receiver = ObjectReceiver(Sink(), range: Self.range)
        try begin(receiver, 206, [("Content-Range", "bytes 10-11/12")])
        try receive(receiver, "ab")
        #expect(try receiver.finish { info($0) }.size == 12)
    }

    @Test(arguments: [nil, range]) func `fewer bytes than promised are no success`(range: ByteRange?) throws {
        let receiver = ObjectReceiver(Sink(), range: range)
        if range == nil {
            try begin(receiver, 200, [("Content-Length", "4")])
        } else {
            try begin(receiver, 206, [("Content-Range", "bytes 10-13/20")])
        }
        try receive(receiver, "abc")
        #expect(transferError { try receiver.finish { info($0) } }?.code == .lengthMismatch)
    }

    @Test func `a whole object is compared with what is stored`() throws {
        let receiver = ObjectReceiver(Sink(), range: nil)
        try begin(receiver, 200, [("Content-Length", "5")])
        try receive(receiver, "hello")
        #expect(try receiver.finish { info($0, crc64: 11_177_612_005_948_864_433) }.size == 5)
        #expect(transferError { try receiver.finish { info($0, crc64: 1) } }?.code == .checksumMismatch)
    }

    @Test func `a repeated attempt begins anew`() throws {
        let sink = Sink()
        let receiver = ObjectReceiver(sink, range: nil)
        for text in ["hel", "hello"] {
            try begin(receiver, 200)
            try receive(receiver, text)
        }
        #expect(sink.offsets == [0, 0])
        #expect(try receiver.finish { info($0, crc64: 11_177_612_005_948_864_433) }.size == 5)
    }

    @Test func `headers that the provider refuses end it`() {
        let receiver = ObjectReceiver(Sink(), range: nil) { headers throws(TransferError) in
            guard headers.text("x-id") != nil else { throw TransferError(.malformedResponse, "not ours") }
        }
        #expect(throws: Never.self) { try begin(receiver, 200, [("x-id", "1")]) }
        #expect(transferError { try begin(receiver, 200) }?.message == "not ours")
        #expect(transferError { try begin(receiver, 200, [("x-id", "")]) }?.message == "not ours")
    }

    @Test func `a range tells its size or does not`() {
        #expect(ContentRange("bytes 0-9/10")?.size == 10)
        #expect(ContentRange("Bytes 0-9/*").map { $0.size == nil } == true)
        for text in [nil, "", "bytes", "bytes 1", "bytes 1-/2", "bytes -1/2", "bytes 1-2-3/4", "bytes 1-2/3/4"] {
            #expect(ContentRange(text) == nil, "\(text ?? "nil")")
        }
    }
}
