internal import TransferCore
public import TransferCurl
public import TransferHTTP
internal import TransferService

/// An access key and its secret, with a token when they are temporary. Never prints what it holds.
public typealias TOSCredential = Credentials

/// How a client reaches TOS. Plain values, checked by `TOSClient.init(configuration:)`.
public struct TOSClientConfiguration: Sendable {
    /// Where requests go, and the region that they are signed for.
    public var endpoint: TOSEndpoint
    /// Where credentials come from: fixed ones, or a provider that is asked again before they end and after TOS refused
    /// them.
    public let credentialsProvider: any CredentialsProvider
    let credential: TOSCredential?

    /// How a bucket is named in a request. `.auto` by default.
    public var addressing = TOSAddressing.auto
    /// The language to speak. Nil, the default, takes it from the endpoint's name: S3-compatible for `tos-s3-<region>.…`,
    /// native for every other.
    public var wireFormat: TOSWireFormat?
    /// Timeouts, connections, proxy, certificate authorities, user agent; see each field for its default.
    public var transport = TransportConfiguration()
    /// How failed requests are repeated. Three times by default, with growing, random pauses.
    public var retryPolicy = RetryPolicy()
    /// The longest silence while TOS copies an object or a part, or completes an upload. Above zero; 15 minutes by
    /// default.
    public var copyIdleTimeout: Duration = .seconds(900)
    /// The longest a call may take that moves no data, such as HeadObject or ListParts. Above zero; 60 s by default.
    public var controlTimeout: Duration = .seconds(60)

    /// Repeats of a failed request: `retryPolicy.maxRetries`. 0 or more; 3 by default.
    public var maxRetryCount: Int {
        get { retryPolicy.maxRetries }
        set { retryPolicy.maxRetries = newValue }
    }

    /// A client with fixed credentials.
    public init(endpoint: TOSEndpoint, credential: TOSCredential) {
        self.endpoint = endpoint
        self.credential = credential
        credentialsProvider = StaticCredentialsProvider(credential)
    }

    /// A client whose credentials are renewed.
    public init(endpoint: TOSEndpoint, credentialsProvider: any CredentialsProvider) {
        self.endpoint = endpoint
        credential = nil
        self.credentialsProvider = credentialsProvider
    }
}

extension TOSClientConfiguration {
    /// What requests are built by. Throws `.invalidArgument` naming the field that cannot be.
    func checked() throws(TransferError) -> EndpointRules {
        guard retryPolicy.maxRetries >= 0 else {
            throw .invalidArgument("maxRetryCount", "\(retryPolicy.maxRetries) is negative")
        }
        for (field, timeout) in [("copyIdleTimeout", copyIdleTimeout), ("controlTimeout", controlTimeout)]
        where timeout <= .zero {
            throw .invalidArgument(field, "\(timeout) is no time to wait")
        }
        try credential?.check()
        return try EndpointRules(endpoint, addressing: addressing, wireFormat: wireFormat)
    }
}
