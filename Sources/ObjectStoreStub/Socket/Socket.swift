#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A failed system call on a socket, by its `errno`.
struct SocketError: Error, CustomStringConvertible {
    let call: String
    let number: Int32

    /// What to do about it, where that is known.
    let advice: String?

    init(_ call: String, _ number: Int32 = errno, advice: String? = nil) {
        self.call = call
        self.number = number
        self.advice = advice
    }

    var description: String {
        advice ?? (number == 0 ? "\(call) failed" : "\(call) failed: \(reason) (errno \(number))")
    }

    private var reason: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error" }
        return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "error" }
    }
}

/// A connected TCP socket. Blocking; whoever holds the connection closes it, exactly once.
struct Socket: Sendable {
    let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
        closeOnExec(descriptor)
        setOption(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        #if canImport(Darwin)
            setOption(SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
        #endif
    }

    /// Waits for bytes and returns how many arrived; 0 when the peer has ended its side.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SocketError) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            if errno != EINTR { throw SocketError("recv") }
        }
    }

    /// Sends every byte of `buffer`.
    func transmit(_ buffer: UnsafeRawBufferPointer) throws(SocketError) {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var sent = 0
        while sent < buffer.count {
            guard let base = buffer.baseAddress else { return }
            let count = send(descriptor, base + sent, buffer.count - sent, flags)
            if count >= 0 {
                sent += count
            } else if errno != EINTR {
                throw SocketError("send")
            }
        }
    }

    func transmit(_ bytes: [UInt8]) throws(SocketError) {
        var failure: SocketError?
        bytes.withUnsafeBytes { buffer in
            do throws(SocketError) { try transmit(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Whether the peer has closed or reset the connection, found without taking bytes from it. Nil when bytes wait.
    func peekForEnd() -> Bool? {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count > 0 { return nil }
        if count == 0 { return true }
        return !(errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
    }

    /// Tells the peer that nothing more will be sent.
    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Wakes every call that waits on the socket, on any thread; the descriptor stays open.
    func endBoth() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    func close() { closeDescriptor(descriptor) }

    /// Closes with a TCP reset instead of an orderly end, so that the peer's next read fails.
    func reset() {
        setOption(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        closeDescriptor(descriptor)
    }

    private func setOption<Value: BitwiseCopyable>(_ level: Int32, _ name: Int32, _ value: Value) {
        var value = value
        // A refusal only costs latency, or an orderly end in place of a reset on a socket that is gone already.
        _ = setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Value>.size))
    }
}

func closeDescriptor(_ descriptor: Int32) {
    #if canImport(Glibc)
        _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
        _ = Musl.close(descriptor)
    #else
        _ = Darwin.close(descriptor)
    #endif
}

func closeOnExec(_ descriptor: Int32) {
    let flags = fcntl(descriptor, F_GETFD)
    if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
}
