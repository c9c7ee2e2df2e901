/// Writes one answer to a connection, with the faults that act meanwhile.
struct AnswerWriter {
    let connection: Connection
    let plan: FaultPlan
    /// Whether the answer is to a HEAD request, which has no body.
    let isHead: Bool
    let closes: Bool

    func write(_ answer: WireAnswer) throws {
        let hasBody = answer.mayHaveBody && !isHead
        let blanks = hasBody ? plan.trickle?.count ?? 0 : 0
        let announced = answer.mayHaveBody ? answer.length + UInt64(blanks) : nil
        let head = answer.head(contentLength: announced, closes: closes)
        if case .afterStatusLine? = plan.resetInAnswer {
            let statusLine = head.prefix { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")]
            try connection.socket.transmit(Array(statusLine))
            throw Connection.Ending.reset
        }
        guard hasBody else { return try connection.socket.transmit(head) }
        if case .bytes(let bytes) = answer.body, blanks == 0, bytes.count < 64 << 10, !hasBodyFault {
            return try connection.socket.transmit(head + bytes)
        }
        try connection.socket.transmit(head)
        if let (interval, count) = plan.trickle {
            for _ in 0..<count {
                try pause(interval)
                try connection.socket.transmit([UInt8(ascii: " ")])
            }
        }
        var sent: UInt64 = 0
        switch answer.body {
        case .bytes(let bytes): try bytes.withUnsafeBytes { try send($0, &sent) }
        case .content(let content): try content.forEachBuffer { try send($0, &sent) }
        case .announced: break
        }
        try endIfCut(sent)
    }

    private var hasBodyFault: Bool { plan.resetInAnswer != nil || plan.truncation != nil || plan.writeRate != nil }

    /// Sends a run of the body as far as the faults let it.
    private func send(_ buffer: UnsafeRawBufferPointer, _ sent: inout UInt64) throws {
        var rest = buffer
        while !rest.isEmpty {
            try endIfCut(sent)
            var length = rest.count
            if let cut { length = Int(min(UInt64(length), cut - sent)) }
            if let rate = plan.writeRate { length = min(length, max(1, Int(clamping: rate / 20))) }
            try connection.socket.transmit(UnsafeRawBufferPointer(rebasing: rest[..<length]))
            sent += UInt64(length)
            rest = UnsafeRawBufferPointer(rebasing: rest[length...])
            if let rate = plan.writeRate { try pause(.seconds(1) * length / Int(clamping: rate)) }
        }
    }

    /// The number of body bytes after which the answer ends too early.
    private var cut: UInt64? {
        if case .afterBodyBytes(let count)? = plan.resetInAnswer { return count }
        return plan.truncation
    }

    private func endIfCut(_ sent: UInt64) throws {
        guard let cut, sent >= cut else { return }
        throw plan.truncation == nil ? Connection.Ending.reset : .close
    }

    private func pause(_ duration: Duration) throws {
        if case .stopped = connection.pause.wait(until: .now + duration, onPeerEnd: { true }) {
            throw Connection.Ending.abandoned
        }
    }
}
