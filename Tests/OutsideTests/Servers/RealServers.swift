import Testing

/// The servers that run for the tests inside.
enum RealServers {
    struct NotRunning: Error {
        let kind: RealServer.Kind
    }

    @TaskLocal fileprivate static var running: [RealServer] = []

    static func named(_ kind: RealServer.Kind) throws -> RealServer {
        guard let server = running.first(where: { $0.kind == kind }) else { throw NotRunning(kind: kind) }
        return server
    }
}

/// Has every kind of server run while the tests of a suite do.
struct RealServersTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        var servers: [RealServer] = []
        var trouble: (any Error)?
        do {
            for kind in RealServer.Kind.allCases { servers.append(try await RealServer.start(kind)) }
            try await RealServers.$running.withValue(servers) { try await function() }
        } catch {
            trouble = error
        }
        for kind in RealServer.Kind.allCases { try await RealServer.stop(kind) }
        if let trouble { throw trouble }
    }
}

extension Trait where Self == RealServersTrait {
    static var realServers: Self { RealServersTrait() }
}

/// The library against servers that nobody here wrote.
@Suite(.needsOutside, .realServers) enum RealServerTests {}
