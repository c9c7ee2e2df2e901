internal import TransferCore
internal import TransferHTTP
internal import TransferService

extension FailureContext {
    init(_ operation: OSSOperation, _ object: ObjectLocation, guardsSource: Bool = false) {
        self.init(operation: operation.rawValue, object: object, guardsSource: guardsSource)
    }

    init(_ operation: OSSOperation, of upload: MultipartUpload, part: Int? = nil, guardsSource: Bool = false) {
        self.init(
            operation: operation.rawValue, object: upload.target, part: part, uploadID: upload.id,
            guardsSource: guardsSource)
    }

    /// The error that users of OSS see. What a provider of credentials says in the library's own words is not wrapped.
    ///
    /// - Parameter region: What requests are signed for, for the refusal of a wrong one.
    func error(_ error: any Error, signedFor region: String? = nil) -> any Error {
        var error = error
        if var failure = error as? ServiceFailure, let region, let message = failure.message,
            FailureClass.isWrongRegion(serviceCode: failure.code, message: message)
        {
            let words = message.hasSuffix(".") ? String(message.dropLast()) : message
            failure.message = "\(words); the client signs for \(region)"
            error = failure
        }
        if case CredentialsFailure.provider(let cause as TransferError) = error { error = cause }
        return self.error(error, provider: OSSProvider.name, meaning: code)
    }

    private func code(of failure: ServiceFailure) -> TransferError.Code {
        if failure.isFromIntermediary { return .refused }
        let code = FailureClass(status: failure.status, serviceCode: failure.code, message: failure.message).code
        // Not a target that must not be replaced, which has codes of its own.
        let isOfSource = guardsSource && [nil, "PreconditionFailed"].contains(failure.code)
        return isOfSource && code == .preconditionFailed ? .sourceChanged : code
    }
}
