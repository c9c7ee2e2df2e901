internal import TransferHTTP

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Signs UploadPart as a transfer does, with the day's key kept.
struct SigningStep {
    struct Dialect {
        let name: String
        let value: V4Dialect
    }

    static let dialects = [
        Dialect(name: "OSS", value: .oss4), Dialect(name: "TOS", value: .tos4), Dialect(name: "S3", value: .aws4),
    ]

    private let signer: V4Signer
    private let request: HTTPRequest
    private let credentials: Credentials
    private let date = Date(timeIntervalSince1970: 1_790_000_000)

    init(_ dialect: Dialect) throws {
        signer = V4Signer(dialect.value, region: "cn-beijing")
        var request = HTTPRequest(
            .put, at: try HTTPEndpoint(scheme: .https, host: "films.example.com"), path: "/a/b/c.mov",
            query: [.init("partNumber", "17"), .init("uploadId", "0123456789ABCDEF0123456789ABCDEF")])
        request.canonicalPath = "/films/a/b/c.mov"
        try request.headers.append("Content-Type", "application/octet-stream")
        self.request = request
        credentials = Credentials(accessKey: "benchmarkaccesskey", secretKey: "benchmarksecretkey")
    }

    func sign() throws -> Int {
        var request = request
        try signer.sign(&request, with: credentials, at: date)
        return request.headers.count
    }
}
