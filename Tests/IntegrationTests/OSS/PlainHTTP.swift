#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a user of a presigned URL has: no client of ours.
enum PlainHTTP {
    struct Failure: Error {}

    /// GETs a URL on this machine, and returns head and body of the answer.
    static func get(_ url: String) throws -> String {
        let rest = url.dropFirst("http://".count)
        guard url.hasPrefix("http://"), let slash = rest.firstIndex(of: "/"),
            let colon = rest[..<slash].lastIndex(of: ":"),
            let port = UInt16(rest[rest.index(after: colon)..<slash])
        else { throw Failure() }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure() }
        let request = "GET \(rest[slash...]) HTTP/1.1\r\nHost: \(rest[..<slash])\r\nConnection: close\r\n\r\n"
        guard write(descriptor, request, request.utf8.count) == request.utf8.count else { throw Failure() }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
