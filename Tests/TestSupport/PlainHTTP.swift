import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// GET over a bare socket: what somebody without a client of ours has.
package enum PlainHTTP {
    package struct Answer: Sendable {
        /// Status line and header lines.
        package let head: String
        package let body: [UInt8]
    }

    package enum Failure: Error {
        case unreadableURL(String)
        case unreadableAnswer
    }

    /// GETs a URL such as `http://127.0.0.1:9000/path?query`, whose host is taken for this machine. Every wait ends after 20 s.
    package static func get(_ url: String) throws -> Answer {
        let rest = url.dropFirst("http://".count)
        guard url.hasPrefix("http://"), let slash = rest.firstIndex(of: "/"),
            let colon = rest[..<slash].lastIndex(of: ":"),
            let port = UInt16(rest[rest.index(after: colon)..<slash])
        else { throw Failure.unreadableURL(url) }
        let descriptor = try connect(to: port)
        defer { close(descriptor) }
        try send(
            "GET \(rest[slash...]) HTTP/1.1\r\nHost: \(rest[..<slash])\r\nConnection: close\r\n\r\n", to: descriptor)
        let bytes = try readToEnd(of: descriptor)
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Failure.unreadableAnswer }
        return Answer(
            head: String(decoding: bytes[..<end.lowerBound], as: UTF8.self), body: Array(bytes[end.upperBound...]))
    }

    private static func connect(to port: UInt16) throws -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw SystemCallError(call: "socket", path: "", number: errno) }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                systemConnect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let number = errno
            close(descriptor)
            throw SystemCallError(call: "connect", path: "127.0.0.1:\(port)", number: number)
        }
        return descriptor
    }

    private static func send(_ text: String, to descriptor: Int32) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw SystemCallError(call: "write", path: "", number: errno) }
            rest = rest.dropFirst(count)
        }
    }

    private static func readToEnd(of descriptor: Int32) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw SystemCallError(call: "read", path: "", number: errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }
}

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}
