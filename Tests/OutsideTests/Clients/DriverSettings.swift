import ObjectStoreStub
import StubFixtures

/// What a driver is told about the server and the objects.
struct DriverSettings: Encodable {
    struct Session: Encodable {
        let accessKey: String
        let secretKey: String
        let token: String
    }

    let port: UInt16
    var region: String
    var addressing = OutsideClient.Addressing.path
    var signature = "v4"
    /// Whether boto3 sends checksums that nobody asked for, in its own words.
    var checksums = "when_supported"
    let accessKey: String
    let secretKey: String
    var session = Session(accessKey: "", secretKey: "", token: "")
    var sourceBucket = GoldenObject.sourceBucket
    var sourceKey = GoldenObject.key
    var bucket = GoldenObject.bucket
    var key = GoldenObject.key
    let partSize: Int
    let directory: String
    /// What the objects of a recording are given.
    let contentType = GoldenObject.contentType
    let metadata = GoldenObject.metadata

    init(_ server: ObjectStoreStub, partSize: Int, directory: String) {
        port = server.port
        region = server.region
        accessKey = server.accessKey
        secretKey = server.secretKey
        self.partSize = partSize
        self.directory = directory
    }
}
