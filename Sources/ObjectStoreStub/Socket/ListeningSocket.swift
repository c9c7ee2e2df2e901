#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A TCP socket that accepts connections on one numeric address of this machine.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    let port: UInt16

    /// Binds `host`, an IPv4 or IPv6 literal, and `port`; 0 lets the system choose.
    init(host: String, port: UInt16, backlog: Int32 = 1024) throws(SocketError) {
        var address = try NumericAddress(host: host, port: port)
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let descriptor = socket(address.family, stream, 0)
        guard descriptor >= 0 else { throw SocketError("socket") }
        closeOnExec(descriptor)
        do throws(SocketError) {
            var reuse: Int32 = 1
            // A port that was just left by an earlier server must be usable again.
            guard setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size)) == 0
            else { throw SocketError("setsockopt") }
            guard address.withSocketAddress({ bind(descriptor, $0, $1) }) == 0 else {
                throw Self.bindError(errno, host: host, port: port)
            }
            guard listen(descriptor, backlog) == 0 else { throw SocketError("listen") }
            self.port = try address.boundPort(of: descriptor)
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    private static func bindError(_ number: Int32, host: String, port: UInt16) -> SocketError {
        let advice =
            number == EADDRINUSE
            ? "port \(port) of \(host) is in use; choose another port (--port), or 0 for a free one" : nil
        return SocketError("bind", number, advice: advice)
    }

    /// Waits for a connection; false when the server stops first.
    func waitForConnection(stop: WakePipe) -> Bool {
        while true {
            var polled = [
                pollfd(fd: stop.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&polled, nfds_t(polled.count), -1) <= 0 { continue }
            if polled[0].revents != 0 { return false }
            if polled[1].revents != 0 { return true }
        }
    }

    /// The next connection, or nil when the attempt came to nothing: the peer has gone, or descriptors have run out.
    func acceptConnection() -> Socket? {
        let connection = accept(descriptor, nil, nil)
        return connection >= 0 ? Socket(descriptor: connection) : nil
    }

    func close() { closeDescriptor(descriptor) }
}

/// An IPv4 or IPv6 address with a port, in the form that the system calls take.
private struct NumericAddress {
    let family: Int32
    private var v4 = sockaddr_in()
    private var v6 = sockaddr_in6()

    init(host: String, port: UInt16) throws(SocketError) {
        if inet_pton(AF_INET, host, &v4.sin_addr) == 1 {
            family = AF_INET
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
        } else if inet_pton(AF_INET6, host, &v6.sin6_addr) == 1 {
            family = AF_INET6
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
        } else {
            throw SocketError("inet_pton(\(host))", EINVAL)
        }
    }

    mutating func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        if family == AF_INET {
            withUnsafeBytes(of: &v4) { Self.call(body, $0) }
        } else {
            withUnsafeBytes(of: &v6) { Self.call(body, $0) }
        }
    }

    private static func call(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32, _ bytes: UnsafeRawBufferPointer
    ) -> Int32 {
        guard let base = bytes.baseAddress else { return -1 }
        return body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }

    func boundPort(of descriptor: Int32) throws(SocketError) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutableBytes(of: &storage) { bytes -> Int32 in
            guard let base = bytes.baseAddress else { return -1 }
            return getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &length)
        }
        guard result == 0 else { throw SocketError("getsockname") }
        // The port stands at the same place, and in network order, in both families.
        return withUnsafeBytes(of: &storage) { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
    }
}
