package import TransferCore
package import TransferHTTP
internal import TransferPrimitives

extension HTTPResponse {
    /// Throws when the service holds other bytes than were sent; another attempt may go better. Nothing is compared where
    /// either side does not know.
    ///
    /// - Parameter stored: The CRC-64 that the service states.
    package func checkSentCRC64(_ stored: UInt64?) throws(TransferError) {
        guard let sentCRC64, let stored, sentCRC64 != stored else { return }
        throw TransferError(
            .checksumMismatch, "the CRC-64 of the bytes sent is \(sentCRC64), and of those stored \(stored)",
            retry: .backoff)
    }
}
