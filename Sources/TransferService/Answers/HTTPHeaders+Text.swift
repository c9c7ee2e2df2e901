package import TransferHTTP

extension HTTPHeaders {
    /// The value of the first field of that name, unless it is empty.
    package func text(_ name: String) -> String? {
        guard let text = self[name], !text.isEmpty else { return nil }
        return text
    }

    /// The CRC-64 in the field of that name; nil, which means "not verified", when it is no unsigned decimal number of 64
    /// bits.
    package func crc64(_ name: String) -> UInt64? { text(name).flatMap { UInt64($0) } }
}
