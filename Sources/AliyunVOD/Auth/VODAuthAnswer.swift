#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What `getAuth` returns: the answer of the OpenAPI operation, unchanged. `Data`, `String` and
/// `[String: String]` are answers; `VODAuthDictionary` makes one of any other dictionary.
///
/// The keys that are read, in exactly this spelling: `UploadAddress`, `UploadAuth`, `VideoId` or `ImageId` and `ImageURL`,
/// `RequestId`; of a refusal `Code`, `Message`, `RequestId`.
public protocol VODAuthAnswer: Sendable {
    /// The answer as a JSON object.
    func authAnswerJSON() throws -> Data
}

extension Data: VODAuthAnswer {
    public func authAnswerJSON() -> Data { self }
}

extension String: VODAuthAnswer {
    public func authAnswerJSON() -> Data { Data(utf8) }
}

extension Dictionary: VODAuthAnswer where Key == String, Value == String {
    public func authAnswerJSON() throws -> Data { try JSONEncoder().encode(self) }
}

/// A dictionary of any values as an answer, such as `JSONSerialization` makes.
public struct VODAuthDictionary: VODAuthAnswer {
    /// Nil for a member that is something else.
    private let texts: [String: String?]

    /// Takes over the members that are texts or numbers: all of those that are read are. Of others the names, for messages.
    public init(_ members: [String: Any]) {
        texts = members.mapValues { value in
            switch value {
            case let text as String: text
            case let number as any BinaryInteger: "\(number)"
            case let number as any BinaryFloatingPoint: "\(number)"
            default: nil
            }
        }
    }

    public func authAnswerJSON() throws -> Data { try JSONEncoder().encode(texts) }
}
