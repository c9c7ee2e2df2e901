internal import TransferCore
public import TransferCurl
package import TransferHTTP
internal import TransferPrimitives
internal import TransferService

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Sends each report as JSON to a server of the caller's own, by POST, one after the other.
///
/// Reports are a by-product: they wait in memory, at most 256 of them, the oldest is dropped for a further one, and one that the
/// server does not take is not sent again.
public final class HTTPTransferReporter: TransferReporter {
    private struct State {
        var waiting: [TransferReport] = []
        var isSending = false
        var isClosed = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        var sent = 0
        var lost = 0
    }

    /// The most reports that wait.
    public static let capacity = 256

    private let destination: ServerURL
    private let headers: HTTPHeaders
    private let transport: any HTTPTransport
    private let state = LockBox(State())

    /// - Parameters:
    ///   - url: Where to, such as `https://metrics.example.com/uploads`.
    ///   - headers: Sent with every report, such as `Authorization`; never printed.
    ///   - configuration: Timeouts, proxy, certificate authorities.
    /// - Throws: `TransferError` with `.invalidArgument`, naming `url`, `headers` or `transport`.
    public convenience init(
        url: String, headers: [String: String] = [:], transport configuration: TransportConfiguration = .init()
    ) throws {
        try self.init(url: url, headers: headers, over: CurlTransport(checking: configuration))
    }

    package init(url: String, headers: [String: String] = [:], over transport: any HTTPTransport) throws {
        destination = try ServerURL(url)
        self.headers = try HTTPHeaders(json: headers)
        self.transport = transport
    }

    /// Reports that the server has taken, and those that it has not or that were dropped.
    public var counts: (sent: Int, lost: Int) { state.withLock { ($0.sent, $0.lost) } }

    public func report(_ report: TransferReport) {
        let starts = state.withLock { state in
            guard !state.isClosed else {
                state.lost += 1
                return false
            }
            if state.waiting.count >= Self.capacity {
                state.waiting.removeFirst()
                state.lost += 1
            }
            state.waiting.append(report)
            defer { state.isSending = true }
            return !state.isSending
        }
        if starts { Task.detached { await self.sendAll() } }
    }

    /// Returns once every report so far was sent or lost.
    public func flush() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isSending { state.waiters.append(continuation) }
                return !state.isSending
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Sends what waits, then ends; later reports are lost.
    public func shutdown() async {
        state.withLock { $0.isClosed = true }
        await flush()
        await transport.shutdown()
    }

    private func sendAll() async {
        while let report = next() {
            let isTaken = await send(report)
            state.withLock { state in
                if isTaken { state.sent += 1 } else { state.lost += 1 }
            }
        }
    }

    private func next() -> TransferReport? {
        let (report, waiters) = state.withLock { state in
            guard state.waiting.isEmpty else {
                return (TransferReport?.some(state.waiting.removeFirst()), [CheckedContinuation<Void, Never>]())
            }
            state.isSending = false
            defer { state.waiters = [] }
            return (nil, state.waiters)
        }
        for waiter in waiters { waiter.resume() }
        return report
    }

    /// Whether the server took it. Why not is nobody's concern here: an upload does not fail for its report.
    private func send(_ report: TransferReport) async -> Bool {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            var request = HTTPRequest(
                .post, at: destination.endpoint, path: destination.path, headers: headers,
                body: .bytes([UInt8](try encoder.encode(report))), operation: "Report")
            request.deadline = .seconds(10)
            return try await transport.send(request).isSuccess
        } catch {
            return false
        }
    }
}
