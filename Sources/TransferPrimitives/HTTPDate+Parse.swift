#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension HTTPDate {
    /// Reads the three forms of RFC 9110, section 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`
    /// and `Sun Nov  6 08:49:37 1994`. Nil for anything else.
    ///
    /// Tolerant where senders differ: letter case, repeated blanks, a day of one digit, a missing or wrong weekday, and
    /// `UTC`, `Z` or `+0000` for `GMT`. A year of two digits is 1970...2069.
    package static func parse(_ text: String) -> Date? {
        guard text.utf8.count <= longest else { return nil }
        var words = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }.map {
            String(decoding: $0, as: UTF8.self)
        }
        if let first = words.first, isWeekday(first) { words.removeFirst() }
        if words.count >= 1, words[0].utf8.contains(UInt8(ascii: "-")) {
            let parts = words.removeFirst().split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            words.insert(contentsOf: parts, at: 0)
        }
        if words.count == 4, let month = month(words[0]) {
            return date(day: words[1], month: month, year: words[3], time: words[2])
        }
        guard words.count == 5, let month = month(words[1]),
            ["GMT", "UTC", "Z", "+0000"].contains(words[4].uppercased())
        else { return nil }
        return date(day: words[0], month: month, year: words[2], time: words[3])
    }

    /// Reads `20250701T080000Z`. Nil for anything else.
    package static func parseCompact(_ text: String) -> Date? {
        guard text.utf8.count == 16 else { return nil }
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), let month = scanner.number(2), let day = scanner.number(2),
            scanner.skip("T"),
            let hour = scanner.number(2), let minute = scanner.number(2), let second = scanner.number(2),
            scanner.skip("Z"), scanner.isAtEnd
        else { return nil }
        return date(CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second))
    }

    /// Reads `2025-07-01T08:00:02Z`, with a fraction of the second or without, and with `Z` or an offset such as `+08:00`.
    /// Nil for anything else.
    package static func parseISO8601(_ text: String) -> Date? {
        guard text.utf8.count <= longest else { return nil }
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2), scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
            let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2), scanner.skip(":"),
            let second = scanner.number(2),
            let time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        var fraction = 0.0
        if scanner.skip(".") {
            guard let read = scanner.fraction() else { return nil }
            fraction = read
        }
        guard let offset = scanner.zoneOffset(), scanner.isAtEnd else { return nil }
        return Date(timeIntervalSince1970: Double(time.secondsSinceEpoch - offset) + fraction)
    }

    /// More than any valid form needs, so that nobody spends time on a header of megabytes.
    private static let longest = 64

    private static func isWeekday(_ word: String) -> Bool {
        let prefix = word.prefix(3).lowercased()
        return weekdays.contains { $0.lowercased() == prefix }
    }

    private static func month(_ word: String) -> Int? {
        let word = word.lowercased()
        return months.firstIndex { $0.lowercased() == word }.map { $0 + 1 }
    }

    private static func date(day: String, month: Int, year: String, time: String) -> Date? {
        guard (1...2).contains(day.utf8.count), let day = plainNumber(day), let year = fullYear(year) else {
            return nil
        }
        var scanner = DigitScanner(time)
        guard let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2), scanner.skip(":"),
            let second = scanner.number(2), scanner.isAtEnd
        else { return nil }
        return date(CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second))
    }

    private static func fullYear(_ text: String) -> Int? {
        guard let number = plainNumber(text) else { return nil }
        switch text.utf8.count {
        case 4: return number
        case 2: return number + (number < 70 ? 2000 : 1900)
        default: return nil
        }
    }

    /// A number of digits alone: no sign, no blank.
    private static func plainNumber(_ text: String) -> Int? {
        var scanner = DigitScanner(text)
        guard let number = scanner.number(text.utf8.count), scanner.isAtEnd else { return nil }
        return number
    }

    private static func date(_ time: CivilTime?) -> Date? {
        time.map { Date(timeIntervalSince1970: Double($0.secondsSinceEpoch)) }
    }
}

/// Reads fixed-width decimal fields off the front of some text.
///
/// Over an array of bytes: a listing has a thousand dates, and a string finds each byte by its index.
private struct DigitScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { position == bytes.count }

    /// Exactly `width` digits, at most nine so that the number cannot overflow.
    mutating func number(_ width: Int) -> Int? {
        guard (1...9).contains(width) else { return nil }
        var value = 0
        for _ in 0..<width {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// One or more digits after the decimal point; what is finer than a nanosecond is dropped.
    mutating func fraction() -> Double? {
        var value = 0.0
        var unit = 0.1
        var count = 0
        while let digit = digit() {
            if count < 9 { value += Double(digit) * unit }
            unit /= 10
            count += 1
        }
        return count > 0 ? value : nil
    }

    /// Seconds east of UTC: `Z`, `+08:00`, `+0800` or `+08`.
    mutating func zoneOffset() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let sign: Int64
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = number(2), hours < 24 else { return nil }
        guard !isAtEnd else { return sign * Int64(hours) * 3600 }
        _ = skip(":")
        guard let minutes = number(2), minutes < 60 else { return nil }
        return sign * Int64(hours * 3600 + minutes * 60)
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard !isAtEnd, UInt32(bytes[position]) == character.value, character.isASCII else { return false }
        position += 1
        return true
    }

    private mutating func digit() -> Int? {
        guard !isAtEnd, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) else { return nil }
        defer { position += 1 }
        return Int(bytes[position] - UInt8(ascii: "0"))
    }
}
