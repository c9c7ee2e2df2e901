#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What must be true of an object that is read, or of a copy's source.
package struct ObjectConditions: Sendable, Hashable {
    /// With or without quotes.
    package var ifMatch: String?
    package var ifNoneMatch: String?
    package var ifModifiedSince: Date?
    package var ifUnmodifiedSince: Date?

    package init(
        ifMatch: String? = nil, ifNoneMatch: String? = nil, ifModifiedSince: Date? = nil, ifUnmodifiedSince: Date? = nil
    ) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
        self.ifModifiedSince = ifModifiedSince
        self.ifUnmodifiedSince = ifUnmodifiedSince
    }
}
