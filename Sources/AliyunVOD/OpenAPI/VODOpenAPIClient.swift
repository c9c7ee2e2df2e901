internal import TransferCore
internal import TransferCurl
package import TransferHTTP
package import TransferPrimitives
internal import TransferService

/// Calls the operations of the VOD OpenAPI that hand out upload credentials, with an access key: for trusted servers, which
/// then need no backend in between.
///
///     let client = try VODOpenAPIClient(
///         VODOpenAPIConfiguration(credential: Credentials(accessKey: id, secretKey: secret)))
///     let uploader = try VODUploader(VODUploadConfig(getAuth: .openAPI(client)))
///
/// VOD: version 2017-03-21 of the OpenAPI, signed by `ACS3-HMAC-SHA256`.
public final class VODOpenAPIClient: Sendable {
    static let version = "2017-03-21"

    private let client: ServiceClient

    /// - Throws: `TransferError` with `.invalidArgument` naming the field that cannot be. Nothing is sent.
    public convenience init(_ configuration: VODOpenAPIConfiguration) throws {
        _ = try configuration.checked()
        try self.init(configuration, transport: CurlTransport(checking: configuration.transport))
    }

    /// A client over another transport, clock and randomness, for tests.
    package init(
        _ configuration: VODOpenAPIConfiguration, transport: any HTTPTransport,
        clock: any TransferClock = SystemClock(),
        random: any RandomSource = SystemRandomSource()
    ) throws {
        let serviceClock = ServiceClock(clock)
        let access = FixedEndpointAccess(
            endpoint: try configuration.checked(), credentials: configuration.credentialsProvider)
        client = ServiceClient(
            transport: transport, access: AccessCache(access, clock: serviceClock),
            signer: ACS3Signer { TaskID.make(random) }, failures: OpenAPIFailureReader(),
            limiter: ConcurrencyLimiter(maximum: 16), clock: serviceClock,
            policy: RetryPolicy(maxRetries: configuration.maxRetryCount), random: random)
    }

    /// CreateUploadVideo: a new video, and the leave to upload its file. Every call makes another video.
    ///
    /// - Parameters:
    ///   - fileName: With an extension, which decides the format.
    ///   - fileSize: Bytes, where they are known.
    ///   - meta: What the video is to carry. Without a title the file's name without its extension is taken.
    ///   - extra: Further parameters by their exact names, such as `ReferenceId`.
    /// - Throws: `TransferError` with the service's code, message and request id and the HTTP status in `service`; or
    ///   `CancellationError`.
    public func createUploadVideo(
        fileName: String, fileSize: UInt64? = nil, meta: VODVideoMeta = VODVideoMeta(), extra: [String: String] = [:]
    ) async throws -> VODUploadPermit {
        try meta.check()
        return try await call(
            "CreateUploadVideo", isIdempotent: false,
            .createVideo(fileName: fileName, fileSize: fileSize, meta: meta, extra: extra))
    }

    /// RefreshUploadVideo: fresh credentials for the file of a video that exists.
    ///
    /// - Throws: As `createUploadVideo`; `InvalidVideo.NotFound` where there is no such video.
    public func refreshUploadVideo(videoId: String) async throws -> VODUploadPermit {
        guard !videoId.isEmpty else { throw TransferError.invalidArgument("videoId", "a video is needed") }
        return try await call("RefreshUploadVideo", isIdempotent: true, .refreshVideo(videoId))
    }

    /// CreateUploadImage: a new image, and the leave to upload its file. Every call makes another image.
    ///
    /// - Parameters:
    ///   - fileName: Its extension is sent as `ImageExt` where `meta` has none.
    ///   - meta: What the image is to carry.
    ///   - extra: Further parameters by their exact names.
    /// - Throws: As `createUploadVideo`.
    public func createUploadImage(
        fileName: String, meta: VODImageMeta = VODImageMeta(), extra: [String: String] = [:]
    ) async throws -> VODUploadPermit {
        try meta.check()
        return try await call(
            "CreateUploadImage", isIdempotent: false, .createImage(fileName: fileName, meta: meta, extra: extra))
    }

    /// Ends running requests and frees connections. Later calls fail with `.disposed`.
    public func shutdown() async { await client.shutdown() }

    private func call(
        _ action: String, isIdempotent: Bool, _ parameters: OpenAPIParameters
    ) async throws -> VODUploadPermit {
        do {
            return try await client.send(
                ServiceOperation(action, isIdempotent: isIdempotent),
                build: { access in
                    var headers = HTTPHeaders()
                    try headers.append("Accept", "application/json")
                    try headers.append("x-acs-action", action)
                    try headers.append("x-acs-version", Self.version)
                    let query = parameters.values.sorted { $0.key < $1.key }.map {
                        HTTPRequest.QueryItem($0.key, $0.value)
                    }
                    var request = HTTPRequest(.post, at: access.endpoint, query: query, headers: headers)
                    request.deadline = .seconds(60)
                    return request
                },
                decode: { response in
                    let members = JSONMembers(parsing: response.body)
                    guard let permit = members.flatMap({ VODUploadPermit($0) }) else {
                        throw OpenAPIFailureReader.failure(response, members)
                    }
                    return permit
                })
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TransferError(openAPI: error, operation: action)
        }
    }
}
