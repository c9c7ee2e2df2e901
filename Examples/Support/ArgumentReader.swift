/// Reads a command line word by word. What it throws names the option.
package struct ArgumentReader {
    private var rest: ArraySlice<String>
    /// The option that was read last.
    private var option = ""

    package init(_ arguments: [String]) { rest = arguments[...] }

    /// The next option or operand; nil at the end.
    package mutating func next() -> String? {
        guard let word = rest.popFirst() else { return nil }
        option = word
        return word
    }

    /// Everything that is left, as it is.
    package mutating func remaining() -> [String] {
        defer { rest = [] }
        return Array(rest)
    }

    /// The value of the option.
    package mutating func value() throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
        return value
    }

    /// A whole number within `range`.
    package mutating func number(_ range: ClosedRange<Int>) throws(UsageError) -> Int {
        let text = try value()
        guard let number = Int(text), range.contains(number) else {
            throw UsageError("\(option) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return number
    }

    /// One of the values of `Choice`, by its raw value.
    package mutating func choice<Choice>(_ type: Choice.Type = Choice.self) throws(UsageError) -> Choice
    where Choice: RawRepresentable<String> & CaseIterable {
        let text = try value()
        guard let choice = Choice(rawValue: text) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("\(option) takes one of \(choices), not \(text)")
        }
        return choice
    }

    /// A number of bytes, not negative; also as 100k, 20m or 1g, in powers of 1,024.
    package mutating func bytes() throws(UsageError) -> Int {
        let text = try value()
        let shifts: [Character: Int] = ["k": 10, "m": 20, "g": 30]
        let shift = text.last.flatMap { shifts[Character($0.lowercased())] }
        guard let number = Int(shift == nil ? text[...] : text.dropLast()), number >= 0 else {
            throw UsageError("\(option) takes bytes, or a number with k, m or g, not \(text)")
        }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
        guard !overflow else { throw UsageError("\(option): \(text) is too large") }
        return bytes
    }
}

/// A command line that cannot be followed.
package struct UsageError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
