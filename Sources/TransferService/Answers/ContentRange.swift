package import TransferCore

/// `bytes first-last/size` (RFC 9110, section 14.4).
package struct ContentRange: Hashable {
    package let first: UInt64
    package let last: UInt64
    /// Nil when the service does not tell.
    package let size: UInt64?

    package init?(_ header: String?) {
        guard let header, header.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = header.dropFirst("bytes ".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = UInt64(ends[0]), let last = UInt64(ends[1]), first <= last else {
            return nil
        }
        self.first = first
        self.last = last
        size = UInt64(parts[1])
    }

    /// Whether this is all of `range` that there is: it ends where `range` does, or where the object does. Where the size is
    /// not told, any end within `range` may be the object's.
    package func reaches(_ range: ByteRange) -> Bool {
        guard last < range.end else { return false }
        guard let size else { return true }
        let end = min(range.end, size)
        return last < end && end - last == 1
    }
}
