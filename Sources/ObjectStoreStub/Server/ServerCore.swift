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
        var acceptor: Acceptor?
        /// The open connections by number. A descriptor is closed only after its entry is gone.
        var connections: [Int: Socket] = [:]
    }

    let configuration: StubConfiguration
    let storage: ObjectStorage
    let accounts: AccountTable
    let log: WireLog
    let faults = FaultControl()
    let vod: VODService
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
        vod = VODService(configuration, storage: storage, accounts: accounts)
        dialects = [
            AdminDialect(vod: vod), AppServerDialect(vod: vod), VODDialect(vod: vod), OSSDialect(), S3Dialect(),
            TOSDialect(),
        ]
        for bucket in configuration.buckets { storage.createBucket(bucket) }
    }

    /// Starts to listen and returns the port.
    func listen(port: UInt16) throws -> UInt16 {
        raiseDescriptorLimit()
        let acceptor = try Acceptor(host: configuration.host, port: port)
        let isWelcome = state.withLock { state in
            guard !state.isStopping, state.acceptor == nil else { return false }
            state.acceptor = acceptor
            return true
        }
        guard isWelcome, threads.start({ [self] in acceptor.run(serve) }) else {
            acceptor.cancel()
            throw SocketError("listen", 0)
        }
        vod.listens(on: acceptor.listener.port)
        return acceptor.listener.port
    }

    /// Refuses new connections and ends those that are open.
    func stopListening() {
        let acceptor = state.withLock { state in
            defer { state.acceptor = nil }
            return state.acceptor
        }
        acceptor?.end()
        endConnections()
    }

    /// Ends the connections that are open, in order, whatever they are doing.
    func endConnections() {
        state.withLock { state in
            for socket in state.connections.values { socket.endBoth() }
        }
    }

    /// Ends everything and waits for every thread.
    func shutDown() {
        state.withLock { $0.isStopping = true }
        stop.wake()
        faults.removeAll()
        stopListening()
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

    private func serve(_ socket: Socket) {
        let number = log.connectionOpened()
        let isWelcome = state.withLock { state in
            if state.isStopping || state.acceptor == nil { return false }
            state.connections[number] = socket
            return true
        }
        let connection = Connection(number: number, socket: socket, core: self)
        if !isWelcome || !threads.start({ connection.run() }) { connection.end(isReset: true) }
    }

    /// Takes a connection out, after which its own thread may close it.
    func forget(_ number: Int) {
        state.withLock { _ = $0.connections.removeValue(forKey: number) }
    }
}
