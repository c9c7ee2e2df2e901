import CCurl

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What servers said on connections that broke before it was read.
///
/// A server that refuses in the middle of a body and closes at once resets the connection. libcurl then often fails to
/// write before it has read the refusal, and reports a broken pipe. The refusal still lies in the socket when libcurl
/// closes it; there it is taken out, for connections without TLS. Lives on its loop's thread.
final class LastWords {
    /// By local port, for the current turn.
    private var words: [UInt16: [UInt8]] = [:]

    /// What came in unread on the connection from `port`.
    func take(port: Int) -> [UInt8]? {
        words.isEmpty ? nil : UInt16(exactly: port).flatMap { words.removeValue(forKey: $0) }
    }

    func forget() { if !words.isEmpty { words = [:] } }

    fileprivate func listen(_ socket: curl_socket_t) {
        let unread = [UInt8](unsafeUninitializedCapacity: Self.limit) { buffer, count in
            count = max(0, recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)))
        }
        if !unread.isEmpty, let port = localPort(socket) { words[port] = unread }
    }

    /// Bytes: a head and the beginning of an error document.
    private static let limit = 16 << 10
}

/// CURLOPT_CLOSESOCKETFUNCTION: closes a connection's socket.
func closeSocket(_ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
    if let context { Unmanaged<LastWords>.fromOpaque(context).takeUnretainedValue().listen(socket) }
    return close(socket)
}

/// CURLOPT_SOCKOPTFUNCTION: keeps the kernel from taking more than it can send soon. What libcurl has written is then
/// what has moved, as the idle timer needs it, and less is lost when a server refuses in the middle.
func tuneSocket(_ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype) -> Int32 {
    var unsent: Int32 = 128 << 10
    // A system that does not know the option works without it.
    _ = setsockopt(socket, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsent, socklen_t(MemoryLayout<Int32>.size))
    return Int32(CURL_SOCKOPT_OK)
}

private func localPort(_ socket: curl_socket_t) -> UInt16? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            guard getsockname(socket, pointer, &length) == 0 else { return nil }
            switch Int32(pointer.pointee.sa_family) {
            case AF_INET:
                return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt16(bigEndian: $0.pointee.sin_port)
                }
            case AF_INET6:
                return pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    UInt16(bigEndian: $0.pointee.sin6_port)
                }
            default: return nil
            }
        }
    }
}
