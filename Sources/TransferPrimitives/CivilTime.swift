/// A moment of the Gregorian calendar in UTC, to the second; arithmetic only, no locale, no time zone, no formatter.
struct CivilTime: Equatable {
    /// The years that four digits can name. Everything outside is refused or clamped, so nothing here can overflow.
    static let years = 1...9999

    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int

    /// Nil unless the fields name a moment that exists; second 60 is accepted as a leap second.
    init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard Self.years.contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The moment `seconds` after 1970-01-01T00:00:00Z, or the nearest one that four-digit years can name.
    init(secondsSinceEpoch seconds: Int64) {
        let seconds = min(max(seconds, Self.first), Self.last)
        // Days since 0001-01-01, never negative after the clamp.
        var days = Int((seconds - Self.first) / 86400)
        let time = Int((seconds - Self.first) % 86400)

        // 400, 100, 4 and 1 years at a time; the last century and the last year of their groups are a day longer.
        var year = 1 + 400 * (days / 146_097)
        days %= 146_097
        let centuries = min(days / 36_524, 3)
        year += 100 * centuries
        days -= 36_524 * centuries
        year += 4 * (days / 1_461)
        days %= 1_461
        let single = min(days / 365, 3)
        year += single
        days -= 365 * single

        var month = 1
        while days >= Self.days(inMonth: month, of: year) {
            days -= Self.days(inMonth: month, of: year)
            month += 1
        }
        self.year = year
        self.month = month
        self.day = days + 1
        self.hour = time / 3600
        self.minute = time / 60 % 60
        self.second = time % 60
    }

    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
    var secondsSinceEpoch: Int64 {
        let past = year - 1
        var days = 365 * past + past / 4 - past / 100 + past / 400
        for month in 1..<month { days += Self.days(inMonth: month, of: year) }
        days += day - 1
        return Self.first + Int64(days * 86400 + hour * 3600 + minute * 60 + second)
    }

    /// 0 for Monday.
    var weekday: Int {
        // 0001-01-01 was a Monday.
        Int((secondsSinceEpoch - Self.first) / 86400 % 7)
    }

    /// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
    private static let first: Int64 = -62_135_596_800
    private static let last: Int64 = 253_402_300_799

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
