#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An object operation with its parameters, read from whichever dialect.
struct ServiceCall: Sendable {
    struct CopySource: Sendable {
        var bucket: String
        var key: String
        var versionID: String?
        var range: RequestedRange?
        var conditions = Conditions()
        var customerKeyMD5: String?
        /// The headers as they came, for the log.
        var text = ""
        var rangeText: String?
    }

    struct PartReference: Sendable {
        var number: Int
        var etag: String
    }

    /// Where a listing starts and how long it may be.
    struct Page: Sendable {
        var limit: Int?
        var prefix = ""
        var delimiter = ""
        var keyMarker = ""
        var uploadIDMarker = ""
        var partNumberMarker = 0
        var encodesKeys = false
    }

    enum Directive: Sendable { case copy, replace }

    var operation: StoreOperation
    var bucket: String
    var key = ""
    var versionID: String?
    var uploadID = ""
    var partNumber: Int?
    var attributes = ObjectAttributes()
    var metadataDirective = Directive.copy
    var taggingDirective = Directive.copy
    var copySource: CopySource?
    var range: RequestedRange?
    /// Whether a range is to be read by the rules of HTTP where the service has others.
    var wantsStandardRanges = false
    var conditions = Conditions()
    var forbidsOverwrite = false
    var customerKeyMD5: String?
    var contentMD5: [UInt8]?
    var contentSHA256: [UInt8]?
    /// What else the request says of the bytes that it brings, by the names of S3, once it has been compared.
    var checksums: [(name: String, value: String)] = []
    var completesAll = false
    var parts: [PartReference] = []
    var page = Page()
    /// Response header overrides of a GET.
    var overrides: [WireAnswer.Field] = []
}

/// A byte range as asked for: `a-b`, `a-` or `-n`.
enum RequestedRange: Sendable, Equatable {
    case within(UInt64, UInt64)
    case from(UInt64)
    case last(UInt64)

    /// Reads `bytes=…` with exactly one range.
    init?(_ text: String) {
        guard text.hasPrefix("bytes=") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        switch (UInt64(ends[0]), UInt64(ends[1])) {
        case (let first?, let last?) where first <= last: self = .within(first, last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first)
        case (nil, let count?) where ends[0].isEmpty: self = .last(count)
        default: return nil
        }
    }

    /// The bytes it means of an object, cut at the object's end as a GET does; nil when it lies outside.
    func resolved(in length: UInt64) -> Range<UInt64>? {
        switch self {
        case .within(let first, let last): first < length ? first..<(min(last, length - 1) + 1) : nil
        case .from(let first): first < length ? first..<length : nil
        case .last(let count): count > 0 && length > 0 ? (length - min(count, length))..<length : nil
        }
    }

    /// The same for a copy source, where a last byte beyond the end is refused rather than cut.
    func resolvedStrictly(in length: UInt64) -> Range<UInt64>? {
        if case .within(_, let last) = self, last >= length { return nil }
        return resolved(in: length)
    }
}

/// The four conditions of a request, on the object itself or on a copy source.
struct Conditions: Sendable {
    var ifMatch: String?
    var ifNoneMatch: String?
    var ifModifiedSince: Date?
    var ifUnmodifiedSince: Date?

    enum Verdict { case holds, preconditionFailed, notModified }

    func verdict(etag: String, lastModified: Date) -> Verdict {
        let modified = lastModified.timeIntervalSince1970.rounded(.down)
        if let ifMatch {
            if !Self.matches(ifMatch, etag) { return .preconditionFailed }
        } else if let ifUnmodifiedSince, modified > ifUnmodifiedSince.timeIntervalSince1970 {
            return .preconditionFailed
        }
        if let ifNoneMatch {
            if Self.matches(ifNoneMatch, etag) { return .notModified }
        } else if let ifModifiedSince, modified <= ifModifiedSince.timeIntervalSince1970 {
            return .notModified
        }
        return .holds
    }

    /// Whether a list of ETags, with or without quotes, names `etag`.
    private static func matches(_ list: String, _ etag: String) -> Bool {
        list.split(separator: ",").contains { item in
            let name = item.filter { $0 != " " && $0 != "\"" }
            return name == "*" || name == etag
        }
    }
}
