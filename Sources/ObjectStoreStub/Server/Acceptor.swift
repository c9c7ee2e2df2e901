/// One run of listening, from the first accepted connection to the end of the listening socket.
final class Acceptor: Sendable {
    let listener: ListeningSocket
    private let stop: WakePipe
    private let ended: WakePipe

    init(host: String, port: UInt16) throws {
        stop = try WakePipe()
        ended = try WakePipe()
        listener = try ListeningSocket(host: host, port: port)
    }

    /// Hands every connection to `accepted`, until ``end()`` is called; then closes the listening socket.
    func run(_ accepted: (Socket) -> Void) {
        while listener.waitForConnection(stop: stop) {
            if let socket = listener.acceptConnection() {
                accepted(socket)
            } else {
                // Descriptors have run out, most likely: the connection stays in the backlog until some are free again.
                stop.waitUntilWoken(milliseconds: 10)
            }
        }
        listener.close()
        ended.wake()
    }

    /// Ends the run and returns once the port refuses connections.
    func end() {
        stop.wake()
        ended.waitUntilWoken()
    }

    /// Closes the listening socket of a run that could not start.
    func cancel() { listener.close() }
}
