internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a presigned URL is for.
public enum OSSPresignedMethod: Sendable, Hashable, CaseIterable {
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

/// Makes a URL that holds its own signature, for somebody without credentials. OSS: "Add signatures to a URL".
public struct OSSPresignInput: Sendable, Hashable {
    /// The method that the URL is signed for; it is good for no other.
    public var method: OSSPresignedMethod
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,023 bytes of UTF-8 that begin with neither `/` nor `\`.
    public var key: String
    /// Nil for the current version.
    public var versionID: String?
    /// Whole seconds until the URL expires, at least 1, and with V4 at most 604,800, a week. It expires earlier when
    /// temporary credentials do. 900 by default.
    public var expires = 900
    /// Nil for the client's.
    public var signature: OSSSignatureVersion?
    /// Headers that whoever uses the URL must send with these very values: `Content-Type`, `Content-MD5`, OSS's own, and
    /// with V4 any other.
    public var headers: [String: String] = [:]
    /// Further parameters, such as `partNumber` and `uploadId`.
    public var query: [String: String] = [:]
    /// What the answer to a GET is to say in place of what is stored.
    public var overrides = OSSResponseOverrides()

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(_ method: OSSPresignedMethod, bucket: String, key: String, versionID: String? = nil) {
        self.method = method
        self.bucket = bucket
        self.key = key
        self.versionID = versionID
    }
}

/// A URL that holds its own signature.
public struct OSSPresignOutput: Sendable, Hashable {
    /// As good as a password until it expires: not for logs.
    public var url: String
    /// The method that the URL is signed for; it is good for no other.
    public var method: OSSPresignedMethod
    /// What must be sent with it, value by value.
    public var signedHeaders: [String: String]
    /// When it stops working.
    public var expiration: Date
}

extension OSSPresignOutput: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the URL and the headers, which may hold secrets.
    public var description: String { "OSSPresignOutput(\(method), good until \(expiration))" }

    public var debugDescription: String { description }

    /// Without children, so that `dump` and string interpolation of enclosing values show no secret.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension OSSClient {
    /// Makes a URL that holds its own signature. Nothing is sent, unless credentials must be fetched.
    ///
    /// - Throws: `TransferError`: `.invalidArgument` naming the field that cannot be, `.credentialsUnavailable`, `.disposed`;
    ///   `CancellationError` when the surrounding task was cancelled.
    public func presign(_ input: OSSPresignInput) async throws -> OSSPresignOutput {
        let object = try ObjectLocation(checkedBucket: input.bucket, key: input.key, versionID: input.versionID)
        let service = try liveService()
        do {
            let access = try await service.client.access.access().access
            let presigner = Presigner(
                address: service.address, region: rules.region, signature: configuration.signature,
                additionalHeaders: configuration.additionalSignedHeaders)
            return try presigner.presign(input, object, access, at: service.client.clock.now)
        } catch {
            throw FailureContext(operation: "presign", object: object).error(error)
        }
    }
}
