import Foundation
import Testing

@testable import TransferHTTP

@Suite struct RetryAfterTests {
    private let now = Date(timeIntervalSince1970: 1_751_356_800)  // Tue, 01 Jul 2025 08:00:00 GMT

    @Test(
        arguments: [
            ("0", .zero), ("1", .seconds(1)), ("451", .seconds(451)),
            ("99999999999999999999999", .seconds(31_536_000)),
            ("Tue, 01 Jul 2025 08:00:03 GMT", .seconds(3)),
            ("Tue, 01 Jul 2025 07:59:00 GMT", nil), ("-5", nil), ("soon", nil), ("", nil), ("1.5", nil),
        ] as [(String, Duration?)])
    func reads(_ value: String, _ expected: Duration?) {
        #expect(RetryAfter.parse(value, now: now) == expected)
    }
}
