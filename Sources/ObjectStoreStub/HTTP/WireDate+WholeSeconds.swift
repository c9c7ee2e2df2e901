#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `2025-07-01T08:00:02Z`, the form of the OpenAPI.
extension WireDate {
    static func wholeSeconds(_ date: Date) -> String {
        document(date).prefix { $0 != "." } + "Z"
    }

    static func parseWholeSeconds(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":")
        else { return nil }
        return parseCompact(text.filter { $0 != "-" && $0 != ":" })
    }
}
