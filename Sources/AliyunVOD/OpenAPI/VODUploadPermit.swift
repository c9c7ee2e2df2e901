#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What the OpenAPI hands out for an upload. Holds temporary credentials: never prints them.
public struct VODUploadPermit: Sendable, Hashable {
    /// `RequestId`, for the service's support.
    public var requestId: String?
    /// `VideoId`; nil for an image.
    public var videoId: String?
    /// `ImageId`; nil for a video.
    public var imageId: String?
    /// `ImageURL`, the address of the image.
    public var imageUrl: String?
    /// `FileURL`, the address of its object at OSS.
    public var fileUrl: String?
    /// Endpoint, bucket and key, as the service encodes them.
    public var uploadAddress: String
    /// Temporary credentials, as the service encodes them. A secret.
    public var uploadAuth: String

    /// Nil unless both texts are there.
    init?(_ members: JSONMembers) {
        guard let address = members["UploadAddress"], let auth = members["UploadAuth"] else { return nil }
        uploadAddress = address
        uploadAuth = auth
        requestId = members["RequestId"]
        videoId = members["VideoId"]
        imageId = members["ImageId"]
        imageUrl = members["ImageURL"]
        fileUrl = members["FileURL"]
    }
}

extension VODUploadPermit: VODAuthAnswer {
    public func authAnswerJSON() throws -> Data {
        var members = ["UploadAddress": uploadAddress, "UploadAuth": uploadAuth]
        members["RequestId"] = requestId
        members["VideoId"] = videoId
        members["ImageId"] = imageId
        members["ImageURL"] = imageUrl
        members["FileURL"] = fileUrl
        return try JSONEncoder().encode(members)
    }
}

extension VODUploadPermit: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the medium, and nothing of the credentials.
    public var description: String { "VODUploadPermit(\(videoId ?? imageId ?? "?"))" }
    public var debugDescription: String { description }
    /// Without children, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
