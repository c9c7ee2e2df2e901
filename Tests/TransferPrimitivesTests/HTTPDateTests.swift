import Foundation
import Testing

@testable import TransferPrimitives

@Suite struct HTTPDateTests {
    private let eight = Date(timeIntervalSince1970: 1_751_356_800)  // 2025-07-01T08:00:00Z
    private let rfcExample = Date(timeIntervalSince1970: 784_111_777)  // the moment all examples of RFC 9110 show

    @Test func formats() {
        #expect(HTTPDate.format(eight) == "Tue, 01 Jul 2025 08:00:00 GMT")
        #expect(HTTPDate.format(rfcExample) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.formatCompact(eight) == "20250701T080000Z")
        #expect(HTTPDate.formatCompactDay(eight) == "20250701")
        #expect(HTTPDate.formatISO8601(eight) == "2025-07-01T08:00:00Z")
        #expect(HTTPDate.formatISO8601(eight.addingTimeInterval(2), milliseconds: true) == "2025-07-01T08:00:02.000Z")
        #expect(
            HTTPDate.formatISO8601(eight.addingTimeInterval(2.345), milliseconds: true) == "2025-07-01T08:00:02.345Z")
    }

    @Test func formatsBeforeTheEpoch() {
        #expect(HTTPDate.formatISO8601(Date(timeIntervalSince1970: -0.25)) == "1969-12-31T23:59:59Z")
        #expect(
            HTTPDate.formatISO8601(Date(timeIntervalSince1970: -0.25), milliseconds: true) == "1969-12-31T23:59:59.750Z"
        )
        #expect(HTTPDate.format(Date(timeIntervalSince1970: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
    }

    @Test func roundingUpMillisecondsCarriesIntoTheSecond() {
        let date = Date(timeIntervalSince1970: 1_751_356_799.9996)
        #expect(HTTPDate.formatISO8601(date, milliseconds: true) == "2025-07-01T08:00:00.000Z")
    }

    @Test(arguments: [Double.infinity, -Double.infinity, Double.nan, 1e300, -1e300, 1e18, -1e18])
    func formattingNeverTraps(seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        let bounds =
            seconds.isNaN ? "1970-01-01T00:00:00Z" : seconds > 0 ? "9999-12-31T23:59:59Z" : "0001-01-01T00:00:00Z"
        #expect(HTTPDate.formatISO8601(date) == bounds)
        #expect(HTTPDate.format(date).hasSuffix(" GMT"))
        #expect(HTTPDate.formatCompact(date).utf8.count == 16)
        #expect(HTTPDate.formatISO8601(date, milliseconds: true).utf8.count == 24)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "sun, 6 NOV 1994 08:49:37 gmt",
        "06 Nov 1994 08:49:37 GMT",
        "  Mon ,  06  Nov  1994   08:49:37  UTC ",
        "Sun, 06-Nov-1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 +0000",
        "Sun Nov 06 08:49:37 1994",
    ])
    func readsEveryForm(text: String) { #expect(HTTPDate.parse(text) == rfcExample) }

    @Test(arguments: [
        "", " ", ",", "GMT", "soon", "-5", "0", "Sun", "Sun,", "Sun, 06 Nov 1994", "06-11-1994",
        "Sun, 06 Nov 999999999 08:49:37 GMT", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
        "Sun, 99999999999999999999 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2025 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 PST",
        "Sun, 06 Nov 1994 08:49:37 -0800", "Sun, 06 Nov 1994 08:49:37", "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov -994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 November 1994 08:49:37 GMT", "Sun, 06--Nov-94 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
        "\u{0}", "Sun, 06 Nov 1994 08:49:37 GMT\u{0}", "Tue, 01 Jul 2025 08:00:00.5 GMT",
    ])
    func refusesNonsense(text: String) { #expect(HTTPDate.parse(text) == nil) }

    @Test func refusesEndlessText() {
        #expect(HTTPDate.parse(String(repeating: " ", count: 1_000_000) + "Sun, 06 Nov 1994 08:49:37 GMT") == nil)
        #expect(HTTPDate.parseISO8601("2025-07-01T08:00:02." + String(repeating: "0", count: 1_000_000) + "Z") == nil)
    }

    @Test func yearsOfTwoDigits() {
        #expect(HTTPDate.parse("Thursday, 01-Jan-70 00:00:00 GMT") == Date(timeIntervalSince1970: 0))
        #expect(HTTPDate.parse("Tuesday, 31-Dec-69 00:00:00 GMT").map(HTTPDate.formatCompactDay) == "20691231")
    }

    @Test func readsLeapSecondsAndDays() {
        #expect(
            HTTPDate.parse("Sat, 31 Dec 2016 23:59:60 GMT").map { HTTPDate.formatISO8601($0) } == "2017-01-01T00:00:00Z"
        )
        #expect(HTTPDate.parse("Tue, 29 Feb 2000 00:00:00 GMT") == Date(timeIntervalSince1970: 951_782_400))
        #expect(HTTPDate.parse("Thu, 29 Feb 2024 00:00:00 GMT") == Date(timeIntervalSince1970: 1_709_164_800))
    }

    @Test func readsTheCompactForm() {
        #expect(HTTPDate.parseCompact("20250701T080000Z") == eight)
        for text in [
            "", "20250701", "20250701T080000", "20250701t080000z", "2025-701T080000Z", "20251301T080000Z",
            "20250732T080000Z", "99999999T999999Z", "20250701T080000ZZ", "2025070ÄT08000Z", "00000701T080000Z",
        ] {
            #expect(HTTPDate.parseCompact(text) == nil, "\(text)")
        }
    }

    @Test func readsISO8601() {
        #expect(HTTPDate.parseISO8601("2025-07-01T08:00:00Z") == eight)
        #expect(HTTPDate.parseISO8601("2025-07-01T08:00:02.000Z") == eight.addingTimeInterval(2))
        #expect(HTTPDate.parseISO8601("2025-07-01T08:00:02.5Z") == eight.addingTimeInterval(2.5))
        #expect(HTTPDate.parseISO8601("2025-07-01T16:00:00+08:00") == eight)
        #expect(HTTPDate.parseISO8601("2025-07-01T16:00:00+0800") == eight)
        #expect(HTTPDate.parseISO8601("2025-07-01T00:30:00-07:30") == eight)
        #expect(HTTPDate.parseISO8601("2025-07-01t08:00:00z") == eight)
        let nano = HTTPDate.parseISO8601("2025-07-01T08:00:00.12345678901234Z")
        #expect(abs((nano ?? .distantPast).timeIntervalSince(eight) - 0.123456789) < 1e-6)
    }

    @Test(arguments: [
        "", "2025", "2025-07-01", "2025-07-01T08:00:02", "2025-07-01T08:00Z", "2025-07-01T08:00:02.Z",
        "2025-07-01T08:00:02,5Z", "2025-02-29T08:00:02Z", "999999999-07-01T08:00:02Z", "0000-07-01T08:00:02Z",
        "2025-07-01T24:00:02Z", "2025-07-01T08:00:02+24:00", "2025-07-01T08:00:02+08:", "2025-07-01T08:00:02Zjunk",
        "-025-07-01T08:00:02Z", "2025-00-01T08:00:02Z", "3600",
    ])
    func refusesNonsenseAsISO8601(text: String) { #expect(HTTPDate.parseISO8601(text) == nil) }

    /// Every day of 401 years, against a calendar that just counts.
    @Test func civilCalendarCountsEveryDay() {
        var year = 1899
        var month = 1
        var day = 1
        var wrong = 0
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        // 1899-01-01 was a Sunday.
        for index in 0..<146_500 {
            let seconds = Int64(index - 25_932) * 86400 + 86399
            let time = CivilTime(secondsSinceEpoch: seconds)
            if time != CivilTime(year: year, month: month, day: day, hour: 23, minute: 59, second: 59) { wrong += 1 }
            if time.secondsSinceEpoch != seconds { wrong += 1 }
            if time.weekday != (index + 6) % 7 { wrong += 1 }
            let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
            day += 1
            if day > lengths[month - 1] + (month == 2 && isLeap ? 1 : 0) {
                day = 1
                month += 1
            }
            if month > 12 {
                month = 1
                year += 1
            }
        }
        #expect(wrong == 0)
    }

    @Test func civilCalendarAtItsEdges() {
        for (seconds, text) in [
            (-62_135_596_800, "0001-01-01T00:00:00Z"), (-62_135_596_801, "0001-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, "9999-12-31T23:59:59Z"),
            (-2_208_988_800, "1900-01-01T00:00:00Z"), (4_102_444_799, "2099-12-31T23:59:59Z"),
            (13_574_563_200, "2400-02-29T00:00:00Z"), (951_868_799, "2000-02-29T23:59:59Z"),
        ] {
            #expect(HTTPDate.formatISO8601(Date(timeIntervalSince1970: Double(seconds))) == text)
        }
        #expect(CivilTime(secondsSinceEpoch: .min).year == 1)
        #expect(CivilTime(secondsSinceEpoch: .max).year == 9999)
    }

    @Test func whatIsWrittenIsRead() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let seconds = Double(Int64.random(in: -62_135_596_800...253_402_300_799, using: &random))
            let date = Date(timeIntervalSince1970: seconds)
            #expect(HTTPDate.parse(HTTPDate.format(date)) == date)
            #expect(HTTPDate.parseCompact(HTTPDate.formatCompact(date)) == date)
            #expect(HTTPDate.parseISO8601(HTTPDate.formatISO8601(date)) == date)
            #expect(HTTPDate.parseISO8601(HTTPDate.formatISO8601(date, milliseconds: true)) == date)
        }
    }
}
