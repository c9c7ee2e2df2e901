public import AliyunOSS
public import TransferCore
public import TransferCurl

/// How a `VODUploader` works. Plain values, checked by `VODUploader.init(_:)`.
///
///     var config = VODUploadConfig { context in
///         // The application's own backend calls CreateUploadVideo and so on, and passes the answer on as it is.
///         try await backend.post("/vod/\(context.kind.rawValue)", body: context.json())
///     }
///     config.parallel = 8
public struct VODUploadConfig: Sendable {
    /// Where credentials come from. Asked once when an upload begins, and again when its credentials end.
    public var getAuth: VODGetAuth
    /// The longest that connecting may take, and the longest silence while a request is under way; never a limit on a whole
    /// transfer. Above zero; 60 s by default.
    public var timeout: Duration = .seconds(60)
    /// Repeats of a request that failed for a passing reason, each part counted by itself. 0 or more; 2 by default.
    public var maxRetryCount = 2
    /// How requests to OSS are signed. `.v4` by default.
    public var signature = OSSSignatureVersion.v4
    /// Whether unfinished uploads of videos are recorded, so that a later call for the same file goes on. True by default.
    public var checkpoint = true
    /// The directory for those records; created when it is missing. Nil, the default, for one in the user's cache.
    public var checkpointDirectory: String?
    /// A store of your own for those records, in place of a directory.
    public var checkpointStore: (any CheckpointStore)?
    /// Whether a resumed upload reads the stored parts again, locally, and sends those that differ. True by default. Where
    /// the file has moved since it was recorded, they are read again in any case.
    public var checksLocalParts = true
    /// Bytes of every part but the last, 102,400 to 5 GiB. Nil, the default, and 0 mean 1 MiB, or more where the file would
    /// otherwise need over 10,000 parts. A file of up to this size goes by one request. An upload that is resumed goes on
    /// with the size it began with.
    public var partSize: Int?
    /// Parts of a file that are sent at once, 1 to 1,000. 4 by default.
    public var parallel = 4
    /// The region to sign for where the credentials do not name one. `cn-shanghai` by default; see `VODRegion.known`.
    public var region = VODRegion.default
    /// The longest that one call of `getAuth` may take. Above zero; 60 s by default.
    public var authTimeout: Duration = .seconds(60)
    /// Whether `reporter` is told how uploads went. True by default.
    public var reportEnabled = true
    /// Who is told how uploads went. By default a summary in memory: nothing leaves the machine.
    public var reporter: any TransferReporter = TransferSummaryReporter()
    /// Which certificates OSS may be vouched for by; `.file(path)` for a CA file. The system's by default.
    public var certificateAuthority: CertificateAuthority = .system
    /// Whether requests go through a proxy. As the environment says by default.
    public var proxy: TransportProxy = .environment
    /// The most connections of all uploads together. Nil, the default, takes what the limit on open files leaves.
    public var maxConnections: Int?

    /// Everything else is at its default. Values are checked by `VODUploader.init(_:)`.
    public init(getAuth: VODGetAuth) { self.getAuth = getAuth }

    /// With an async closure.
    ///
    /// - Parameter getAuth: Returns the answer of the OpenAPI operation that `context.kind` names, unchanged: `Data`, `String`
    ///   or a dictionary.
    public init(getAuth: @escaping @Sendable (_ context: VODAuthContext) async throws -> any VODAuthAnswer) {
        self.getAuth = VODGetAuth(getAuth)
    }

    /// With a closure that calls back.
    ///
    /// - Parameter getAuth: Calls `completion` once, on any thread, with the answer of the OpenAPI operation that `context.kind`
    ///   names. Further calls of it do nothing; without any the upload fails after `authTimeout`.
    public init(
        getAuth:
            @escaping @Sendable (
                _ context: VODAuthContext,
                _ completion: @escaping @Sendable (Result<any VODAuthAnswer, any Error>) -> Void
            ) -> Void
    ) {
        self.getAuth = VODGetAuth(completion: getAuth)
    }
}
