/// A body in `aws-chunked`: chunks that say their length, and behind the last a line for each checksum announced.
struct AWSChunkedBody {
    private(set) var content: [UInt8] = []
    private(set) var trailers: [(name: String, value: String)] = []

    /// Nil when the bytes are not so framed, or do not end where they should.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while true {
            guard let line = Self.line(&rest), line.utf8.count <= 15, let length = Int(line, radix: 16), length >= 0
            else { return nil }
            if length == 0 { break }
            content += rest.prefix(length)
            guard rest.count >= length else { return nil }
            rest = rest.dropFirst(length)
            guard Self.line(&rest) == "" else { return nil }
        }
        while let line = Self.line(&rest) {
            if line.isEmpty { break }
            let name = line.prefix { $0 != ":" }
            trailers.append((name.lowercased(), line.dropFirst(name.count + 1).filter { $0 != " " }))
        }
        guard rest.isEmpty else { return nil }
    }

    /// Takes a line off the front, without its end; nil when there is no whole one.
    private static func line(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")), end > rest.startIndex,
            rest[end - 1] == UInt8(ascii: "\r")
        else { return nil }
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[rest.startIndex..<(end - 1)], as: UTF8.self)
    }
}
