import CCurl
import TransferHTTP
import TransferPrimitives

/// An event loop over `curl_multi_poll`. Its executor is the thread that polls, so all of libcurl's state is isolated to the
/// actor and needs no lock.
actor CurlLoop {
    nonisolated let thread: LoopThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let multi: MultiHandle
    private let settings: CurlSettings
    private let maxSpareHandles: Int
    private let time = LoopTime()
    private var idle: [CurlHandle.Kind: [CurlHandle]] = [:]
    private var active: [Int: CurlHandle] = [:]
    /// No idle timer and no deadline is due before this.
    private var nextCheck = UInt64.max
    private var isStopping = false
    /// How often the loop has turned; stands still while there is nothing to do.
    private(set) var turns = 0

    /// Throws when libcurl or the system cannot give what a loop needs.
    ///
    /// - Parameter maxIdleConnections: Connections, and handles of each kind, that are kept for later.
    init(_ settings: CurlSettings, maxIdleConnections: Int) throws {
        self.settings = settings
        maxSpareHandles = maxIdleConnections
        multi = try MultiHandle(maxIdleConnections: maxIdleConnections)
        thread = LoopThread(multi)
        guard thread.start(self) else { throw CurlSetupError("pthread_create", CURLE_FAILED_INIT) }
    }

    /// Sends `request` and waits for its answer. Not isolated: a request is handed over as a signal, and its answer goes
    /// straight back to whoever waits for it, so that neither way is a turn of the loop.
    nonisolated func perform(_ request: HTTPRequest, _ route: Route) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let id = thread.nextExchange()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                thread.post(.begin(Order(exchange: id, request: request, route: route, continuation: continuation)))
                // Cancelled before it was handed over: `onCancel` found nothing to cut.
                if Task.isCancelled { thread.post(.cancel(exchange: id)) }
            }
        } onCancel: { [thread] in
            thread.post(.cancel(exchange: id))
        }
    }

    private func begin(_ order: Order) {
        let exchange = Exchange(
            id: order.exchange, request: order.request, continuation: order.continuation,
            flow: LoopFlow(thread: thread, exchange: order.exchange), time: time, idleLimit: settings.idleLimit)
        do {
            guard !isStopping else { throw exchange.failure(.shutdown, "the client was shut down") }
            let handle = try takeHandle(CurlHandle.Kind(exchange.request))
            try handle.begin(exchange, order.route)
            let result = curl_multi_add_handle(multi.pointer, handle.easy)
            guard result == CURLM_OK else { throw CurlSetupError("curl_multi_add_handle", result) }
            active[exchange.id] = handle
            nextCheck = min(nextCheck, exchange.idleTimer.firstCheck, exchange.deadline ?? .max)
        } catch let error as CurlSetupError {
            exchange.continuation.resume(throwing: exchange.failure(error))
        } catch {
            exchange.continuation.resume(throwing: error)
        }
    }

    private func takeHandle(_ kind: CurlHandle.Kind) throws(CurlSetupError) -> CurlHandle {
        if let handle = idle[kind]?.popLast() { return handle }
        return try CurlHandle(kind, settings, multi.lastWords)
    }

    // MARK: Called by the thread

    /// One turn: does what was asked, lets libcurl work, ends what has ended. Returns for how long there is nothing to do.
    func turn(_ signals: [LoopThread.Signal], isStopping: Bool) -> Int32 {
        time.update()
        turns &+= 1
        for signal in signals { handle(signal) }
        if isStopping, !self.isStopping {
            self.isStopping = true
            for handle in active.values { cut(handle, .shutdown) }
        }
        guard !active.isEmpty else { return Self.longestPoll }

        var running: Int32 = 0
        let result = curl_multi_perform(multi.pointer, &running)
        if result != CURLM_OK { fail(CurlSetupError("curl_multi_perform", result)) }
        var pending: Int32 = 0
        while let message = curl_multi_info_read(multi.pointer, &pending) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = transfer_curl_message_result(message)
            if let handle = owner(of: easy) { finish(handle, code) }
        }
        multi.lastWords.forget()
        checkTimers()
        return pollLimit()
    }

    /// Waits until a socket is ready, the thread is woken, or the time is up.
    func poll(milliseconds: Int32) {
        let result = curl_multi_poll(multi.pointer, nil, 0, milliseconds, nil)
        // Jobs that wait begin requests: their time limits count from now.
        time.update()
        if result != CURLM_OK { fail(CurlSetupError("curl_multi_poll", result)) }
    }

    /// Frees what the loop holds. Nothing is active any more.
    func close() { idle = [:] }

    // MARK: Turn

    private func handle(_ signal: LoopThread.Signal) {
        switch signal {
        case .begin(let order): begin(order)
        case .cancel(let id):
            guard let handle = active[id], let exchange = handle.exchange else { return }
            release(handle)
            exchange.continuation.resume(throwing: CancellationError())
        case .resume(let id):
            guard let handle = active[id] else { return }
            handle.exchange?.idleTimer.moved(at: time.now)
            let result = handle.resume()
            if result != CURLE_OK { finish(handle, result) }
        }
    }

    private func owner(of easy: UnsafeMutableRawPointer) -> CurlHandle? {
        var context: UnsafeMutableRawPointer?
        guard transfer_curl_getinfo_pointer(easy, CURLINFO_PRIVATE, &context) == CURLE_OK, let context else {
            return nil
        }
        return Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
    }

    private func finish(_ handle: CurlHandle, _ code: CURLcode) {
        guard let exchange = handle.exchange else { return }
        let outcome = handle.outcome(code)
        release(handle)
        exchange.continuation.resume(with: outcome)
    }

    private func cut(_ handle: CurlHandle, _ reason: TransportFailure.Kind) {
        handle.exchange?.cutBy = reason
        finish(handle, CURLE_OPERATION_TIMEDOUT)
    }

    private func fail(_ error: CurlSetupError) {
        for handle in active.values {
            guard let exchange = handle.exchange else { continue }
            release(handle)
            exchange.continuation.resume(throwing: exchange.failure(error))
        }
    }

    /// Takes the handle out of libcurl's hands, which closes a connection in mid-exchange, and keeps it for later.
    private func release(_ handle: CurlHandle) {
        guard let exchange = handle.exchange else { return }
        active[exchange.id] = nil
        handle.end()
        let result = curl_multi_remove_handle(multi.pointer, handle.easy)
        guard result == CURLM_OK, (idle[handle.kind]?.count ?? 0) < maxSpareHandles else { return }
        idle[handle.kind, default: []].append(handle)
    }

    // MARK: Timers

    private func checkTimers() {
        guard time.now >= nextCheck else { return }
        nextCheck = .max
        for handle in active.values {
            guard let exchange = handle.exchange else { continue }
            if let deadline = exchange.deadline {
                if time.now >= deadline {
                    cut(handle, .deadline)
                    continue
                }
                nextCheck = min(nextCheck, deadline)
            }
            if exchange.isPaused { exchange.idleTimer.moved(at: time.now) }
            switch exchange.idleTimer.check(at: time.now, handle.counters) {
            case .expired: cut(handle, .idle)
            case .check(let next): nextCheck = min(nextCheck, next)
            }
        }
    }

    private func pollLimit() -> Int32 {
        guard nextCheck != .max, !active.isEmpty else { return Self.longestPoll }
        let rest = nextCheck > time.now ? nextCheck - time.now : 0
        return Int32(min(rest / 1_000_000 + 1, UInt64(Self.longestPoll)))
    }

    /// Milliseconds; an hour.
    private static let longestPoll: Int32 = 3_600_000
}
