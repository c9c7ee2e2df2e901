import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One connection, served by a thread of its own from its first request to its end.
final class Connection: Sendable {
    let number: Int
    let socket: Socket
    let core: ServerCore

    init(number: Int, socket: Socket, core: ServerCore) {
        self.number = number
        self.socket = socket
        self.core = core
    }

    /// How a connection leaves the usual course of request and answer.
    enum Ending: Error {
        case reset
        case close
        /// The server stops, or the peer has gone.
        case abandoned
    }

    var pause: ConnectionWait { ConnectionWait(socket: socket, stop: core.stop) }

    func run() {
        let reader = ConnectionReader(socket: socket)
        do {
            while reader.hasUnread || pause.waitForBytes() {
                guard let raw = try reader.readHead(limit: core.configuration.headLimit) else { break }
                let head = try RequestHead(parsing: raw)
                var exchange = RequestExchange(self, reader, head)
                guard try exchange.serve() else { break }
            }
            end(isReset: false)
        } catch let error as MalformedRequest {
            refuseMalformed(error)
            end(isReset: false)
        } catch Ending.reset {
            end(isReset: true)
        } catch {
            end(isReset: false)
        }
    }

    /// Closes the connection. The only place that does.
    func end(isReset: Bool) {
        core.forget(number)
        if isReset { socket.reset() } else { socket.close() }
        core.log.connectionEnded()
    }

    /// Answers what is not HTTP without a dialect.
    private func refuseMalformed(_ error: MalformedRequest) {
        let text = "\(error.reason)\n"
        var answer = WireAnswer(status: error.status, body: Array(text.utf8))
        answer["Content-Type"] = "text/plain"
        let request = StoreRequest(operation: .unknown, dialect: "none", method: "", target: "")
        let entry = core.log.begin(request, head: [], connection: number, time: core.configuration.clock.now)
        do {
            try socket.transmit(answer.head(contentLength: answer.length, closes: true) + Array(text.utf8))
            drain()
            core.log.end(entry) {
                $0.status = error.status
                $0.diagnosis = error.reason
            }
        } catch {
            core.log.end(entry) { $0.answerWasCut = true }
        }
    }

    /// Ends the server's side and takes what the client still sends, so that it reads the answer and not a reset.
    func drain() {
        socket.endSending()
        var scratch = [UInt8](repeating: 0, count: 64 << 10)
        let deadline = ContinuousClock.now + .seconds(10)
        while pause.waitForBytes(until: deadline) {
            do {
                if try scratch.withUnsafeMutableBytes({ try socket.receive(into: $0) }) == 0 { return }
            } catch {
                return
            }
        }
    }
}
