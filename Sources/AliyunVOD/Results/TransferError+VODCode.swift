internal import TransferCore
internal import TransferPrimitives

extension TransferError {
    /// Whether somebody wanted it so.
    var isLifecycleEnd: Bool { [.paused, .aborted, .disposed].contains(code) }

    /// The code of the upload SDKs (spec section 5.9): a service's own passes through, what happened here has a name of its own.
    var vodCode: String {
        if isLifecycleEnd { return "FileAlreadyCancel" }
        if let code = service?.code { return code }
        return switch code {
        case .invalidArgument, .cancelHookUsed, .unsupported: "InvalidArgument"
        case .fileUnreadable: isFileMissing ? "FileNotExist" : "ReadFileError"
        case .sourceChanged: "ReadFileError"
        case .credentialsUnavailable:
            underlying is UnusableAuthAnswer ? "InvalidParameter.TokenInvalid" : "GetUploadAuthFailed"
        case .credentialsExpired: "UploadTokenExpired"
        case .accessDenied, .credentialsInvalid, .signatureMismatch: "PermissionDenied"
        case .uploadNotFound: "NoSuchUpload"
        case .tooLarge: "EntityTooLarge"
        case .timedOut: "RequestTimeOut"
        case .checkpointInUse, .conflict: "Upload Status Error"
        default: "ClientException"
        }
    }

    /// The message for readers who are told the service's code beside it.
    var messageWithoutServiceCode: String {
        guard let code = service?.code else { return message }
        return message.hasPrefix("\(code): ") ? String(message.dropFirst(code.count + 2)) : service?.message ?? message
    }

    private var isFileMissing: Bool { (underlying as? SystemCallError)?.isNotFound ?? false }
}
