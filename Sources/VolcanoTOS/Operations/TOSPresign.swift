internal import S3Wire
internal import TransferCore
internal import TransferHTTP
internal import TransferService

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a presigned URL is for.
public enum TOSPresignedMethod: Sendable, Hashable, CaseIterable {
    /// Reads an object.
    case get
    /// Asks what an object is.
    case head
    /// Stores an object or, with `partNumber` and `uploadId` in the query, a part.
    case put
    /// Opens or completes a multipart upload, by the query.
    case post
    /// Removes an object or, with `uploadId` in the query, gives an upload up.
    case delete

    var http: HTTPMethod {
        switch self {
        case .get: .get
        case .head: .head
        case .put: .put
        case .post: .post
        case .delete: .delete
        }
    }
}

/// Makes a URL that holds its own signature, for somebody without credentials. TOS: spec section 5.2.
public struct TOSPreSignedURLInput: Sendable, Hashable {
    /// The method that the URL is signed for; it is good for no other.
    public var method: TOSPresignedMethod
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
    public var key: String
    /// Nil for the current version.
    public var versionID: String?
    /// Whole seconds until the URL expires, 1 to 604,800, a week. It expires earlier when temporary credentials do. 3,600
    /// by default.
    public var expires = 3600
    /// Headers that whoever uses the URL must send with these very values, such as `Content-Type` or `x-tos-acl`.
    public var headers: [String: String] = [:]
    /// Further parameters, such as `partNumber` and `uploadId`, or `response-content-type`.
    public var query: [String: String] = [:]

    /// Everything else is at its default. Values are checked when the operation is called.
    public init(_ method: TOSPresignedMethod, bucket: String, key: String, versionID: String? = nil) {
        self.method = method
        self.bucket = bucket
        self.key = key
        self.versionID = versionID
    }
}

/// A URL that holds its own signature.
public struct TOSPreSignedURLOutput: Sendable, Hashable {
    /// As good as a password until it expires: not for logs.
    public var url: String
    /// The method that the URL is signed for; it is good for no other.
    public var method: TOSPresignedMethod
    /// What must be sent with it, value by value.
    public var signedHeaders: [String: String]
    /// When it stops working.
    public var expiration: Date
}

extension TOSPreSignedURLOutput: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the URL and the headers, which may hold secrets.
    public var description: String { "TOSPreSignedURLOutput(\(method), good until \(expiration))" }

    public var debugDescription: String { description }

    /// Without children, so that `dump` and string interpolation of enclosing values show no secret.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension TOSClient {
    /// Makes a URL that holds its own signature. Nothing is sent, unless credentials must be fetched.
    ///
    /// - Throws: `TransferError`: `.invalidArgument` naming the field that cannot be, `.credentialsUnavailable`, `.disposed`;
    ///   `CancellationError` when the surrounding task was cancelled.
    public func preSignedURL(_ input: TOSPreSignedURLInput) async throws -> TOSPreSignedURLOutput {
        let object = try ObjectLocation(checkedBucket: input.bucket, key: input.key, versionID: input.versionID)
        let service = try liveService()
        let presigner = Presigner(dialect, at: rules.address, region: rules.region)
        do {
            let credentials = try await service.client.access.access().access.credentials
            let now = service.client.clock.now
            let url = try presigner.url(
                input.method.http, object, query: input.query, headers: input.headers, lifetime: input.expires,
                field: "expires", with: credentials, at: now)
            return TOSPreSignedURLOutput(
                url: url.text, method: input.method, signedHeaders: input.headers, expiration: url.expiration)
        } catch {
            throw FailureContext(operation: "preSignedURL", object: object).error(error, dialect)
        }
    }
}
