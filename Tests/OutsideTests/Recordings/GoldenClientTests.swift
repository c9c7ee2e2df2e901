import ObjectStoreStub
import StubFixtures
import TestSupport
import Testing

/// The official clients send exactly the requests that are kept beside ours in `Tests/Golden`; `WireComparisonTests` compares
/// the two.
@Suite(.needsOutside)
struct GoldenClientTests {
    @Test(arguments: GoldenDialect.allCases, GoldenFlow.allCases)
    func objects(_ dialect: GoldenDialect, _ flow: GoldenFlow) async throws {
        let client = GoldenClient(dialect)
        let server = try await GoldenObject.server()
        defer { server.stop() }
        let directory = try TemporaryDirectory()
        try directory.write(flow.content.read() ?? [], to: "content")
        if client.resumes.contains(flow) {
            server.faults.add(
                .on(.uploadPart, .uploadPartCopy).parts(2...client.lastInterrupted).first(1).ofEachPart, .status(403))
        }
        var settings = DriverSettings(server, partSize: Int(GoldenObject.partSize), directory: directory.path)
        client.prepare(&settings, server)
        try await drive(client.driver, flow.rawValue, settings)
        try compare(server, "\(dialect.rawValue)/\(flow.rawValue)")
    }

    @Test(arguments: [("video", 2 * VODFixture.partSize + 17), ("image", 1000), ("refresh", 0)])
    func media(_ flow: String, _ size: Int) async throws {
        let fixture = try await VODFixture()
        defer { fixture.server.stop() }
        try fixture.directory.write(VODFixture.bytes(size), to: "content")
        let settings = DriverSettings(
            fixture.server, partSize: VODFixture.partSize, directory: fixture.directory.path)
        try await drive("record_vod.py", flow, settings)
        let media = flow == "video" ? fixture.server.vod.videos.map(\.key) : fixture.server.vod.images.map(\.key)
        try compare(fixture.server, "vod/\(flow)", key: media.last)
    }

    private func drive(_ driver: String, _ flow: String, _ settings: DriverSettings) async throws {
        let report = try await DriverReport.run(driver, settings, "record-\(flow)")
        #expect(report.ok, "\(report.detail)")
    }

    private func compare(_ server: ObjectStoreStub, _ name: String, key: String? = nil) throws {
        // Those that were refused to interrupt the client are no part of the flow.
        let entries = server.wireLog.entries.filter(\.faults.isEmpty)
        try GoldenRecording(entries, key: key).compare(with: "\(name).official", recordedBy: "make test-outside")
    }
}
