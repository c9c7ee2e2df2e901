extension VODParameters {
    /// The parameters of the operation itself, without those that every request of the OpenAPI carries.
    var withoutCommon: VODParameters {
        VODParameters(values: values.filter { !Self.commonNames.contains($0.key) })
    }

    /// Alibaba Cloud: common parameters of RPC-style requests.
    private static let commonNames: Set = [
        "AccessKeyId", "Action", "Format", "SecurityToken", "Signature", "SignatureMethod", "SignatureNonce",
        "SignatureVersion", "Timestamp", "Version",
    ]
}
