package import TransferCore
internal import TransferHTTP
package import TransferService

extension FailureContext {
    package init(
        operation: S3Operation, object: ObjectLocation, part: Int? = nil, uploadID: String? = nil,
        guardsSource: Bool = false
    ) {
        self.init(
            operation: operation.rawValue, object: object, part: part, uploadID: uploadID, guardsSource: guardsSource)
    }

    /// The error that users of the service see.
    package func error(_ error: any Error, _ dialect: S3Dialect) -> any Error {
        self.error(error, provider: dialect.provider, meaning: code)
    }

    private func code(of failure: ServiceFailure) -> TransferError.Code {
        // Only HEAD has no document by its nature.
        if failure.isFromIntermediary, operation != S3Operation.headObject.rawValue { return .refused }
        let code = FailureClass(status: failure.status, serviceCode: failure.code, ec: failure.ec).code
        // Ceph RGW keeps an upload as an object of its own, and misses that one.
        if failure.code == "NoSuchKey", operation == S3Operation.listParts.rawValue { return .uploadNotFound }
        return guardsSource && code == .preconditionFailed ? .sourceChanged : code
    }
}
