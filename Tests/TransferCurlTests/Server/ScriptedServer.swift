import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A server on loopback that does on each connection exactly what a test wrote down, on a thread of its own.
final class ScriptedServer: Sendable {
    enum Family: Sendable {
        case v4
        case v6
    }

    typealias Script = @Sendable (ServerConnection) throws -> Void

    private struct State {
        var requests: [RecordedRequest] = []
        var accepted = 0
        var open: [Int: ServerConnection] = [:]
        var isStopped = false
    }

    let port: UInt16
    private let listener: Int32
    private let script: Script
    private let receiveBuffer: Int32?
    private let state = LockBox(State())

    /// - Parameters:
    ///   - receiveBuffer: Bytes the kernel may hold for a script that does not read; nil for the system's choice.
    ///   - script: Runs once per connection, which is closed when it returns or throws.
    init(family: Family = .v4, receiveBuffer: Int32? = nil, script: @escaping Script) throws {
        self.script = script
        self.receiveBuffer = receiveBuffer
        listener = try Self.listen(family, receiveBuffer)
        port = try Self.port(of: listener, family)
        let server = Unmanaged.passRetained(self)
        guard startThread(acceptConnections, server.toOpaque()) else {
            server.release()
            throw ServerError("no thread")
        }
    }

    /// A server that answers every request in the same way and keeps connections open.
    convenience init(answering answer: String, family: Family = .v4) throws {
        try self.init(family: family) { connection in
            while try connection.readRequest() != nil { try connection.write(answer) }
        }
    }

    var url: String { "http://127.0.0.1:\(port)" }
    /// Every request read so far, in the order in which they were complete.
    var requests: [RecordedRequest] { state.withLock { $0.requests } }
    var accepted: Int { state.withLock { $0.accepted } }
    var openConnections: Int { state.withLock { $0.open.count } }

    func stop() {
        let connections = state.withLock { state in
            state.isStopped = true
            return Array(state.open.values)
        }
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in connections { connection.interrupt() }
    }

    func record(_ request: RecordedRequest) { state.withLock { $0.requests.append(request) } }

    fileprivate func acceptAll() {
        while true {
            let socket = accept(listener, nil, nil)
            guard socket >= 0 else { break }
            let connection = state.withLock { state -> ServerConnection? in
                guard !state.isStopped else { return nil }
                let connection = ServerConnection(socket, number: state.accepted, server: self)
                state.open[state.accepted] = connection
                state.accepted += 1
                return connection
            }
            guard let connection else {
                close(socket)
                break
            }
            let context = Unmanaged.passRetained(connection)
            if !startThread(serveConnection, context.toOpaque()) { context.release() }
        }
        close(listener)
    }

    fileprivate func serve(_ connection: ServerConnection) {
        // A script that ends with an error has met a client that went away, which is its own way of ending.
        try? script(connection)
        connection.finish()
        state.withLock { $0.open[connection.number] = nil }
    }

    private static func listen(_ family: Family, _ receiveBuffer: Int32?) throws -> Int32 {
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        let listener = socket(family == .v4 ? AF_INET : AF_INET6, type, 0)
        guard listener >= 0 else { throw ServerError("socket") }
        if var size = receiveBuffer {
            setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        let bound: Int32
        switch family {
        case .v4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            bound = withAddress(&address) { bind(listener, $0, $1) }
        case .v6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            bound = withAddress(&address) { bind(listener, $0, $1) }
        }
        guard bound == 0, Self.listen(listener) else {
            close(listener)
            throw ServerError("bind: \(errno)")
        }
        return listener
    }

    private static func listen(_ socket: Int32) -> Bool {
        #if canImport(Glibc)
            Glibc.listen(socket, 1024) == 0
        #elseif canImport(Musl)
            Musl.listen(socket, 1024) == 0
        #else
            Darwin.listen(socket, 1024) == 0
        #endif
    }

    private static func port(of socket: Int32, _ family: Family) throws -> UInt16 {
        switch family {
        case .v4:
            var address = sockaddr_in()
            guard withAddress(&address, { nameOf(socket, $0, $1) }) == 0 else { throw ServerError("getsockname") }
            return UInt16(bigEndian: address.sin_port)
        case .v6:
            var address = sockaddr_in6()
            guard withAddress(&address, { nameOf(socket, $0, $1) }) == 0 else { throw ServerError("getsockname") }
            return UInt16(bigEndian: address.sin6_port)
        }
    }

    private static func nameOf(_ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ size: socklen_t) -> Int32 {
        var size = size
        return getsockname(socket, address, &size)
    }

    private static func withAddress<Address>(
        _ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

struct ServerError: Error {
    let step: String
    init(_ step: String) { self.step = step }
}

#if canImport(Darwin)
    private typealias Context = UnsafeMutableRawPointer
#else
    private typealias Context = UnsafeMutableRawPointer?
#endif

private func startThread(
    _ body: @escaping @convention(c) (Context) -> UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer
) -> Bool {
    #if canImport(Darwin)
        var thread: pthread_t?
        guard pthread_create(&thread, nil, body, context) == 0, let thread else { return false }
    #else
        var thread = pthread_t()
        guard pthread_create(&thread, nil, body, context) == 0 else { return false }
    #endif
    pthread_detach(thread)
    return true
}

private func acceptConnections(_ context: Context) -> UnsafeMutableRawPointer? {
    let pointer: UnsafeMutableRawPointer? = context
    if let pointer { Unmanaged<ScriptedServer>.fromOpaque(pointer).takeRetainedValue().acceptAll() }
    return nil
}

private func serveConnection(_ context: Context) -> UnsafeMutableRawPointer? {
    let pointer: UnsafeMutableRawPointer? = context
    if let pointer {
        let connection = Unmanaged<ServerConnection>.fromOpaque(pointer).takeRetainedValue()
        connection.server.serve(connection)
    }
    return nil
}
