internal import TransferCore
public import TransferCurl
public import TransferHTTP
internal import TransferService

/// An access key and its secret, with a token when they are temporary. Never prints what it holds.
public typealias S3Credential = Credentials

/// How a client reaches S3. Plain values, checked by `S3Client.init(configuration:)`.
public struct S3ClientConfiguration: Sendable {
    /// Where requests go, and the region that they are signed for.
    public var endpoint: S3Endpoint
    /// Where credentials come from: fixed ones, the environment, or a provider that is asked again before they end and after the
    /// service refused them.
    public let credentialsProvider: any CredentialsProvider
    let credential: S3Credential?

    /// How a bucket is named in a request. `.auto` by default.
    public var addressing = S3Addressing.auto
    /// Timeouts, connections, proxy, certificate authorities, user agent; see each field for its default.
    public var transport = TransportConfiguration()
    /// How failed requests are repeated. Three times by default, with growing, random pauses.
    public var retryPolicy = RetryPolicy()
    /// The longest silence while the service copies an object or a part, or completes an upload. Above zero; 15 minutes by
    /// default.
    public var copyIdleTimeout: Duration = .seconds(900)
    /// The longest a call may take that moves no data, such as HeadObject. Above zero; 60 s by default.
    public var controlTimeout: Duration = .seconds(60)
    /// Whether the service refuses the copy of a part once the source has changed. Amazon does; Ceph RGW does not look. Where
    /// it is not known to, the source of a copy is looked at once more before the copy is completed, and parts that were copied
    /// but not recorded are copied again. Nil, the default, means that Amazon does and others may not.
    public var honoursCopyPreconditions: Bool?
    /// Whether the service percent-decodes the source of a part copy twice, as Ceph RGW does, so that `a%2541`, which stands for
    /// the key `a%41`, becomes `aA`. Such keys are then encoded twice. Nil, the default, means that Amazon does not and others
    /// may: a copy from such a key is refused with `.unsupported` while there is an object that it could be taken for.
    public var decodesPartCopySourceTwice: Bool?

    /// A client with fixed credentials.
    public init(endpoint: S3Endpoint, credential: S3Credential) {
        self.endpoint = endpoint
        self.credential = credential
        credentialsProvider = StaticCredentialsProvider(credential)
    }

    /// A client whose credentials are renewed.
    public init(endpoint: S3Endpoint, credentialsProvider: any CredentialsProvider) {
        self.endpoint = endpoint
        credential = nil
        self.credentialsProvider = credentialsProvider
    }

    /// A client with the credentials of `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`, read when they
    /// are needed.
    public init(endpoint: S3Endpoint) {
        self.init(
            endpoint: endpoint,
            credentialsProvider: EnvironmentCredentialsProvider(
                accessKey: "AWS_ACCESS_KEY_ID", secretKey: "AWS_SECRET_ACCESS_KEY",
                securityToken: "AWS_SESSION_TOKEN"))
    }
}

extension S3ClientConfiguration {
    /// What requests are built by. Throws `.invalidArgument` naming the field that cannot be.
    func checked() throws(TransferError) -> EndpointRules {
        guard retryPolicy.maxRetries >= 0 else {
            throw .invalidArgument("retryPolicy.maxRetries", "\(retryPolicy.maxRetries) is negative")
        }
        for (field, timeout) in [("copyIdleTimeout", copyIdleTimeout), ("controlTimeout", controlTimeout)]
        where timeout <= .zero {
            throw .invalidArgument(field, "\(timeout) is no time to wait")
        }
        try credential?.check()
        return try EndpointRules(endpoint, addressing: addressing)
    }
}
