import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// The wait that `value` asks for, a number of seconds or a date; nil for anything else and for the past.
    static func parse(_ value: String, now: Date) -> Duration? {
        if value.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) {
            // More digits than an Int holds mean "very long"; the caller's cap decides.
            return value.isEmpty ? nil : .seconds(min(Int(value) ?? .max, longest))
        }
        guard let date = HTTPDate.parse(value) else { return nil }
        let seconds = date.timeIntervalSince(now)
        return seconds > 0 ? .seconds(min(seconds, Double(longest))) : nil
    }

    /// A year: longer than any cap, short enough for arithmetic.
    private static let longest = 31_536_000
}
