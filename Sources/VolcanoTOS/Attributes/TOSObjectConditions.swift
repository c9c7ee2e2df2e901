internal import S3Wire

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
}

extension TOSObjectConditions {
    var wire: ObjectConditions {
        ObjectConditions(
            ifMatch: ifMatch, ifNoneMatch: ifNoneMatch, ifModifiedSince: ifModifiedSince,
            ifUnmodifiedSince: ifUnmodifiedSince)
    }
}
