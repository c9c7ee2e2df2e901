/// The bytes of one execution, from which a target takes the values that it needs.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The next byte; 0 behind the end.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// The next eight bytes as a number, the last first. Fewer at the end give a smaller one.
    mutating func number() -> UInt64 {
        var value: UInt64 = 0
        for _ in 0..<8 {
            guard let byte = rest.popFirst() else { break }
            value = value << 8 | UInt64(byte)
        }
        return value
    }

    /// Up to the next line feed, which is dropped, or to the end.
    mutating func line() -> ArraySlice<UInt8> {
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        defer { rest = rest[end...].dropFirst() }
        return rest[..<end]
    }

    /// The same as text; what is no UTF-8 is replaced.
    mutating func text() -> String { String(decoding: line(), as: UTF8.self) }

    /// All lines that are left.
    mutating func lines() -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        while !rest.isEmpty { lines.append(line()) }
        return lines
    }
}
