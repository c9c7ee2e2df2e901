/// The bytes of one connection, in order, with what was read too far kept for the next call.
final class ConnectionReader {
    // Used by the connection's thread alone.
    private let socket: Socket
    private var buffer = [UInt8](repeating: 0, count: 32 << 10)
    private var unread = 0..<0

    init(socket: Socket) { self.socket = socket }

    /// Whether bytes of the next read are here already.
    var hasUnread: Bool { !unread.isEmpty }

    /// The bytes up to and including the next empty line, or nil when the peer ends before the first byte.
    func readHead(limit: Int) throws -> [UInt8]? {
        var head: [UInt8] = []
        var lineIsEmpty = true
        var sawText = false
        while true {
            if unread.isEmpty, try fill() == 0 {
                if head.isEmpty { return nil }
                throw SocketError("head cut off", 0)
            }
            let end = buffer.withUnsafeBufferPointer { bytes -> Int? in
                for index in unread {
                    let byte = bytes[index]
                    if byte == UInt8(ascii: "\n") {
                        // Empty lines before the request line are borne with.
                        if lineIsEmpty && sawText { return index + 1 }
                        lineIsEmpty = true
                    } else if byte != UInt8(ascii: "\r") {
                        lineIsEmpty = false
                        sawText = true
                    }
                }
                return nil
            }
            let taken = unread.lowerBound..<(end ?? unread.upperBound)
            head += buffer[taken]
            unread = taken.upperBound..<unread.upperBound
            guard head.count <= limit else { throw MalformedRequest("head above \(limit) bytes", status: 431) }
            if end != nil { return head }
        }
    }

    /// The next line without its end, at most `limit` bytes long.
    func readLine(limit: Int = 8 << 10) throws -> [UInt8] {
        var line: [UInt8] = []
        while true {
            if unread.isEmpty, try fill() == 0 { throw SocketError("line cut off", 0) }
            let byte = buffer[unread.lowerBound]
            unread = (unread.lowerBound + 1)..<unread.upperBound
            if byte == UInt8(ascii: "\n") {
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return line
            }
            line.append(byte)
            guard line.count <= limit else { throw MalformedRequest("line too long") }
        }
    }

    /// Copies bytes into `target`, which is not empty, and returns how many; 0 when the peer has ended.
    func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !unread.isEmpty else { return try socket.receive(into: target) }
        let count = min(unread.count, target.count)
        let taken = unread.lowerBound..<(unread.lowerBound + count)
        target.copyBytes(from: buffer[taken])
        unread = taken.upperBound..<unread.upperBound
        return count
    }

    private func fill() throws -> Int {
        let count = try buffer.withUnsafeMutableBytes { try socket.receive(into: $0) }
        unread = 0..<count
        return count
    }
}
