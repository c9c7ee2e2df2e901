import TransferHTTP
import TransferPrimitives

/// One request under way: what was sent of it, what has come back. Lives on its loop's thread.
final class Exchange {
    let id: Int
    let request: HTTPRequest
    let continuation: CheckedContinuation<HTTPResponse, any Error>
    let flow: LoopFlow
    private let time: LoopTime
    let bodyLength: UInt64

    // The request's body
    private(set) var bodyOffset: UInt64 = 0
    private var crc = CRC64()
    private(set) var bodyError: (any Error)?

    // The answer
    var head = ResponseHead()
    private(set) var body: [UInt8] = []
    private(set) var sinkError: (any Error)?
    private(set) var isTooLarge = false
    /// Whether the rest of an error's body was not wanted.
    private(set) var isCutShort = false

    var idleTimer: IdleTimer
    let deadline: UInt64?
    /// Whether a sink holds the answer back; the idle timer stands still meanwhile.
    var isPaused = false
    /// Why the loop cut it.
    var cutBy: TransportFailure.Kind?

    init(
        id: Int, request: HTTPRequest, continuation: CheckedContinuation<HTTPResponse, any Error>, flow: LoopFlow,
        time: LoopTime, idleLimit: Duration
    ) {
        self.id = id
        self.request = request
        self.continuation = continuation
        self.flow = flow
        self.time = time
        bodyLength = request.body.length
        idleTimer = IdleTimer(limit: LoopTime.nanoseconds(request.idleTimeout ?? idleLimit), now: time.now)
        deadline = request.deadline.map { time.now &+ LoopTime.nanoseconds($0) }
    }

    /// The CRC-64 of the body, once all of it was handed to libcurl.
    var sentCRC64: UInt64? { request.body.computesCRC64 && bodyOffset == bodyLength ? crc.value : nil }

    /// Fills `buffer` with the next bytes of the body; nil when they cannot be had.
    func supply(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        idleTimer.moved(at: time.now)
        guard bodyOffset < bodyLength else { return 0 }
        do {
            let count = try request.body.read(at: bodyOffset, into: buffer)
            guard count > 0, count <= buffer.count else { throw BodyEndedEarly(at: bodyOffset, of: bodyLength) }
            if request.body.computesCRC64 { crc.update(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            bodyOffset += UInt64(count)
            return count
        } catch {
            bodyError = error
            return nil
        }
    }

    /// Goes back to the start of the body: libcurl found a kept-alive connection dead and repeats the request.
    func rewind() -> Bool {
        guard request.body.isReplayable else { return false }
        bodyOffset = 0
        crc = CRC64()
        return true
    }

    /// Takes a line of the answer's head; false ends the exchange.
    func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
        idleTimer.moved(at: time.now)
        guard head.add(line) else { return false }
        guard head.isComplete, !head.wasAnnounced else { return true }
        head.wasAnnounced = true
        guard let sink = request.sink, head.isSuccess else { return true }
        do {
            try sink.begin(status: head.status, headers: head.headers, flow: flow)
            return true
        } catch {
            sinkError = error
            return false
        }
    }

    /// Takes bytes of the answer's body.
    func receive(_ bytes: UnsafeRawBufferPointer) -> ResponseDemand? {
        idleTimer.moved(at: time.now)
        if let sink = request.sink, head.isSuccess {
            do { return try sink.receive(bytes) } catch {
                sinkError = error
                return nil
            }
        }
        let limit = head.isSuccess ? request.bodyLimit : request.errorBodyLimit
        let room = max(0, limit - body.count)
        guard bytes.count > room else {
            body.append(contentsOf: bytes)
            return .more
        }
        if head.isSuccess {
            isTooLarge = true
        } else {
            body.append(contentsOf: bytes.prefix(room))
            isCutShort = true
        }
        return nil
    }

    /// Takes what was left unread of an answer without chunks; a success is not believed, since its end is unknown.
    func receiveAll(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !head.isComplete, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            guard head.add(UnsafeRawBufferPointer(rebasing: rest[...end])) else { return }
            rest = rest[(end + 1)...]
        }
        if head.isComplete, !head.isSuccess { body.append(contentsOf: rest.prefix(request.errorBodyLimit)) }
    }

    func response(reusedConnection: Bool) -> HTTPResponse {
        HTTPResponse(
            status: head.status, headers: head.headers, body: body, sentCRC64: sentCRC64,
            reusedConnection: reusedConnection)
    }
}

/// A source that promised more bytes than it has.
struct BodyEndedEarly: Error, Sendable, CustomStringConvertible {
    let offset: UInt64
    let length: UInt64

    init(at offset: UInt64, of length: UInt64) {
        self.offset = offset
        self.length = length
    }

    var description: String { "the source ended at byte \(offset) of \(length)" }
}
