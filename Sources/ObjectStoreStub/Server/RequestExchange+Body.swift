import TransferPrimitives

extension RequestExchange {
    enum Reception {
        case whole(ReceivedBody)
        /// The answer to give with the body not read to its end.
        case refused(WireAnswer)
    }

    private enum Interruption: Error {
        case answer(WireAnswer)
    }

    /// Takes the body in, with the faults that act meanwhile.
    ///
    /// - Parameter isRefused: whether the request will be refused anyway, so that its body is of no use.
    mutating func receiveBody(isRefused: Bool) throws -> Reception {
        do {
            try actInRequest()
            if head.expectsContinue, !body.isAtEnd {
                if isRefused {
                    bodyIsUnread = true
                    return .whole(ReceivedBody())
                }
                if !plan.withholdsContinue, !reader.hasUnread {
                    try connection.socket.transmit(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                }
            }
            guard !isRefused else {
                try discard()
                return .whole(ReceivedBody())
            }
            switch exchange.bodyUse {
            case .document(let limit): return try .whole(readDocument(limit: limit))
            case .content(let discards, let needsMD5, let needsSHA256):
                return try .whole(readContent(discards: discards, needsMD5: needsMD5, needsSHA256: needsSHA256))
            }
        } catch Interruption.answer(let answer) {
            bodyIsUnread = true
            return .refused(answer)
        } catch let error as MalformedRequest {
            bodyIsUnread = true
            return .refused(exchange.refuse(ServiceFailure(error.status, "InvalidRequest", error.reason), at: now))
        }
    }

    private mutating func discard() throws {
        var scratch = [UInt8](repeating: 0, count: 64 << 10)
        while try scratch.withUnsafeMutableBytes({ try fill($0) }) > 0 {}
    }

    private mutating func readDocument(limit: Int) throws -> ReceivedBody {
        var document: [UInt8] = []
        var scratch = [UInt8](repeating: 0, count: 32 << 10)
        while true {
            let count = try scratch.withUnsafeMutableBytes { try fill($0) }
            if count == 0 { break }
            document += scratch[..<count]
            guard document.count <= limit else { throw MalformedRequest("document above \(limit) bytes", status: 413) }
        }
        noteDocument(document)
        return ReceivedBody(content: .bytes(document))
    }

    private mutating func readContent(discards: Bool, needsMD5: Bool, needsSHA256: Bool) throws -> ReceivedBody {
        let limit = connection.core.configuration.digestLimit
        let isSmall = body.announced.map { $0 <= limit } ?? true
        let hashes = needsMD5 || (isSmall && !discards)
        var md5 = MD5Hasher()
        var sha256 = SHA256Hasher()
        var received = ReceivedBody()
        var sum = CRC64()
        while !body.isAtEnd {
            let capacity = Int(min(body.announced ?? UInt64(ContentChunk.size), UInt64(ContentChunk.size)))
            let bytes = try [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                while count < capacity {
                    let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count...]))
                    let more = try fill(rest)
                    if more == 0 { break }
                    count += more
                }
            }
            bytes.withUnsafeBytes { buffer in
                if hashes { md5.update(buffer) }
                if needsSHA256 { sha256.update(buffer) }
                if discards { sum.update(buffer) }
            }
            if !discards, !bytes.isEmpty { received.content.append(chunk: ContentChunk(bytes)) }
        }
        if discards { received.content = .summary(length: body.received, crc64: sum.value) }
        // A body of unknown length turns out too long for an MD5 as its ETag only at its end.
        if needsMD5 || (hashes && received.length <= limit) { received.md5 = md5.finalize() }
        if needsSHA256 { received.sha256 = sha256.finalize() }
        return received
    }

    /// Reads some bytes of the body; 0 at its end. Faults that act at a place in the body act here.
    private mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var length = buffer.count
        if let after = plan.inRequest?.after {
            length = Int(min(UInt64(length), after - min(body.received, after)))
        }
        if let rate = plan.readRate { length = min(length, max(1, Int(clamping: rate / 20))) }
        let before = body.received
        let count = try body.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
        if let place = plan.corruptedByte, place >= before, place < body.received {
            buffer[Int(place - before)] ^= 0xFF
        }
        if let rate = plan.readRate {
            try wait(until: .now + .seconds(1) * count / Int(clamping: rate))
        }
        try actInRequest()
        return count
    }

    private func actInRequest() throws {
        guard let (after, effect) = plan.inRequest, body.received >= after else { return }
        switch effect {
        case .reset: throw Connection.Ending.reset
        case .answer(let refusal): throw Interruption.answer(refuse(refusal))
        case .stopReading: try waitForPeerToGo()
        }
    }
}
