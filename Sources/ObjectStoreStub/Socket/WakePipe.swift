#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A pipe that a waiting thread polls and another thread writes to, once: after that every wait on it ends at once.
final class WakePipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(SocketError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, ends.count == 2 else { throw SocketError("pipe") }
        readEnd = ends[0]
        writeEnd = ends[1]
        closeOnExec(readEnd)
        closeOnExec(writeEnd)
    }

    deinit {
        closeDescriptor(readEnd)
        closeDescriptor(writeEnd)
    }

    /// Ends the waits of now and later.
    func wake() {
        var byte: UInt8 = 1
        // Nothing reads the byte, so the pipe stays readable; a pipe that is full already says the same.
        while write(writeEnd, &byte, 1) < 0, errno == EINTR {}
    }
}

extension WakePipe {
    /// Blocks until the pipe has been woken.
    func waitUntilWoken() {
        var polled = [pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)]
        while poll(&polled, 1, -1) < 1 {}
    }

    /// Blocks until the pipe has been woken or the time is over.
    func waitUntilWoken(milliseconds: Int32) {
        var polled = [pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)]
        // A signal may end the wait too early, which its callers bear.
        _ = poll(&polled, 1, milliseconds)
    }
}

/// Why a wait came to its end.
enum WaitOutcome: Sendable {
    case elapsed, released, stopped
}

/// A wait of a connection's thread, which ends by time, by release or by the server's stop, and notices a peer that leaves.
struct ConnectionWait {
    let socket: Socket
    let stop: WakePipe

    /// Waits until `deadline`, or without end when it is nil.
    ///
    /// - Parameters:
    ///   - release: ends the wait when woken.
    ///   - onPeerEnd: called once, when the peer is seen to have closed its side; the wait goes on if it returns true.
    func wait(
        until deadline: ContinuousClock.Instant?, release: WakePipe? = nil, onPeerEnd: () -> Bool
    ) -> WaitOutcome {
        var watchesPeer = true
        while true {
            var milliseconds: Int32 = -1
            if let deadline {
                let left = ContinuousClock.now.duration(to: deadline)
                if left <= .zero { return .elapsed }
                if left < .milliseconds(1) {
                    sleepShortly(left)
                    return .elapsed
                }
                milliseconds = Int32(min(left / .milliseconds(1), 1e9))
            }
            var polled = [pollfd(fd: stop.readEnd, events: Int16(POLLIN), revents: 0)]
            polled.append(pollfd(fd: release?.readEnd ?? -1, events: Int16(POLLIN), revents: 0))
            polled.append(pollfd(fd: watchesPeer ? socket.descriptor : -1, events: Self.peerEnd, revents: 0))
            let count = poll(&polled, nfds_t(polled.count), milliseconds)
            if count <= 0 { continue }
            if polled[0].revents != 0 { return .stopped }
            if polled[1].revents != 0 { return .released }
            if polled[2].revents != 0 {
                let isGone = polled[2].revents & (Int16(POLLHUP | POLLERR) | Self.peerEnd & ~Int16(POLLIN)) != 0
                switch isGone ? true : socket.peekForEnd() {
                case true?:
                    watchesPeer = false
                    if !onPeerEnd() { return .released }
                case nil: watchesPeer = false  // the next request waits already; its connection is alive
                case false?: break
                }
            }
        }
    }

    #if canImport(Darwin)
        private static let peerEnd = Int16(POLLIN)
    #else
        /// POLLRDHUP: unread bytes, which a fault leaves where they are, must neither hide the end nor wake the wait for ever.
        private static let peerEnd: Int16 = 0x2000
    #endif

    /// Waits for bytes of the peer, or its end; false when the server stops or the time is over first.
    func waitForBytes(until deadline: ContinuousClock.Instant? = nil) -> Bool {
        while true {
            var milliseconds: Int32 = -1
            if let deadline {
                let left = ContinuousClock.now.duration(to: deadline)
                if left <= .zero { return false }
                milliseconds = Int32(min((left / .milliseconds(1)).rounded(.up), 1e9))
            }
            var polled = [
                pollfd(fd: stop.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&polled, nfds_t(polled.count), milliseconds) <= 0 { continue }
            if polled[0].revents != 0 { return false }
            if polled[1].revents != 0 { return true }
        }
    }

    private func sleepShortly(_ duration: Duration) {
        let nanoseconds = duration.components.attoseconds / 1_000_000_000
        var time = timespec(tv_sec: 0, tv_nsec: Int(clamping: nanoseconds))
        _ = nanosleep(&time, nil)
    }
}
