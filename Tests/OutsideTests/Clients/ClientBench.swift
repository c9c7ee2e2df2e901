import ObjectStoreStub
import TestSupport
import TransferPrimitives

/// A local server, and a directory with the file that a client uploads to it.
struct ClientBench: Sendable {
    let client: OutsideClient
    let server: ObjectStoreStub
    let directory: TemporaryDirectory
    /// The bytes of the file, and of the object that is copied.
    let content: ObjectContent
    let sourceBucket: String
    let bucket = "archive"
    // Keys with what clients encode in more ways than one.
    let sourceKey = "films/été 1+1=2 %41.mov"
    let key = "made/ü +&%2541.mov"

    /// Keys with a token, beside the permanent ones.
    static let session = StubAccount(
        accessKey: "STUBSESSIONKEY000001", secretKey: "StubSessionSecretForTestsOnly==", sessionToken: "stub+token/1==")

    init(_ client: OutsideClient) async throws {
        self.client = client
        // A custom domain stands for one bucket, so that copies by it stay within.
        sourceBucket = client.addressing == .domain ? bucket : "films"
        var configuration = StubConfiguration()
        configuration.buckets = [bucket, sourceBucket]
        configuration.accounts = [.test, Self.session]
        configuration.customDomains = ["domain.localhost": bucket]
        server = try await ObjectStoreStub.start(configuration)
        directory = try TemporaryDirectory()
        let made = ObjectContent.generated(seed: 5, length: UInt64(4 * client.partSize + 12_345))
        let bytes = made.read() ?? []
        content = .bytes(bytes)
        try directory.write(bytes, to: "content")
        try server.storage.putObject(sourceKey, in: sourceBucket, content)
    }

    /// How many parts the content makes.
    var partCount: Int { 5 }

    /// What the client made.
    var target: StoredObject? { server.storage.object(key, in: bucket) }

    /// What the driver handed over of what its client read.
    func downloaded() throws -> ObjectContent { .bytes(try directory.read("download")) }

    /// Refuses part 3 once, by an error that no client repeats.
    func interrupt(_ operation: StoreOperation) {
        server.faults.add(.on(operation).part(3).first(1), .status(403))
        server.quirks.acceptsPartsOutOfOrder = client.listsPartsOutOfOrder
    }

    /// Runs one scenario of the client's driver.
    func drive(_ scenario: ClientScenario) async throws -> DriverReport {
        var settings = DriverSettings(server, partSize: client.partSize, directory: directory.path)
        settings.region = client.isAliyun ? server.ossRegion : server.region
        settings.addressing = client.addressing
        settings.signature = client.signature
        settings.session = DriverSettings.Session(
            accessKey: Self.session.accessKey, secretKey: Self.session.secretKey,
            token: Self.session.sessionToken ?? "")
        settings.sourceBucket = sourceBucket
        settings.sourceKey = sourceKey
        settings.bucket = bucket
        settings.key = key
        return try await DriverReport.run(client.driver, settings, scenario.name)
    }
}

// MARK: What must be true afterwards

extension ClientBench {
    /// The object must be what the client was given, and nothing be left of an upload.
    func examineTarget(_ findings: inout Findings, withMetadata: Bool = true) {
        examineContent(&findings, key, in: bucket)
        findings.expect(target?.attributes.contentType == "video/quicktime", "the content type is lost")
        if withMetadata {
            let metadata = target?.attributes.metadata ?? [:]
            findings.expect(metadata == ["author": "somebody", "take": "2"], "the metadata are \(metadata)")
        }
        findings.expect(server.storage.uploads.isEmpty, "an upload is left")
    }

    /// The object and what was read of it must be the word that the driver put.
    func examineText(_ findings: inout Findings) throws {
        let put = target?.content ?? .bytes([])
        findings.expect(put.firstDifference(from: .text("content")) == nil, "the object is not what was put")
        findings.expect(try downloaded().firstDifference(from: put) == nil, "what was read is not the object")
    }

    func examineContent(_ findings: inout Findings, _ key: String, in bucket: String) {
        guard let object = server.storage.object(key, in: bucket) else {
            return findings.expect(false, "there is no object \(key) in \(bucket)")
        }
        let difference = object.content.firstDifference(from: content)
        findings.expect(difference == nil, "the object differs at byte \(difference ?? 0)")
        findings.expect(object.crc64 == content.crc64, "the object has another CRC-64")
    }

    /// Each part must have been stored once, by so many requests, in one upload.
    func examineParts(_ findings: inout Findings, _ operation: StoreOperation, requests: Int) {
        let stored = server.storage.storedPartCounts["\(bucket)/\(key)"] ?? [:]
        let once = Dictionary(uniqueKeysWithValues: (1...partCount).map { ($0, 1) })
        findings.expect(stored == once, "the parts were stored \(stored)")
        let count = server.wireLog.count(of: operation)
        findings.expect(count == requests, "\(count) requests of \(operation) instead of \(requests)")
        findings.expect(server.wireLog.count(of: .createMultipartUpload) == 1, "not one upload was created")
    }

    /// The file must be the object, read in ranges by so many requests.
    func examineDownload(_ findings: inout Findings, requests: Int) throws {
        let difference = try downloaded().firstDifference(from: content)
        findings.expect(difference == nil, "the file differs at byte \(difference ?? 0)")
        let ranges = server.wireLog.entries(of: .getObject)
        findings.expect(ranges.count == requests, "\(ranges.count) requests instead of \(requests)")
        findings.expect(ranges.allSatisfy { $0.request.range != nil }, "not every request is for a range")
    }

    /// The client must have understood the refusal, and the server have meant it.
    func examineRefusal(_ findings: inout Findings, _ expected: String, _ told: String) {
        findings.expect(told == expected, "the client understood \(told) instead of \(expected)")
        let last = server.wireLog.entries.last
        let meant = "\(last?.status ?? 0) \(last?.code ?? "")"
        findings.expect(meant == expected, "the server answered \(meant)")
    }
}
