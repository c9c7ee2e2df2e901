/// The body of one request with its framing taken off.
struct RequestBodyReader {
    private enum Position {
        case fixed(UInt64)
        case chunk(UInt64)
        case beforeChunk(isFirst: Bool)
        case end
    }

    private let reader: ConnectionReader
    private var position: Position
    /// The bytes given out so far.
    private(set) var received: UInt64 = 0

    init(_ reader: ConnectionReader, framing: RequestHead.Framing) {
        self.reader = reader
        switch framing {
        case .none: position = .end
        case .length(let count): position = count > 0 ? .fixed(count) : .end
        case .chunked: position = .beforeChunk(isFirst: true)
        }
    }

    var isAtEnd: Bool {
        if case .end = position { true } else { false }
    }

    /// The bytes still to come as far as the framing tells.
    var announced: UInt64? {
        switch position {
        case .fixed(let count): count
        case .end: 0
        default: nil
        }
    }

    /// Copies body bytes into `target` and returns how many; 0 at the end of the body.
    mutating func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !target.isEmpty else { return 0 }
        if case .beforeChunk(let isFirst) = position {
            if !isFirst, !(try reader.readLine().isEmpty) { throw MalformedRequest("chunk longer than announced") }
            try readChunkSize()
        }
        let left: UInt64
        switch position {
        case .fixed(let count), .chunk(let count): left = count
        case .beforeChunk, .end: return 0
        }
        let count = try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: target.prefix(Int(clamping: left))))
        guard count > 0 else { throw SocketError("body cut off after \(received) bytes", 0) }
        received += UInt64(count)
        let rest = left - UInt64(count)
        if case .fixed = position {
            position = rest > 0 ? .fixed(rest) : .end
        } else {
            position = rest > 0 ? .chunk(rest) : .beforeChunk(isFirst: false)
        }
        return count
    }

    private mutating func readChunkSize() throws {
        let line = String(decoding: try reader.readLine(), as: UTF8.self)
        let digits = line.prefix { $0 != ";" }.filter { $0 != " " }
        guard !digits.isEmpty, digits.count <= 15, digits.allSatisfy(\.isHexDigit), let size = UInt64(digits, radix: 16)
        else { throw MalformedRequest("bad chunk size") }
        if size > 0 {
            position = .chunk(size)
            return
        }
        var trailerLines = 0
        while !(try reader.readLine().isEmpty) {
            trailerLines += 1
            guard trailerLines <= 64 else { throw MalformedRequest("too many trailer lines") }
        }
        position = .end
    }
}
