package import TransferCore
package import TransferCurl

extension CurlTransport {
    /// A transport, or a `TransferError`: `.unsupported`, or `.invalidArgument` that names the field.
    ///
    /// - Parameter prefix: What stands before the field's name: where users find the settings.
    package convenience init(
        checking configuration: TransportConfiguration, field prefix: String = "transport."
    ) throws(TransferError) {
        do {
            try self.init(configuration)
        } catch let error as TransportConfigurationError {
            throw .invalidArgument(prefix + error.field, error.message)
        } catch {
            throw TransferError(.unsupported, "libcurl cannot be used: \(error)", underlying: error)
        }
    }
}
