import Testing
import TransferHTTP
import TransferPrimitives

@testable import TransferCurl

let okAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

/// The defaults with `change`, without a look at the environment of the test run, and with time limits that no machine is too
/// busy for: a test that is about one sets it.
func settings(_ change: (inout TransportConfiguration) -> Void) -> TransportConfiguration {
    var configuration = TransportConfiguration()
    configuration.proxy = .none
    configuration.connectTimeout = .seconds(3600)
    configuration.idleTimeout = .seconds(3600)
    configuration.idleConnectionLifetime = .seconds(3600)
    configuration.addressLifetime = .seconds(3600)
    change(&configuration)
    return configuration
}

let plainSettings = settings { _ in }

/// Runs `body` with a server and a transport, and takes both down afterwards.
func withServer<Result>(
    _ server: ScriptedServer, _ configuration: TransportConfiguration = plainSettings,
    _ body: (CurlTransport) async throws -> Result
) async throws -> Result {
    let transport = try CurlTransport(configuration)
    do {
        let result = try await body(transport)
        await transport.shutdown()
        server.stop()
        return result
    } catch {
        await transport.shutdown()
        server.stop()
        throw error
    }
}

extension ScriptedServer {
    func request(
        _ method: HTTPMethod = .get, path: String = "/k", headers: KeyValuePairs<String, String> = [:],
        body: HTTPBody = .none
    ) throws -> HTTPRequest {
        try HTTPRequest(
            method, at: HTTPEndpoint(parsing: url), path: path, headers: HTTPHeaders(headers), body: body,
            operation: "Test")
    }
}

/// The failure that `body` ends with; records an issue when there is none.
func transportFailure(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> HTTPResponse
) async throws -> TransportFailure {
    do {
        let response = try await body()
        Issue.record("answered \(response.status)", sourceLocation: sourceLocation)
        throw ServerError("no failure")
    } catch let failure as TransportFailure { return failure }
}

/// Something that happens once, which tasks can wait for.
final class Event: Sendable {
    private struct State {
        var hasHappened = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = LockBox(State())

    func happen() {
        let waiting = state.withLock { state in
            state.hasHappened = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let hasHappened = state.withLock { state in
                if !state.hasHappened { state.waiting.append(continuation) }
                return state.hasHappened
            }
            if hasHappened { continuation.resume() }
        }
    }
}

/// Waits until `condition` holds, for things that only the kernel knows; records an issue after ten minutes, for the tests
/// of a whole run may stand between two looks.
func eventually(
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(600)
    while try !condition() {
        guard ContinuousClock.now < end else {
            Issue.record("did not come true", sourceLocation: sourceLocation)
            return
        }
        try await Task.sleep(for: .milliseconds(1))
    }
}
