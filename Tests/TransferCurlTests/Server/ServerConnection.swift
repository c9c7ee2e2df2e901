import Foundation
import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A request as it came off the wire.
struct RecordedRequest: Sendable {
    /// From the request line to the empty line, byte for byte.
    let head: String
    var body: [UInt8] = []
    let connection: Int

    var requestLine: String { String(head.prefix { $0 != "\r\n" }) }
    var method: String { String(requestLine.split(separator: " ").first ?? "") }
    var target: String {
        let words = requestLine.split(separator: " ")
        return words.count == 3 ? String(words[1]) : ""
    }

    /// The values of all fields of that name.
    func values(_ name: String) -> [String] {
        head.components(separatedBy: "\r\n").dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else {
                return nil
            }
            return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
    }

    var names: [String] {
        head.components(separatedBy: "\r\n").dropFirst().compactMap { line in
            line.firstIndex(of: ":").map { line[..<$0].lowercased() }
        }
    }

    var contentLength: Int { values("Content-Length").first.flatMap { Int($0) } ?? 0 }
}

/// The server's end of a connection. Its calls block; a script runs on the connection's own thread.
final class ServerConnection: @unchecked Sendable {
    // Sendable by hand: `buffer` is the script thread's alone, the socket is guarded by `state`.
    /// From 0, in the order of arrival.
    let number: Int
    let server: ScriptedServer
    private let socket: Int32
    private var buffer: [UInt8] = []
    private let isClosed = LockBox(false)

    init(_ socket: Int32, number: Int, server: ScriptedServer) {
        self.socket = socket
        self.number = number
        self.server = server
        var on: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // No script waits longer than any test should.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Reads one request with its body and records it; nil when the client has closed.
    func readRequest() throws -> RecordedRequest? {
        guard var request = try readHead() else { return nil }
        request.body = try read(request.contentLength)
        server.record(request)
        return request
    }

    /// Reads a head, and nothing behind it that is not already there; nil when the client has closed.
    func readHead() throws -> RecordedRequest? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = buffer.firstRange(of: end) {
                let head = String(decoding: buffer[..<range.upperBound], as: UTF8.self)
                buffer.removeSubrange(..<range.upperBound)
                return RecordedRequest(head: head, connection: number)
            }
            guard try fill() else { return nil }
        }
    }

    /// Reads exactly `count` bytes.
    func read(_ count: Int) throws -> [UInt8] {
        while buffer.count < count {
            guard try fill() else { throw ServerError("the client closed in the middle") }
        }
        let bytes = Array(buffer[..<count])
        buffer.removeSubrange(..<count)
        return bytes
    }

    /// Reads and drops until the client closes.
    func drain() throws {
        buffer = []
        while try fill() { buffer.removeAll(keepingCapacity: true) }
    }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw ServerError("send: \(errno)") }
            sent += count
        }
    }

    /// Does nothing for a while; what a slow server does has no event to wait for.
    func pause(milliseconds: UInt32) { usleep(milliseconds * 1000) }

    /// Does nothing until `event`, or until the server is stopped.
    func hold(until event: Event) {
        let released = DispatchSemaphore(value: 0)
        Task {
            await event.wait()
            released.signal()
        }
        _ = released.wait(timeout: .now() + 60)
    }

    /// Ends the sending direction; the client sees the end of the stream and may go on sending.
    func halfClose() { shutdown(socket, Int32(SHUT_WR)) }

    /// Closes with a reset, so that the client sees a broken connection and not an end.
    func reset() {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
        finish()
    }

    /// Wakes a script that blocks on the connection.
    func interrupt() { isClosed.withLock { if !$0 { shutdown(socket, Int32(SHUT_RDWR)) } } }

    func finish() {
        isClosed.withLock { isClosed in
            if !isClosed { close(socket) }
            isClosed = true
        }
    }

    private func fill() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(socket, &chunk, chunk.count, 0)
        guard count >= 0 else { throw ServerError("recv: \(errno)") }
        buffer.append(contentsOf: chunk[..<count])
        return count > 0
    }
}
