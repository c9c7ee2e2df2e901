internal import AliyunOSS
internal import TransferCore
internal import TransferHTTP
internal import VolcanoTOS

/// Asks a backend for its parts and has the answer there: signing, layers and reading, without a network.
struct ListingStep {
    enum Wire: String, CaseIterable {
        case oss = "XML (OSS)"
        case s3 = "XML (TOS)"
        case tos = "JSON (TOS)"
    }

    private let backend: any TransferBackend
    private let shutDown: () async -> Void
    private let upload = MultipartUpload(
        id: "0123456789ABCDEF", target: ObjectLocation(bucket: "films", key: "a.mov"))

    init(_ wire: Wire) throws {
        let transport = CannedTransport(document: wire == .tos ? PartsDocument.json : PartsDocument.xml)
        let credentials = Credentials(accessKey: "benchmarkaccesskey", secretKey: "benchmarksecretkey")
        if wire == .oss {
            let client = try OSSClient(
                configuration: OSSClientConfiguration(
                    endpoint: OSSEndpoint(region: "cn-shanghai"), credential: credentials),
                transport: transport)
            backend = OSSBackend(client)
            shutDown = client.shutdown
        } else {
            let endpoint = TOSEndpoint(region: "cn-beijing", wireFormat: wire == .tos ? .native : .s3Compatible)
            let configuration = TOSClientConfiguration(endpoint: endpoint, credential: credentials)
            let client = try TOSClient(configuration: configuration, transport: transport)
            backend = TOSBackend(client)
            shutDown = client.shutdown
        }
    }

    func list() async throws -> Int {
        let parts = try await backend.listParts(of: upload)
        guard parts.count == PartsDocument.count else {
            throw TransferError(.malformedResponse, "\(parts.count) parts were read")
        }
        return parts.count
    }

    func end() async { await shutDown() }
}

/// Answers everything with one document.
private struct CannedTransport: HTTPTransport {
    let response: HTTPResponse

    init(document: String) {
        response = HTTPResponse(status: 200, body: Array(document.utf8))
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { response }
    func shutdown() async {}
}

/// One page of a listing, as services write it.
private enum PartsDocument {
    static let count = 1000

    static var xml: String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListPartsResult><Bucket>films</Bucket><Key>a.mov</Key><UploadId>0123456789ABCDEF</UploadId>\
            <MaxParts>1000</MaxParts><NextPartNumberMarker>1000</NextPartNumberMarker><IsTruncated>false</IsTruncated>
            """
        for number in 1...count {
            text += """
                <Part><PartNumber>\(number)</PartNumber><LastModified>2026-01-01T00:00:00.000Z</LastModified>\
                <ETag>"\(tag(number))"</ETag><Size>8388608</Size><HashCrc64ecma>\(number)</HashCrc64ecma></Part>
                """
        }
        return text + "</ListPartsResult>"
    }

    static var json: String {
        let parts = (1...count).map { number in
            """
            {"PartNumber":\(number),"ETag":"\\"\(tag(number))\\"","Size":8388608,\
            "LastModified":"2026-01-01T00:00:00.000Z"}
            """
        }
        return """
            {"Bucket":"films","Key":"a.mov","UploadId":"0123456789ABCDEF","MaxParts":1000,"IsTruncated":false,\
            "NextPartNumberMarker":1000,"Parts":[\(parts.joined(separator: ","))]}
            """
    }

    private static func tag(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "a", count: 32 - digits.count) + digits
    }
}
