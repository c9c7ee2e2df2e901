internal import S3Wire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What must be true of a copy's source, or the copy fails with `.preconditionFailed`.
public struct TOSCopySourceConditions: Sendable, Hashable {
    /// The source has this ETag, with or without quotes.
    public var copySourceIfMatch: String?
    /// The source has another ETag.
    public var copySourceIfNoneMatch: String?
    /// The source was modified after this moment, in whole seconds.
    public var copySourceIfModifiedSince: Date?
    /// The source was not modified after this moment, in whole seconds.
    public var copySourceIfUnmodifiedSince: Date?

    /// Without any condition.
    public init() {}
}

extension TOSCopySourceConditions {
    var wire: ObjectConditions {
        ObjectConditions(
            ifMatch: copySourceIfMatch, ifNoneMatch: copySourceIfNoneMatch, ifModifiedSince: copySourceIfModifiedSince,
            ifUnmodifiedSince: copySourceIfUnmodifiedSince)
    }
}
