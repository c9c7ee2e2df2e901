#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The three date forms of the wire, computed here rather than with the client's code. All are in UTC.
enum WireDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// `Tue, 01 Jul 2025 08:00:00 GMT`
    static func header(_ date: Date) -> String {
        let c = Components(date)
        let day = weekdays[Int((c.dayNumber % 7 + 11) % 7)]
        return "\(day), \(pad(c.day)) \(months[Int(c.month) - 1]) \(pad(c.year, 4)) "
            + "\(pad(c.hour)):\(pad(c.minute)):\(pad(c.second)) GMT"
    }

    /// `20250701T080000Z`
    static func compact(_ date: Date) -> String {
        let c = Components(date)
        return "\(pad(c.year, 4))\(pad(c.month))\(pad(c.day))T\(pad(c.hour))\(pad(c.minute))\(pad(c.second))Z"
    }

    /// `2025-07-01T08:00:02.000Z`
    static func document(_ date: Date) -> String {
        let c = Components(date)
        return "\(pad(c.year, 4))-\(pad(c.month))-\(pad(c.day))T\(pad(c.hour)):\(pad(c.minute)):\(pad(c.second))"
            + ".\(pad(c.millisecond, 3))Z"
    }

    /// The same of the second in which `date` lies: some clients read no other fraction than `.000`.
    static func documentToTheSecond(_ date: Date) -> String {
        document(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
    }

    static func parseHeader(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", words[0].last == ",", let day = Int64(words[1]),
            let month = months.firstIndex(of: String(words[2])), let year = Int64(words[3])
        else { return nil }
        let time = words[4].split(separator: ":").map { Int64($0) }
        guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2] else { return nil }
        return date(year, Int64(month) + 1, day, hour, minute, second)
    }

    static func parseCompact(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            let digits = bytes[range]
            guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return Int64(String(decoding: digits, as: UTF8.self))
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
            let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15)
        else { return nil }
        return date(year, month, day, hour, minute, second)
    }

    private static func date(
        _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64, _ minute: Int64, _ second: Int64
    ) -> Date? {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        // Days since 1970, with years that begin in March so that the leap day is the last of its year.
        let y = month <= 2 ? year - 1 : year
        let era = y / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3_600 + minute * 60 + second))
    }

    private static func pad(_ number: Int64, _ width: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    private struct Components {
        let year, month, day, hour, minute, second, millisecond, dayNumber: Int64

        init(_ date: Date) {
            // Years 1 to 9999, so that a clock from outside cannot leave what the formats can say.
            let seconds = min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799)
            let milliseconds = Int64((seconds * 1_000).rounded(.down))
            dayNumber = Int64((Double(milliseconds) / 86_400_000).rounded(.down))
            let rest = milliseconds - dayNumber * 86_400_000
            millisecond = rest % 1_000
            second = rest / 1_000 % 60
            minute = rest / 60_000 % 60
            hour = rest / 3_600_000
            let shifted = dayNumber + 719_468
            let era = shifted / 146_097
            let dayOfEra = shifted - era * 146_097
            let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let shiftedMonth = (5 * dayOfYear + 2) / 153
            day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
            month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
            year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        }
    }
}
