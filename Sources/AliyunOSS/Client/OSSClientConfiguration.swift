internal import TransferCore
public import TransferCurl
public import TransferHTTP
internal import TransferService

/// An access key and its secret, with a token when they are temporary. Never prints what it holds.
public typealias OSSCredential = Credentials

/// How a client reaches OSS. Plain values, checked by `OSSClient.init(configuration:)`.
public struct OSSClientConfiguration: Sendable {
    /// Where requests go, and the region that they are signed for.
    public var endpoint: OSSEndpoint
    /// Where credentials come from: fixed ones, or a provider that is asked again before they end and after OSS refused
    /// them.
    public let credentialsProvider: any CredentialsProvider
    let credential: OSSCredential?

    /// How a bucket is named in a request. `.auto` by default.
    public var addressing = OSSAddressing.auto
    /// How requests are signed. `.v4` by default.
    public var signature = OSSSignatureVersion.v4
    /// Names of headers that V4 signatures cover besides `Content-Type`, `Content-MD5` and all of OSS's own, such as `host`.
    /// None by default.
    public var additionalSignedHeaders: [String] = []
    /// Whether the caller pays for requests to a bucket of somebody else's. False by default.
    public var requesterPays = false
    /// Timeouts, connections, proxy, certificate authorities, user agent; see each field for its default.
    public var transport = TransportConfiguration()
    /// How failed requests are repeated. Three times by default, with growing, random pauses.
    public var retryPolicy = RetryPolicy()
    /// The longest silence while OSS copies an object or a part, or completes an upload. Above zero; 15 minutes by default.
    public var copyIdleTimeout: Duration = .seconds(900)
    /// The longest a call may take that moves no data, such as HeadObject or ListParts. Above zero; 60 s by default.
    public var controlTimeout: Duration = .seconds(60)
    /// The longest the credentials provider may take. Above zero; 60 s by default.
    public var authTimeout: Duration = .seconds(60)

    /// Repeats of a failed request: `retryPolicy.maxRetries`. 0 or more; 3 by default.
    public var maxRetryCount: Int {
        get { retryPolicy.maxRetries }
        set { retryPolicy.maxRetries = newValue }
    }

    /// A client with fixed credentials; temporary ones end with their token.
    public init(endpoint: OSSEndpoint, credential: OSSCredential) {
        self.endpoint = endpoint
        self.credential = credential
        credentialsProvider = StaticCredentialsProvider(credential)
    }

    /// A client whose credentials are renewed.
    public init(endpoint: OSSEndpoint, credentialsProvider: any CredentialsProvider) {
        self.endpoint = endpoint
        credential = nil
        self.credentialsProvider = credentialsProvider
    }
}

extension CredentialsProvider where Self == EnvironmentCredentialsProvider {
    /// The variables that OSS's own tools read: `OSS_ACCESS_KEY_ID`, `OSS_ACCESS_KEY_SECRET` and, for temporary credentials,
    /// `OSS_SESSION_TOKEN`.
    public static var ossEnvironment: EnvironmentCredentialsProvider {
        EnvironmentCredentialsProvider(
            accessKey: "OSS_ACCESS_KEY_ID", secretKey: "OSS_ACCESS_KEY_SECRET", securityToken: "OSS_SESSION_TOKEN")
    }
}

extension OSSClientConfiguration {
    /// What requests are built by. Throws `.invalidArgument` naming the field that cannot be.
    func checked() throws(TransferError) -> EndpointRules {
        guard retryPolicy.maxRetries >= 0 else {
            throw .invalidArgument("maxRetryCount", "\(retryPolicy.maxRetries) is negative")
        }
        for (field, timeout) in [
            ("copyIdleTimeout", copyIdleTimeout), ("controlTimeout", controlTimeout), ("authTimeout", authTimeout),
        ] where timeout <= .zero {
            throw .invalidArgument(field, "\(timeout) is no time to wait")
        }
        for name in additionalSignedHeaders {
            do {
                _ = try HTTPHeaders([name: ""])
            } catch {
                throw .invalidArgument("additionalSignedHeaders", error.description)
            }
        }
        try credential?.check()
        return try EndpointRules(endpoint, addressing: addressing)
    }
}
