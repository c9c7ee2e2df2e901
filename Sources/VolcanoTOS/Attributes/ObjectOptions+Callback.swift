internal import S3Wire
internal import TransferCore

extension ObjectOptions {
    /// What TOS is to tell another server, as fields of the request that makes the object stand.
    mutating func setCallback(_ callback: String?, _ variables: String?, _ dialect: S3Dialect) {
        extras[dialect.extra("callback")] = callback
        extras[dialect.extra("callback-var")] = variables
    }
}

extension TransferReceipt {
    /// What the called server answered; nil without a callback.
    func callbackResult(_ dialect: S3Dialect) -> String? { extras[dialect.extra("callback")] }
}
