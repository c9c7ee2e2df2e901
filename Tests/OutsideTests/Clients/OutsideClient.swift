/// An official client in one way of using it: a row of the table.
struct OutsideClient: Sendable {
    /// How the client names the bucket.
    enum Addressing: String, Codable {
        case path
        case host
        /// By a domain name that stands for the bucket.
        case domain
    }

    /// The package's name in PyPI.
    let package: String
    let driver: String
    /// Which of its signatures it uses, as the driver calls it.
    var signature = "v4"
    var addressing = Addressing.path
    /// Whether it signs for the region of OSS.
    var isAliyun = false
    /// How the server refuses a wrong session token.
    var tokenRefusal = "403 InvalidSecurityToken"
    /// Whether it resumes with a list of parts that real services may refuse: tos 2.9.3 does not sort it.
    var listsPartsOutOfOrder = false
    /// The way of using it, in words.
    let variant: String
    /// The table that its row belongs to.
    var table = "Clients of object services"
    let partSize: Int
    let scenarios: [ClientScenario]

    static let all = [
        OutsideClient(
            package: "oss2", driver: "drive_oss2.py", signature: "v1", isAliyun: true,
            variant: "V1, bucket in the path",
            partSize: 100 << 10,
            scenarios: ClientScenario.steps + [.sessionToken, .resumableUpload, .resumableDownload]),
        OutsideClient(
            package: "oss2", driver: "drive_oss2.py", addressing: .host, isAliyun: true,
            variant: "V4, bucket in the host", partSize: 100 << 10,
            scenarios: ClientScenario.steps + [.sessionToken, .resumableUpload, .resumableDownload]),
        OutsideClient(
            package: "alibabacloud-oss-v2", driver: "drive_oss_v2.py", signature: "v1", addressing: .host,
            isAliyun: true, variant: "V1, bucket in the host", partSize: 100 << 10,
            scenarios: ClientScenario.steps + [.tokenInURL, .resumableUpload, .resumableDownload, .fileCopy]),
        OutsideClient(
            package: "alibabacloud-oss-v2", driver: "drive_oss_v2.py", isAliyun: true,
            variant: "V4, bucket in the path", partSize: 100 << 10,
            scenarios: ClientScenario.steps + [.sessionToken, .resumableUpload, .resumableDownload, .fileCopy]),
        tos(.host, "native, bucket in the host"),
        tos(.domain, "native, custom domain"),
        boto3(.path, "bucket in the path"),
        boto3(.host, "bucket in the host"),
        OutsideClient(
            package: "alibabacloud-vod20170321", driver: "drive_vod.py", isAliyun: true,
            tokenRefusal: "400 InvalidSecurityToken.MismatchWithAccessKey", variant: "ACS3", table: "Clients of VOD",
            partSize: 100 << 10, scenarios: ClientScenario.media),
    ]

    private static func tos(_ addressing: Addressing, _ variant: String) -> OutsideClient {
        OutsideClient(
            package: "tos", driver: "drive_tos.py", addressing: addressing, listsPartsOutOfOrder: true,
            variant: variant, partSize: 5 << 20,
            scenarios: ClientScenario.steps + [.sessionToken, .resumableUpload, .resumableDownload, .resumableCopy])
    }

    private static func boto3(_ addressing: Addressing, _ variant: String) -> OutsideClient {
        OutsideClient(
            package: "boto3", driver: "drive_boto3.py", addressing: addressing, tokenRefusal: "400 InvalidToken",
            variant: variant, partSize: 5 << 20,
            scenarios: ClientScenario.steps + [.sessionToken, .fileUpload, .fileDownload, .fileCopy])
    }
}
