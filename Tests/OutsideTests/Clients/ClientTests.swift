import ObjectStoreStub
import Testing

/// One scenario of one client.
struct ClientCase: Sendable, CustomTestStringConvertible {
    let client: OutsideClient
    let scenario: ClientScenario

    static let all = OutsideClient.all.flatMap { client in
        client.scenarios.map { ClientCase(client: client, scenario: $0) }
    }

    var testDescription: String { "\(client.package) (\(client.variant)): \(scenario.name)" }
}

/// Programs that nobody here wrote take the local server for the service, and find nothing amiss.
@Suite(.needsOutside)
struct ClientTests {
    @Test(arguments: ClientCase.all)
    func `an official client meets the local server`(_ item: ClientCase) async throws {
        let bench = try await ClientBench(item.client)
        defer { bench.server.stop() }
        item.scenario.prepare(bench)
        let report = try await bench.drive(item.scenario)
        var findings = Findings()
        findings.expect(report.ok, report.detail)
        if report.ok { try item.scenario.examine(&findings, bench, report.detail) }
        try Observation(
            table: item.client.table, row: "\(item.client.package) \(report.version) (\(item.client.variant))",
            column: item.scenario.column, passed: findings.problems.isEmpty,
            note: item.scenario.note.text(report)
        ).write()
        let requests = bench.server.wireLog.entries.map { "\n\($0)" }.joined()
        #expect(findings.problems.isEmpty, "\(findings.problems)\(requests)")
    }
}
