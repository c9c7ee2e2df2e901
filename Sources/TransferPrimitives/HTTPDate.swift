#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Dates as they stand in HTTP headers, signatures, and answers of object stores. Always UTC.
///
/// Formatting never fails: a date outside the years 1...9999 is written as the nearest one inside.
package enum HTTPDate {
    /// `Tue, 01 Jul 2025 08:00:00 GMT`, the form of `Date` and `Last-Modified` (RFC 9110, section 5.6.7).
    package static func format(_ date: Date) -> String {
        let time = civil(date)
        var text = Array("\(weekdays[time.weekday]), ".utf8)
        text.reserveCapacity(32)
        text.append(time.day, 2, then: " ")
        text += months[time.month - 1].utf8
        text.append(UInt8(ascii: " "))
        text.append(time.year, 4, then: " ")
        text.append(time.hour, 2, then: ":")
        text.append(time.minute, 2, then: ":")
        text.append(time.second, 2, then: " ")
        text += "GMT".utf8
        return String(decoding: text, as: UTF8.self)
    }

    /// `20250701T080000Z`, the form of `x-tos-date`, `x-oss-date` and `x-amz-date` in V4 signatures.
    package static func formatCompact(_ date: Date) -> String {
        let time = civil(date)
        return "\(compactDay(time))T\(two(time.hour))\(two(time.minute))\(two(time.second))Z"
    }

    /// `20250701`, the day in the credential scope of V4 signatures.
    package static func formatCompactDay(_ date: Date) -> String { compactDay(civil(date)) }

    /// `2025-07-01T08:00:02Z`, or `2025-07-01T08:00:02.000Z` with milliseconds.
    package static func formatISO8601(_ date: Date, milliseconds: Bool = false) -> String {
        let scale: Int64 = milliseconds ? 1000 : 1
        let total = whole(milliseconds ? (date.timeIntervalSince1970 * 1000).rounded() : date.timeIntervalSince1970)
        let seconds = floorDivide(total, scale)
        let time = CivilTime(secondsSinceEpoch: seconds)
        let fraction = milliseconds ? ".\(three(Int(total - seconds * scale)))" : ""
        return "\(four(time.year))-\(two(time.month))-\(two(time.day))"
            + "T\(two(time.hour)):\(two(time.minute)):\(two(time.second))\(fraction)Z"
    }

    static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func civil(_ date: Date) -> CivilTime {
        CivilTime(secondsSinceEpoch: whole(date.timeIntervalSince1970))
    }

    /// The whole part, rounded down; far beyond any date, and for no number at all, a bound or zero.
    private static func whole(_ value: Double) -> Int64 {
        guard !value.isNaN else { return 0 }
        return Int64(min(max(value, -1e17), 1e17).rounded(.down))
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
    }

    private static func compactDay(_ time: CivilTime) -> String {
        "\(four(time.year))\(two(time.month))\(two(time.day))"
    }

    private static func two(_ number: Int) -> String { padded(number, 2) }
    private static func three(_ number: Int) -> String { padded(number, 3) }
    private static func four(_ number: Int) -> String { padded(number, 4) }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension [UInt8] {
    /// Adds a number of `width` digits and what stands behind it.
    fileprivate mutating func append(_ number: Int, _ width: Int, then separator: Unicode.Scalar) {
        var unit = 1
        for _ in 1..<width { unit *= 10 }
        while unit > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / unit % 10))
            unit /= 10
        }
        append(UInt8(ascii: separator))
    }
}
