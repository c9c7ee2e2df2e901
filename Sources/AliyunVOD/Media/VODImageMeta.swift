internal import TransferCore

/// What an image is to carry. Everything is optional (VOD: CreateUploadImage).
public struct VODImageMeta: Sendable, Hashable, Codable {
    /// `ImageType`: `default` or `cover`. `VODGetAuth.openAPI` sends `default` where there is none here.
    public var imageType: String?
    /// `ImageExt`: `png`, `jpg`, `jpeg`, `gif`, `heic` or `webp`. `VODGetAuth.openAPI` takes the file's extension where there is
    /// none here.
    public var imageExt: String?
    /// `Title`, at most 128 characters.
    public var title: String?
    /// `Description`, at most 1,024 characters.
    public var desc: String?
    /// `Tags`, separated by commas: at most 16, of at most 32 characters each.
    public var tags: String?
    /// `CateId`, the category.
    public var cateId: Int64?
    /// `UserData`, a text of JSON that is passed on byte for byte.
    public var userData: String?
    /// `StorageLocation`, the host of a storage bucket.
    public var storageLocation: String?
    /// `AppId`.
    public var appId: String?

    /// Fields that are left out are left to `getAuth`, and then to the service. Values are checked when the upload
    /// begins.
    public init(
        imageType: String? = nil, imageExt: String? = nil, title: String? = nil, desc: String? = nil,
        tags: String? = nil, cateId: Int64? = nil, userData: String? = nil, storageLocation: String? = nil,
        appId: String? = nil
    ) {
        self.imageType = imageType
        self.imageExt = imageExt
        self.title = title
        self.desc = desc
        self.tags = tags
        self.cateId = cateId
        self.userData = userData
        self.storageLocation = storageLocation
        self.appId = appId
    }

    /// Throws `.invalidArgument` naming the field.
    func check() throws(TransferError) {
        try MetaRules.check(title: title, field: "imageMeta.title")
        try MetaRules.check(description: desc, field: "imageMeta.desc")
        try MetaRules.check(tags: tags, field: "imageMeta.tags")
    }
}
