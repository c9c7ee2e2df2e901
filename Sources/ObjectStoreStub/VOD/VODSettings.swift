/// How the VOD service of the server behaves. A change acts on the calls after it.
public struct VODSettings: Sendable, Hashable {
    /// How long the keys in an `UploadAuth` are good by the server's clock. Default: 3,000 s (VOD: upload URLs and
    /// credentials). Zero or less hands out keys that have run out.
    public var tokenLife: Duration = .seconds(3_000)
    /// The bucket that media go to unless a call names a `StorageLocation`; created when it is missing. Default:
    /// `vod-bucket`.
    public var bucket = "vod-bucket"
    /// Whether RefreshUploadVideo gives the keys of the video once more while they are good, as the service may do.
    /// Default: false, new keys every time.
    public var refreshRepeatsToken = false
    /// The bucket to which RefreshUploadVideo moves a video; created when it is missing. Default: nil, it stays.
    public var refreshedBucket: String?
    /// The endpoint that RefreshUploadVideo gives from now on. Default: nil, that of the creation.
    public var refreshedEndpoint: String?
    /// The endpoint for media whose `UserData` asks for acceleration. Default: nil, the server under the name
    /// `localhost`, which tells it apart from the usual address.
    public var accelerateEndpoint: String?

    /// Everything at its default.
    public init() {}
}
