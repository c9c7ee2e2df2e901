internal import S3Wire
internal import TransferCore
internal import TransferCurl
package import TransferHTTP
package import TransferPrimitives
internal import TransferService

/// A client of Amazon S3, or of a server that speaks like it, for one region and one set of credentials.
///
///     let client = try S3Client(
///         configuration: S3ClientConfiguration(
///             endpoint: S3Endpoint(region: "eu-central-1"),
///             credential: S3Credential(accessKey: accessKey, secretKey: secretKey)))
///     let receipt = try await client.uploadFile("a.mov", to: ObjectLocation(bucket: "films", key: "a.mov"))
///     await client.shutdown()
///
/// Its connections, limits, credentials and clock are shared by all calls. Calls may be made from any task.
public final class S3Client: Sendable {
    /// What the client was made with.
    public let configuration: S3ClientConfiguration
    let rules: EndpointRules
    let service: S3Service
    let engine: TransferEngine
    let transfers = RunningTransfers(of: S3Provider.name)
    private let clock: any TransferClock

    /// - Throws: `TransferError`: `.invalidArgument` naming the field that cannot be. Nothing is sent.
    public convenience init(configuration: S3ClientConfiguration) throws {
        let rules = try configuration.checked()
        let transport = try CurlTransport(checking: configuration.transport)
        self.init(
            configuration, rules, transport: transport, connectionLimit: transport.connectionLimit,
            clock: SystemClock(), random: SystemRandomSource())
    }

    /// A client over another transport and clock, for tests.
    package convenience init(
        configuration: S3ClientConfiguration, transport: any HTTPTransport, clock: any TransferClock = SystemClock(),
        random: any RandomSource = SystemRandomSource()
    ) throws {
        self.init(
            configuration, try configuration.checked(), transport: transport, connectionLimit: 128, clock: clock,
            random: random)
    }

    private init(
        _ configuration: S3ClientConfiguration, _ rules: EndpointRules, transport: any HTTPTransport,
        connectionLimit: Int, clock: any TransferClock, random: any RandomSource
    ) {
        self.configuration = configuration
        self.rules = rules
        self.clock = clock
        let serviceClock = ServiceClock(clock)
        let access = FixedEndpointAccess(
            endpoint: rules.address.base, credentials: configuration.credentialsProvider)
        let dialect = S3Dialect.amazon(
            honoursCopyPreconditions: configuration.honoursCopyPreconditions ?? rules.isAmazon,
            decodesPartCopySourceTwice: configuration.decodesPartCopySourceTwice ?? (rules.isAmazon ? false : nil))
        service = S3Service(
            dialect, at: rules.address,
            timeouts: .init(serverSide: configuration.copyIdleTimeout, control: configuration.controlTimeout),
            client: ServiceClient(
                transport: transport, access: AccessCache(access, clock: serviceClock),
                signer: V4Signer(dialect.signature, region: rules.region), failures: S3FailureReader(dialect),
                limiter: ConcurrencyLimiter(maximum: connectionLimit), clock: serviceClock,
                policy: configuration.retryPolicy, random: random))
        engine = TransferEngine(clock: clock)
    }

    var dialect: S3Dialect { service.dialect }

    /// Ends the client: running transfers stop as by a pause and end with `.disposed`, each once, their checkpoints kept;
    /// other running requests and all later calls end with `.disposed`. A transfer that is being completed gets 5 s to learn
    /// its outcome. Returns when everything has ended, and does nothing when called again.
    public func shutdown() async { await transfers.shutDown(service.client, clock: clock) }

    /// What requests go through. Throws `.disposed` once the client was shut down.
    func liveService() throws(TransferError) -> S3Service {
        try transfers.checkRunning()
        return service
    }
}
