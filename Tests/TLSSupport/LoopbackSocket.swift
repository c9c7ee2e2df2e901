internal import TestSupport
internal import TransferPrimitives

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Sockets on the loopback interface.
enum LoopbackSocket {
    static func listen(isIPv6: Bool) throws -> Int32 {
        let descriptor = try make(isIPv6 ? AF_INET6 : AF_INET)
        let isBound = withAddress(isIPv6: isIPv6, port: 0) { systemBind(descriptor, $0, $1) } == 0
        guard isBound, systemListen(descriptor, 1_024) == 0 else {
            let number = errno
            close(descriptor)
            throw SystemCallError(call: "bind", path: "loopback", number: number)
        }
        return descriptor
    }

    static func connect(to port: UInt16) throws -> Int32 {
        let descriptor = try make(AF_INET)
        guard withAddress(isIPv6: false, port: port, { systemConnect(descriptor, $0, $1) }) == 0 else {
            let number = errno
            close(descriptor)
            throw SystemCallError(call: "connect", path: "loopback", number: number)
        }
        return descriptor
    }

    /// The port of either family stands at the same place.
    static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) } == 0
                ? UInt16(bigEndian: pointer.pointee.sin6_port) : 0
        }
    }

    /// No waiting inside calls, no signal, no delay.
    static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    static func resetOnClose(_ descriptor: Int32) {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
    }

    /// False when nothing happened for longer than any test should take.
    static func wait(_ descriptor: Int32, _ events: Int32) -> Bool {
        var item = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&item, 1, limit) > 0
    }

    /// Which of two has something to read; nil when neither had for longer than any test should take.
    static func waitForInput(_ first: Int32, _ second: Int32) -> (first: Bool, second: Bool)? {
        var items = [
            pollfd(fd: first, events: Int16(POLLIN), revents: 0), pollfd(fd: second, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&items, 2, limit) > 0 else { return nil }
        return (items[0].revents != 0, items[1].revents != 0)
    }

    static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            #if canImport(Darwin)
                let flags: Int32 = 0
            #else
                let flags = Int32(MSG_NOSIGNAL)
            #endif
            let count = rest.withUnsafeBytes { systemSend(descriptor, $0.baseAddress, $0.count, flags) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EAGAIN || !wait(descriptor, POLLOUT) {
                return false
            }
        }
        return true
    }

    /// What there is to read, perhaps nothing yet; nil at the end.
    static func receive(_ descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0 { return errno == EAGAIN ? [] : nil }
        return count == 0 ? nil : Array(buffer[..<count])
    }

    private static let limit: Int32 = 60_000

    private static func make(_ family: Int32) throws -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(family, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw SystemCallError(call: "socket", path: "", number: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private static func withAddress<Result>(
        isIPv6: Bool, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            address.sin6_port = port.bigEndian
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    bind(descriptor, address, size)
}

private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(descriptor, address, size)
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(descriptor, bytes, count, flags)
}

/// Runs `body` on a thread of its own.
func startThread(_ body: @escaping @Sendable () -> Void) {
    BackgroundThread.start(body)
}
