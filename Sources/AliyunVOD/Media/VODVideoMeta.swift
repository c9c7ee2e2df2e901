internal import TransferCore

/// What a video is to carry, in the words of the upload SDKs. Everything is optional (VOD: CreateUploadVideo).
public struct VODVideoMeta: Sendable, Hashable, Codable {
    /// `Title`, at most 128 characters. The OpenAPI requires one; `VODGetAuth.openAPI` takes the file's name, without its
    /// extension, where there is none here.
    public var title: String?
    /// `Description`, at most 1,024 characters.
    public var desc: String?
    /// `CoverURL`.
    public var coverUrl: String?
    /// `CateId`, the category.
    public var cateId: Int64?
    /// `Tags`, separated by commas: at most 16, of at most 32 characters each.
    public var tags: String?
    /// `UserData`, a text of JSON that is passed on byte for byte. With `{"Type":"oss","Domain":"oss-accelerate.aliyuncs.com"}`
    /// the service hands out its acceleration endpoint, which is then used as it is.
    public var userData: String?
    /// `StorageLocation`, the host of a storage bucket.
    public var storageLocation: String?
    /// `TemplateGroupId`, the group of transcoding templates.
    public var templateGroupId: String?
    /// `WorkflowId`; wins over `templateGroupId`.
    public var workflowId: String?
    /// `AppId`.
    public var appId: String?

    /// Fields that are left out are left to `getAuth`, and then to the service. Values are checked when the upload
    /// begins.
    public init(
        title: String? = nil, desc: String? = nil, coverUrl: String? = nil, cateId: Int64? = nil, tags: String? = nil,
        userData: String? = nil, storageLocation: String? = nil, templateGroupId: String? = nil,
        workflowId: String? = nil, appId: String? = nil
    ) {
        self.title = title
        self.desc = desc
        self.coverUrl = coverUrl
        self.cateId = cateId
        self.tags = tags
        self.userData = userData
        self.storageLocation = storageLocation
        self.templateGroupId = templateGroupId
        self.workflowId = workflowId
        self.appId = appId
    }

    /// Throws `.invalidArgument` naming the field.
    func check() throws(TransferError) {
        try MetaRules.check(title: title, field: "videoMeta.title")
        try MetaRules.check(description: desc, field: "videoMeta.desc")
        try MetaRules.check(tags: tags, field: "videoMeta.tags")
    }
}
