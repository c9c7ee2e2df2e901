#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A TCP connection that sends and receives raw bytes; it blocks, with a limit of 20 s on every read.
final class RawClient {
    struct Reply {
        var status: Int
        var headers: [String: String]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    enum Failure: Error, Equatable {
        case connect(Int32)
        case reset
        case closed
        case timedOut
        case malformed
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(port: UInt16, isIPv6: Bool = false) throws {
        let family = isIPv6 ? AF_INET6 : AF_INET
        #if canImport(Glibc)
            descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(family, SOCK_STREAM, 0)
        #endif
        let result = isIPv6 ? Self.connect6(descriptor, port) : Self.connect4(descriptor, port)
        guard result == 0 else { throw Failure.connect(errno) }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    private static func connect4(_ descriptor: Int32, _ port: UInt16) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func connect6(_ descriptor: Int32, _ port: UInt16) -> Int32 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        inet_pton(AF_INET6, "::1", &address.sin6_addr)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                #if canImport(Darwin)
                    write(descriptor, $0.baseAddress, $0.count)
                #else
                    Self.sendQuietly(descriptor, $0)
                #endif
            }
            guard count > 0 else { throw errno == EAGAIN ? Failure.timedOut : Failure.reset }
            sent += count
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func shutDownSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads one whole answer. A HEAD answer has no body.
    func receive(isHead: Bool = false) throws -> Reply {
        var reply = try receiveHead()
        if isHead || reply.status == 204 || reply.status == 304 || reply.status < 200 { return reply }
        let length = Int(reply.headers["content-length"] ?? "0") ?? 0
        while buffer.count < length { try fill() }
        reply.body = Array(buffer.prefix(length))
        buffer.removeFirst(length)
        return reply
    }

    func receiveHead() throws -> Reply {
        while true {
            if let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                buffer.removeSubrange(..<end.upperBound)
                return try Self.parse(head)
            }
            try fill()
        }
    }

    /// Reads until the peer ends; the bytes that came.
    func receiveToEnd() throws -> [UInt8] {
        do { while true { try fill() } } catch Failure.closed {}
        defer { buffer = [] }
        return buffer
    }

    private func fill() throws {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(descriptor, &chunk, chunk.count)
        if count == 0 { throw Failure.closed }
        guard count > 0 else {
            throw errno == EAGAIN || errno == EWOULDBLOCK ? Failure.timedOut : Failure.reset
        }
        buffer += chunk[..<count]
    }

    #if !canImport(Darwin)
        private static func sendQuietly(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
            #if canImport(Glibc)
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            #else
                Musl.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            #endif
        }
    #endif

    private static func parse(_ head: String) throws -> Reply {
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, let status = Int(words[1]) else { throw Failure.malformed }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw Failure.malformed }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        return Reply(status: status, headers: headers, body: [])
    }
}
