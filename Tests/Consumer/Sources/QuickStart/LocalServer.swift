import ObjectStoreStub

/// A local TOS that refuses part 3 twice before it copies it.
func startServer() async throws -> ObjectStoreStub {
    var configuration = StubConfiguration()
    configuration.buckets = ["films", "archive"]
    let server = try await ObjectStoreStub.start(configuration)
    try server.storage.putObject("a.mov", in: "films", .generated(seed: 1, length: 96 << 20))
    server.faults.add(.on(.uploadPartCopy).part(3).first(2), .status(503, code: "SlowDown"))
    return server
}
