import TestSupport
import TransferHTTP
import TransferPrimitives

/// A transport that answers as a test wrote down, and keeps what it was asked.
final class ScriptedTransport: HTTPTransport {
    typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse

    private struct State {
        var sent: [HTTPRequest] = []
        var isShutDown = false
    }

    private let state = LockBox(State())
    private let answer: @Sendable (Int, HTTPRequest) async throws -> HTTPResponse

    /// - Parameter answer: Given how many requests came before this one, and the request.
    init(_ answer: @escaping @Sendable (Int, HTTPRequest) async throws -> HTTPResponse) { self.answer = answer }

    /// One answer after the other; the last one for ever.
    convenience init(_ answers: Result<HTTPResponse, any Error>...) {
        self.init { number, _ in try answers[min(number, answers.count - 1)].get() }
    }

    var sent: [HTTPRequest] { state.withLock { $0.sent } }
    var isShutDown: Bool { state.withLock { $0.isShutDown } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let number = state.withLock { state in
            state.sent.append(request)
            return state.sent.count - 1
        }
        return try await answer(number, request)
    }

    func shutdown() async { state.withLock { $0.isShutDown = true } }
}

/// Reads a refusal from headers: `x-code`, and advice by status and code.
struct HeaderFailureReader: ServiceFailureReader {
    func failure(in response: HTTPResponse) -> ServiceFailure? {
        guard !response.isSuccess else { return nil }
        let code = response.headers["x-code"]
        let advice: RetryAdvice =
            switch (response.status, code) {
            case (_, "SlowDown"): .throttled
            case (_, "Expired"): .refreshCredentials
            case (_, "Skewed"): .adjustClock
            case (500..., _), (_, "RequestTimeout"): .backoff
            default: .never
            }
        return ServiceFailure(
            status: response.status, code: code, message: response.headers["x-message"],
            requestID: response.headers["x-request-id"], retry: advice)
    }
}

func answer(_ status: Int, _ headers: KeyValuePairs<String, String> = [:]) -> Result<HTTPResponse, any Error> {
    Result { HTTPResponse(status: status, headers: try HTTPHeaders(headers)) }
}

func broken(_ kind: TransportFailure.Kind, isStale: Bool = false, wasSent: Bool = true) -> Result<
    HTTPResponse, any Error
> {
    .failure(
        TransportFailure(
            kind, operation: "Op", host: "h", message: "broken", mayHaveReachedServer: wasSent,
            isStaleConnection: isStale))
}

/// A client over a scripted transport, a clock that is moved by hand, and no jitter.
struct ClientFixture {
    let transport: ScriptedTransport
    let machine: ManualClock
    let provider: any CredentialsProvider
    let limiter: ConcurrencyLimiter
    let clock: ServiceClock
    var client: ServiceClient

    init(
        _ transport: ScriptedTransport, policy: RetryPolicy = RetryPolicy(), limit: Int = 8,
        credentials provider: any CredentialsProvider = StaticCredentialsProvider(credentials("a")),
        observer: (any HTTPObserver)? = nil, machine: ManualClock = ManualClock()
    ) throws {
        self.machine = machine
        self.transport = transport
        self.provider = provider
        limiter = ConcurrencyLimiter(maximum: limit)
        clock = ServiceClock(machine)
        let endpoint = try HTTPEndpoint(parsing: "http://h")
        client = ServiceClient(
            transport: transport,
            // On a clock of its own: the time limit of its fetches is not what these tests watch.
            access: AccessCache(
                FixedEndpointAccess(endpoint: endpoint, credentials: provider), clock: ManualClock()),
            signer: V4Signer(.tos4, region: "cn-beijing"), failures: HeaderFailureReader(), limiter: limiter,
            clock: clock,
            policy: policy, random: FixedRandom(), observer: observer)
    }

    @discardableResult func send(
        _ operation: ServiceOperation = ServiceOperation("Op"), body: HTTPBody = .none
    ) async throws -> HTTPResponse {
        try await client.send(operation) { access in
            HTTPRequest(.put, at: access.endpoint, path: "/k", body: body)
        } decode: {
            $0
        }
    }

    /// The failure that `send` ends with.
    func serviceFailure() async -> ServiceFailure? {
        do {
            try await send()
            return nil
        } catch { return error as? ServiceFailure }
    }
}
