import TransferHTTP

/// The head of an answer, line by line. Interim answers (1xx) and the heads of earlier answers are forgotten.
struct ResponseHead {
    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    /// Whether the empty line behind a final head has come.
    private(set) var isComplete = false
    /// Whether the exchange has acted on that.
    var wasAnnounced = false
    /// Whether any byte of an answer has come.
    private(set) var hasBegun = false
    private var size = 0

    var isSuccess: Bool { (200...299).contains(status) }

    /// Takes one line with its line end; false when the head is longer than any service sends.
    mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
        hasBegun = true
        size += line.count
        guard size <= Self.limit else { return false }
        var line = line[...]
        while let last = line.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { line.removeLast() }
        if line.isEmpty {
            isComplete = status >= 200
        } else if line.starts(with: "HTTP/".utf8) {
            // No field name holds a slash: a new head begins, after an interim answer.
            status = Self.status(line)
            headers = HTTPHeaders()
            headers.reserveCapacity(fields: 12, bytes: 640)
            isComplete = false
        } else if !isComplete {
            // Lines that are no field, and trailers behind the body, have no meaning here.
            _ = headers.appendLine(UnsafeRawBufferPointer(rebasing: line))
        }
        return true
    }

    /// The number behind the first blank.
    private static func status(_ line: Slice<UnsafeRawBufferPointer>) -> Int {
        var status = 0
        for byte in line.drop(while: { $0 != UInt8(ascii: " ") }).dropFirst().prefix(3) {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return 0 }
            status = status * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return status
    }

    /// Bytes.
    private static let limit = 256 << 10
}
