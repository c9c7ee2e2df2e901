internal import S3Wire
public import TransferCore
internal import TransferHTTP
internal import TransferService

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a presigned URL is for.
public enum S3PresignedMethod: String, Sendable, Hashable, CaseIterable {
    /// Reads an object.
    case get = "GET"
    /// Asks what an object is.
    case head = "HEAD"
    /// Stores an object or, with `partNumber` and `uploadId` in the query, a part.
    case put = "PUT"
    /// Removes an object.
    case delete = "DELETE"

    fileprivate var http: HTTPMethod {
        switch self {
        case .get: .get
        case .head: .head
        case .put: .put
        case .delete: .delete
        }
    }
}

/// A URL that holds its own signature.
public struct S3PresignedURL: Sendable, Hashable {
    /// As good as a password until it expires: not for logs.
    public var url: String
    /// What must be sent with it, value by value.
    public var signedHeaders: [String: String]
    /// When it stops working.
    public var expiration: Date
}

extension S3PresignedURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the URL and the headers, which may hold secrets.
    public var description: String { "S3PresignedURL(good until \(expiration))" }

    public var debugDescription: String { description }

    /// Without children, so that `dump` and string interpolation of enclosing values show no secret.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension S3Client {
    /// Makes a URL that holds its own signature, for somebody without credentials. Nothing is sent, unless credentials must be
    /// fetched. S3: "Authenticating requests: using query parameters".
    ///
    /// - Parameters:
    ///   - method: The method that the URL is signed for; it is good for no other.
    ///   - object: Which object, perhaps one version of it.
    ///   - lifetime: Whole seconds until the URL expires, 1 to 604,800, a week. It expires earlier when temporary credentials
    ///     do.
    ///   - headers: What whoever uses the URL must send with these very values.
    ///   - query: Further parameters, such as `response-content-type`.
    /// - Throws: `TransferError`: `.invalidArgument` naming the field that cannot be, `.credentialsUnavailable`, `.disposed`;
    ///   `CancellationError` when the surrounding task was cancelled.
    public func presignedURL(
        _ method: S3PresignedMethod, for object: ObjectLocation, lifetime: Int = 3600, headers: [String: String] = [:],
        query: [String: String] = [:]
    ) async throws -> S3PresignedURL {
        let object = try ObjectLocation(checked: object, dialect.buckets)
        let service = try liveService()
        do {
            let credentials = try await service.client.access.access().access.credentials
            let url = try Presigner(dialect, at: rules.address, region: rules.region).url(
                method.http, object, query: query, headers: headers, lifetime: lifetime, field: "lifetime",
                with: credentials, at: service.client.clock.now)
            return S3PresignedURL(url: url.text, signedHeaders: headers, expiration: url.expiration)
        } catch {
            throw FailureContext(operation: "presign", object: object).error(error, dialect)
        }
    }
}
