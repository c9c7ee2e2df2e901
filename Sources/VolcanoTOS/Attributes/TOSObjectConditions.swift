#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What must be true of an object that is read, or the request fails with `.preconditionFailed`.
public struct TOSObjectConditions: Sendable, Hashable {
    /// The object has this ETag, with or without quotes.
    public var ifMatch: String?
    /// The object has another ETag.
    public var ifNoneMatch: String?
    /// The object was modified after this moment, in whole seconds.
    public var ifModifiedSince: Date?
    /// The object was not modified after this moment, in whole seconds.
    public var ifUnmodifiedSince: Date?

    /// Without any condition.
    public init() {}

    /// The conditions of a copy, put to its source directly.
    init(_ source: TOSCopySourceConditions) {
        ifMatch = source.copySourceIfMatch
        ifNoneMatch = source.copySourceIfNoneMatch
        ifModifiedSince = source.copySourceIfModifiedSince
        ifUnmodifiedSince = source.copySourceIfUnmodifiedSince
    }
}
