internal import TransferCore
internal import TransferCurl
package import TransferHTTP
package import TransferPrimitives
internal import TransferService

/// A client of Aliyun OSS, for one region and one set of credentials.
///
///     let client = try OSSClient(
///         configuration: OSSClientConfiguration(
///             endpoint: OSSEndpoint(region: "cn-shanghai"),
///             credential: OSSCredential(accessKey: id, secretKey: secret, securityToken: token)))
///     var input = OSSUploadFileInput(bucket: "films", key: "a.mov", filePath: "/media/a.mov")
///     input.enableCheckpoint = true
///     let output = try await client.uploadFile(input)
///     await client.shutdown()
///
/// Its connections, limits, credentials and clock are shared by all calls. Calls may be made from any task.
public final class OSSClient: Sendable {
    /// What the client was made with.
    public let configuration: OSSClientConfiguration
    let rules: EndpointRules
    let service: OSSService
    let engine: TransferEngine
    let transfers = RunningTransfers(of: OSSProvider.name)
    private let clock: any TransferClock

    /// - Throws: `TransferError`: `.invalidArgument` naming the field that cannot be. Nothing is sent.
    public convenience init(configuration: OSSClientConfiguration) throws {
        let rules = try configuration.checked()
        let transport = try CurlTransport(checking: configuration.transport)
        self.init(
            configuration, rules, transport: transport, connectionLimit: transport.connectionLimit,
            clock: SystemClock(), random: SystemRandomSource())
    }

    /// A client over another transport and clock, for tests.
    package convenience init(
        configuration: OSSClientConfiguration, transport: any HTTPTransport, clock: any TransferClock = SystemClock(),
        random: any RandomSource = SystemRandomSource()
    ) throws {
        self.init(
            configuration, try configuration.checked(), transport: transport, connectionLimit: 128, clock: clock,
            random: random)
    }

    private init(
        _ configuration: OSSClientConfiguration, _ rules: EndpointRules, transport: any HTTPTransport,
        connectionLimit: Int, clock: any TransferClock, random: any RandomSource
    ) {
        self.configuration = configuration
        self.rules = rules
        self.clock = clock
        let serviceClock = ServiceClock(clock)
        let access = FixedEndpointAccess(endpoint: rules.base, credentials: configuration.credentialsProvider)
        service = OSSService(
            address: rules.address,
            timeouts: .init(serverSide: configuration.copyIdleTimeout, control: configuration.controlTimeout),
            requesterPays: configuration.requesterPays,
            client: ServiceClient(
                transport: transport,
                access: AccessCache(access, clock: serviceClock, timeout: configuration.authTimeout),
                signer: OSSRequestSigner(
                    configuration.signature, region: rules.region,
                    additionalHeaders: configuration.additionalSignedHeaders),
                failures: OSSFailureReader(), limiter: ConcurrencyLimiter(maximum: connectionLimit),
                clock: serviceClock,
                policy: configuration.retryPolicy, random: random),
            region: { rules.region })
        engine = TransferEngine(clock: clock)
    }

    /// Ends the client: running transfers stop as by a pause and end with `.disposed`, each once, their checkpoints kept;
    /// other running requests and all later calls end with `.disposed`. A transfer that is being completed gets 5 s to
    /// learn its outcome. Returns when everything has ended, and does nothing when called again.
    public func shutdown() async { await transfers.shutDown(service.client, clock: clock) }

    /// What requests go through. Throws `.disposed` once the client was shut down.
    func liveService() throws(TransferError) -> OSSService {
        try transfers.checkRunning()
        return service
    }
}
