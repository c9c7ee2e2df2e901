import Foundation
import Testing
import TransferCurl
import TransferHTTP
import TransferPrimitives

private struct DiskError: Error, Equatable {}

private struct FailingSource: ByteSource {
    let length: UInt64 = 1 << 20
    let failsAt: UInt64
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset < failsAt else { throw DiskError() }
        let count = min(buffer.count, Int(failsAt - offset))
        buffer.prefix(count).initializeMemory(as: UInt8.self, repeating: 1)
        return count
    }
}

/// Promises more than it has, or returns more than was asked for.
private struct LyingSource: ByteSource {
    let length: UInt64 = 1 << 20
    let returns: @Sendable (Int) -> Int
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int { returns(buffer.count) }
}

/// What an engine's file source does: positional reads, so that parts can share one descriptor.
private final class FileSource: ByteSource {
    let length: UInt64
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw DiskError() }
        length = UInt64(lseek(descriptor, 0, SEEK_END))
    }

    deinit { close(descriptor) }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        guard count >= 0 else { throw DiskError() }
        return count
    }
}

/// All zeros, and a reference: what keeps it can be told.
private final class ZeroSource: ByteSource {
    let length: UInt64 = 1000
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = min(buffer.count, Int(length - offset))
        buffer.prefix(count).initializeMemory(as: UInt8.self, repeating: 0)
        return count
    }
}

/// Gives a few bytes at a time.
private struct DribblingSource: ByteSource {
    let bytes: [UInt8]
    var length: UInt64 { UInt64(bytes.count) }
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let slice = bytes[Int(offset)...].prefix(min(buffer.count, 1000))
        buffer.copyBytes(from: slice)
        return slice.count
    }
}

@Suite struct BodySourceTests {
    /// A loop polls for as long as nothing comes in; what it was handed before must not stay open meanwhile.
    @Test func aBodyIsLetGoWithItsRequest() async throws {
        struct Weak { weak var source: ZeroSource? }
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            func send() async throws -> Weak {
                let source = ZeroSource()
                let response = try await transport.send(server.request(.put, body: .source(source)))
                #expect(response.status == 200)
                return Weak(source: source)
            }
            let sent = try await send()
            try await eventually { sent.source == nil }
        }
    }

    @Test func aSliceOfAFileGoesOutWithItsChecksum() async throws {
        let bytes = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 11) }
        let path = NSTemporaryDirectory() + "slice-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let file = try FileSource(path)
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            let body = HTTPBody.source(file, offset: 700_001, length: 1 << 20, computesCRC64: true)
            let response = try await transport.send(server.request(.put, body: body))
            let slice = Array(bytes[700_001..<700_001 + 1 << 20])
            #expect(server.requests.first?.body == slice)
            var crc = CRC64()
            crc.update(slice)
            #expect(response.sentCRC64 == crc.value)
        }
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_007]) func checksumsOfAllSizes(_ size: Int) async throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            let body = HTTPBody.source(DribblingSource(bytes: bytes), computesCRC64: true)
            let response = try await transport.send(server.request(.put, body: body))
            #expect(server.requests.first?.body == bytes)
            var crc = CRC64()
            crc.update(bytes)
            #expect(response.sentCRC64 == crc.value)
        }
    }

    @Test func aChecksumIsOnlySummedWhenAskedFor() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            let response = try await transport.send(server.request(.put, body: .bytes([1, 2])))
            #expect(response.sentCRC64 == nil)
        }
    }

    @Test(arguments: [0, 300_000] as [UInt64]) func aSourceThatFailsEndsTheRequestWithItsError(_ offset: UInt64)
        async throws
    {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            let failure = try await transportFailure {
                try await transport.send(server.request(.put, body: .source(FailingSource(failsAt: offset))))
            }
            #expect(failure.kind == .bodySource && failure.retry == .never)
            #expect(failure.underlying as? DiskError == DiskError())
            #expect(server.requests.isEmpty)
        }
    }

    @Test func aSourceThatLiesEndsTheRequest() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            for returned in [{ _ in 0 }, { $0 + 1 }, { _ in -1 }] as [@Sendable (Int) -> Int] {
                let failure = try await transportFailure {
                    try await transport.send(server.request(.put, body: .source(LyingSource(returns: returned))))
                }
                #expect(failure.kind == .bodySource && failure.retry == .never)
            }
        }
    }
}
