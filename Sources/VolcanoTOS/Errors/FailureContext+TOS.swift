internal import TransferCore
internal import TransferHTTP
internal import TransferService

extension FailureContext {
    init(
        operation: TOSOperation, object: ObjectLocation, part: Int? = nil, uploadID: String? = nil,
        guardsSource: Bool = false
    ) {
        self.init(
            operation: operation.rawValue, object: object, part: part, uploadID: uploadID, guardsSource: guardsSource)
    }

    /// The error that users of TOS see.
    func error(_ error: any Error) -> any Error { self.error(error, provider: TOSProvider.name, meaning: code) }

    private func code(of failure: ServiceFailure) -> TransferError.Code {
        // Only HEAD has no document by its nature.
        if failure.isFromIntermediary, operation != TOSOperation.headObject.rawValue { return .refused }
        let code = FailureClass(status: failure.status, serviceCode: failure.code, ec: failure.ec).code
        return guardsSource && code == .preconditionFailed ? .sourceChanged : code
    }
}
