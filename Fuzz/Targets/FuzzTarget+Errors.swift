@testable import AliyunOSS
@testable import AliyunVOD
@testable import AmazonS3
@testable import S3Wire
import TransferCore
@testable import TransferHTTP
import TransferService
@testable import VolcanoTOS

extension FuzzTarget {
    /// A refusal: status, type and two headers from the first lines, the body behind them; read by one of the dialects.
    static let errorBodies = FuzzTarget(name: "error") { bytes in
        var input = FuzzInput(bytes)
        let status = 100 + Int(input.byte()) + Int(input.byte())
        var headers = HTTPHeaders()
        for name in ["Content-Type", "x-oss-ec", "x-tos-ec"] { try? headers.append(name, input.text()) }
        let response = HTTPResponse(status: status, headers: headers, body: Array(input.rest))
        // One reader at a time, which the status chooses as well: each takes its time.
        switch status % 5 {
        case 0:
            check(OSSFailureReader().failure(in: response), of: response) { failure in
                FailureContext(OSSOperation.getObject, object).error(failure)
            }
        case 1:
            check(OpenAPIFailureReader().failure(in: response), of: response) { failure in
                TransferError(openAPI: failure, operation: "CreateUploadVideo")
            }
        case let number:
            let dialect = dialects[number - 2]
            check(S3FailureReader(dialect).failure(in: response), of: response) { failure in
                FailureContext(operation: .getObject, object: object).error(failure, dialect)
            }
        }
    }

    private static let object = ObjectLocation(bucket: "bucket", key: "key")

    static let dialects: [S3Dialect] = [
        S3Dialect(.native), S3Dialect(.s3Compatible),
        .amazon(honoursCopyPreconditions: true, decodesPartCopySourceTwice: nil),
    ]

    private static let credentials = Credentials(
        accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG", securityToken: "CAISlQJ1q6Ft5B2yfSjIr5DDEtn")

    /// Whatever was answered, a status that is no success is a failure, and the error is one line without secrets.
    private static func check(
        _ failure: ServiceFailure?, of response: HTTPResponse, _ error: (ServiceFailure) -> any Error
    ) {
        guard var failure else { return require(response.isSuccess, "a refusal that is none") }
        require(!response.isSuccess, "a success that is none")
        failure.message = failure.message.map { redacted($0, credentials) }
        let text = "\(error(failure))"
        require(!text.isEmpty && !text.contains(where: \.isNewline), "an error of several lines")
        require(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "a control character")
        let message = failure.message ?? ""
        for secret in [credentials.secretKey, credentials.securityToken ?? ""] {
            require(!message.contains(secret), "a message with a secret")
        }
    }
}
