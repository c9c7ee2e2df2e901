internal import CTestTLS
internal import TransferPrimitives

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// TLS on loopback in front of a server that speaks plain HTTP: takes it off, and passes every byte on.
package final class TLSRelay: Sendable {
    /// What became of one connection.
    package struct Visit: Sendable {
        /// Whether the handshake came to its end.
        package internal(set) var isSecure = false
        /// The names of the protocols that the client offered, in its order.
        package internal(set) var offered: [String] = []
        /// Bytes that the client sent once it was secure.
        package internal(set) var received = 0
        package internal(set) var hasEnded = false
    }

    /// How a connection is to end before its time.
    package enum Cut: Sendable {
        /// The socket is closed, unread bytes and all: the client meets a reset.
        case reset
        /// TLS is ended in order.
        case close
    }

    private struct State {
        var visits: [Visit] = []
        var open: [Int: Int32] = [:]
        var isStopped = false
    }

    package let port: UInt16
    private let listener: Int32
    private let target: UInt16
    nonisolated(unsafe) private let server: OpaquePointer
    private let cut: @Sendable (Int) -> (after: Int, how: Cut)?
    private let state = LockBox(State())

    /// - Parameters:
    ///   - certificate: What the relay shows.
    ///   - target: The port on 127.0.0.1 to pass on to.
    ///   - isOutdated: Whether to speak no version of TLS after 1.1.
    ///   - isIPv6: Whether to listen on `::1` in place of `127.0.0.1`.
    ///   - cut: For each connection, from 0, after how many bytes of the client it is cut; nil for never.
    package init(
        _ certificate: TestCertificate, to target: UInt16, isOutdated: Bool = false, isIPv6: Bool = false,
        cut: @escaping @Sendable (Int) -> (after: Int, how: Cut)? = { _ in nil }
    ) throws {
        guard let server = test_tls_server_new(certificate.handle) else { throw TestCertificate.Failure() }
        guard !isOutdated || test_tls_server_outdate(server) != 0 else {
            test_tls_server_free(server)
            throw TestCertificate.Failure()
        }
        self.server = server
        self.target = target
        self.cut = cut
        do {
            listener = try LoopbackSocket.listen(isIPv6: isIPv6)
        } catch {
            test_tls_server_free(server)
            throw error
        }
        port = LoopbackSocket.port(of: listener)
        startThread { [self] in acceptAll() }
    }

    deinit { test_tls_server_free(server) }

    package var visits: [Visit] { state.withLock { $0.visits } }
    package var accepted: Int { visits.count }
    package var openConnections: Int { state.withLock { $0.open.count } }

    /// Closes every open connection, as a server does with those that idle.
    package func closeConnections() {
        state.withLock { for socket in $0.open.values { shutdown(socket, Int32(SHUT_RDWR)) } }
    }

    /// Ends the relay, which until then lives by its own threads.
    package func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            for socket in state.open.values { shutdown(socket, Int32(SHUT_RDWR)) }
            return !state.isStopped
        }
        if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
    }

    private func acceptAll() {
        while true {
            let socket = accept(listener, nil, nil)
            guard socket >= 0 else { break }
            let number = state.withLock { state -> Int? in
                guard !state.isStopped else { return nil }
                state.visits.append(Visit())
                state.open[state.visits.count - 1] = socket
                return state.visits.count - 1
            }
            guard let number else {
                close(socket)
                break
            }
            startThread { [self] in
                serve(number, socket)
                state.withLock {
                    $0.open[number] = nil
                    $0.visits[number].hasEnded = true
                    close(socket)
                }
            }
        }
        close(listener)
    }

    private func serve(_ number: Int, _ socket: Int32) {
        LoopbackSocket.prepare(socket)
        guard let session = test_tls_session_new(server, socket) else { return }
        defer { test_tls_session_free(session) }
        guard handshake(session, socket) else {
            note(number) { $0.offered = Self.offered(session) }
            return
        }
        note(number) {
            $0.isSecure = true
            $0.offered = Self.offered(session)
        }
        guard let plain = try? LoopbackSocket.connect(to: target) else { return }
        LoopbackSocket.prepare(plain)
        defer { close(plain) }
        pass(number, session, socket, plain)
    }

    private func handshake(_ session: OpaquePointer, _ socket: Int32) -> Bool {
        while true {
            switch Int(test_tls_accept(session)) {
            case 1...: return true
            case TEST_TLS_WANTS_READ: if !LoopbackSocket.wait(socket, POLLIN) { return false }
            case TEST_TLS_WANTS_WRITE: if !LoopbackSocket.wait(socket, POLLOUT) { return false }
            default: return false
            }
        }
    }

    /// Passes bytes both ways until one side ends.
    private func pass(_ number: Int, _ session: OpaquePointer, _ socket: Int32, _ plain: Int32) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let cut = cut(number)
        var received = 0
        while true {
            // What TLS holds already is no event of the socket: read until it wants more.
            while true {
                let count = Int(test_tls_read(session, &buffer, Int32(buffer.count)))
                if count == TEST_TLS_ENDED { return }
                guard count > 0 else { break }
                received += count
                note(number) { $0.received = received }
                if let cut, received >= cut.after {
                    if cut.how == .close { test_tls_close(session) } else { LoopbackSocket.resetOnClose(socket) }
                    return
                }
                guard LoopbackSocket.send(buffer[..<count], to: plain) else { return }
            }
            guard let ready = LoopbackSocket.waitForInput(socket, plain) else { return }
            guard ready.second else { continue }
            let count = recv(plain, &buffer, buffer.count, 0)
            if count == 0 {
                test_tls_close(session)
                return
            }
            if count < 0 {
                if errno == EAGAIN { continue }
                return
            }
            guard write(buffer[..<count], session, socket) else { return }
        }
    }

    private func write(_ bytes: ArraySlice<UInt8>, _ session: OpaquePointer, _ socket: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Int(rest.withUnsafeBytes { test_tls_write(session, $0.baseAddress, Int32($0.count)) })
            switch count {
            case 1...: rest = rest.dropFirst(count)
            case TEST_TLS_WANTS_WRITE: if !LoopbackSocket.wait(socket, POLLOUT) { return false }
            case TEST_TLS_WANTS_READ: if !LoopbackSocket.wait(socket, POLLIN) { return false }
            default: return false
            }
        }
        return true
    }

    private func note(_ number: Int, _ change: (inout Visit) -> Void) { state.withLock { change(&$0.visits[number]) } }

    private static func offered(_ session: OpaquePointer) -> [String] {
        String(cString: test_tls_offered_protocols(session)).split(separator: ",").map(String.init)
    }
}
