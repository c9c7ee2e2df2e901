internal import TransferCore
public import TransferCurl
public import TransferHTTP

/// How `VODOpenAPIClient` reaches the VOD OpenAPI.
public struct VODOpenAPIConfiguration: Sendable {
    /// The access key, or the temporary credentials, that requests are signed with.
    public var credentialsProvider: any CredentialsProvider
    /// The region, which names the host `vod.{region}.aliyuncs.com`. `cn-shanghai` by default.
    public var region: String
    /// Whether the host of virtual private clouds is meant, `vod-vpc.{region}.aliyuncs.com`. False by default.
    public var usesVPC = false
    /// Scheme, host and port in place of that host; nil by default.
    public var endpoint: String?
    /// Timeouts, proxy, certificate authorities.
    public var transport = TransportConfiguration()
    /// Repeats of a request that failed for a passing reason. 0 or more; 3 by default. One that makes a new medium is repeated only
    /// when the service cannot have acted on it.
    public var maxRetryCount = 3

    /// With credentials that are renewed. Values are checked by `VODOpenAPIClient.init(_:)`.
    public init(credentialsProvider: any CredentialsProvider, region: String = VODRegion.default) {
        self.credentialsProvider = credentialsProvider
        self.region = region
    }

    /// With fixed credentials.
    public init(credential: Credentials, region: String = VODRegion.default) {
        self.init(credentialsProvider: StaticCredentialsProvider(credential), region: region)
    }

    /// Where requests go. Throws `.invalidArgument` naming the field.
    func checked() throws(TransferError) -> HTTPEndpoint {
        guard maxRetryCount >= 0 else { throw .invalidArgument("maxRetryCount", "\(maxRetryCount) is negative") }
        guard VODRegion.isPlausible(region) else {
            throw .invalidArgument(
                "region", "\(region.debugDescription) is no region id; expected letters a–z, digits and hyphens")
        }
        do {
            return try HTTPEndpoint(parsing: endpoint ?? "https://vod\(usesVPC ? "-vpc" : "").\(region).aliyuncs.com")
        } catch {
            throw .invalidArgument("endpoint", "\(error)")
        }
    }
}
