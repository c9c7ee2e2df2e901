import ObjectTransfer

/// What an application may tell its user when a transfer did not succeed.
func advice(_ error: any Error) -> String {
    guard let error = error as? TransferError else { return "cancelled" }
    switch error.code {
    case .paused: return "paused; the same call goes on"
    case .aborted: return "given up; nothing is left of it"
    case .invalidArgument: return "\(error.field ?? "an argument") cannot be: \(error.message)"
    case .notFound: return "there is no \(error.object.map { "\($0)" } ?? "such object")"
    case .accessDenied, .credentialsInvalid, .signatureMismatch: return "the keys do not allow it: \(error.message)"
    case .checkpointInUse: return "it is running already"
    default: return error.description
    }
}
