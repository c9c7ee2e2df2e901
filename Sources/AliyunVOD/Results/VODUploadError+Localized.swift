#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension VODUploadError: LocalizedError {
    /// The same as `description`, so that `localizedDescription` says it, too. Not translated.
    public var errorDescription: String? { description }
}
