package import TransferCore
package import TransferHTTP

extension HTTPBody {
    /// The bytes of a part, with their CRC-64 summed as they are sent.
    package init(_ body: PartBody) {
        self = .source(body.source, offset: body.range.offset, length: body.range.length, computesCRC64: true)
    }
}
