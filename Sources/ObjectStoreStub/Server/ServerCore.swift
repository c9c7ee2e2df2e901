import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the threads of a server share. It outlives the public handle until the last thread has ended.
final class ServerCore: Sendable {
    private struct State {
        var isStopping = false
        /// The open connections by number. A descriptor is closed only after its entry is gone.
        var connections: [Int: Socket] = [:]
    }

    let configuration: StubConfiguration
    let storage: ObjectStorage
    let accounts: AccountTable
    let log: WireLog
    let faults = FaultControl()
    let quirks: LockBox<Quirks>
    let stop: WakePipe
    private let dialects: [any Dialect]
    private let threads = ThreadGroup()
    private let state = LockBox(State())

    init(_ configuration: StubConfiguration) throws {
        self.configuration = configuration
        storage = ObjectStorage(
            salt: configuration.random.next(), digestLimit: configuration.digestLimit, clock: configuration.clock)
        accounts = AccountTable(configuration.accounts)
        log = WireLog(limit: configuration.logLimit, observer: configuration.onRequest)
        quirks = LockBox(configuration.quirks)
        stop = try WakePipe()
        dialects = [AdminDialect(), TOSDialect()]
        for bucket in configuration.buckets { storage.createBucket(bucket) }
    }

    /// Starts to listen and returns the port.
    func listen(port: UInt16) throws -> UInt16 {
        let listener = try ListeningSocket(host: configuration.host, port: port)
        guard threads.start({ [self] in acceptConnections(listener) }) else {
            listener.close()
            throw SocketError("pthread_create", 0)
        }
        return listener.port
    }

    /// Ends every connection and waits for every thread.
    func shutDown() {
        stop.wake()
        faults.removeAll()
        state.withLock { state in
            state.isStopping = true
            for socket in state.connections.values { socket.endBoth() }
        }
        threads.joinAll()
    }

    var context: ServerContext {
        ServerContext(
            storage: storage, accounts: accounts, log: log, configuration: configuration, quirks: quirks.withLock { $0 }
        )
    }

    /// Hands a request to the first dialect that recognises it, else to the last.
    func open(_ head: RequestHead) -> any DialectExchange {
        let dialect = dialects.first { $0.recognises(head) } ?? dialects[dialects.count - 1]
        return dialect.open(head, context)
    }

    private func acceptConnections(_ listener: ListeningSocket) {
        while listener.waitForConnection(stop: stop) {
            guard let socket = listener.acceptConnection() else { continue }
            let number = log.connectionOpened()
            let isWelcome = state.withLock { state in
                if state.isStopping { return false }
                state.connections[number] = socket
                return true
            }
            let connection = Connection(number: number, socket: socket, core: self)
            if !isWelcome || !threads.start({ connection.run() }) { connection.end(isReset: true) }
        }
        listener.close()
    }

    /// Takes a connection out, after which its own thread may close it.
    func forget(_ number: Int) {
        state.withLock { _ = $0.connections.removeValue(forKey: number) }
    }
}
