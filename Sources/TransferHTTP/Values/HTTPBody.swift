package import TransferPrimitives

/// The body of a request: how long it is, where its bytes come from, whether it can be sent again.
///
/// A source is read at offsets, straight into the transport's buffer: a slice of a file costs one `pread` per buffer and
/// no copy.
package struct HTTPBody: Sendable {
    package enum Content: Sendable {
        case none
        case bytes([UInt8])
        /// `length` bytes of the source from `offset`.
        case source(any ByteSource, offset: UInt64, length: UInt64)
    }

    package let content: Content
    /// False for bytes that exist once only; such a request is never repeated.
    package let isReplayable: Bool
    /// Whether the CRC-64 of the bytes is summed as they pass; see `HTTPResponse.sentCRC64`.
    package let computesCRC64: Bool

    /// No body. PUT and POST then say `Content-Length: 0`.
    package static let none = HTTPBody(content: .none, isReplayable: true, computesCRC64: false)

    package static func bytes(_ bytes: [UInt8], computesCRC64: Bool = false) -> HTTPBody {
        HTTPBody(content: .bytes(bytes), isReplayable: true, computesCRC64: computesCRC64)
    }

    /// The stretch of `source` from `offset`, cut to the source's end; all of it by default.
    package static func source(
        _ source: any ByteSource, offset: UInt64 = 0, length: UInt64 = .max, isReplayable: Bool = true,
        computesCRC64: Bool = false
    ) -> HTTPBody {
        let end = source.length
        let offset = min(offset, end)
        return HTTPBody(
            content: .source(source, offset: offset, length: min(length, end - offset)), isReplayable: isReplayable,
            computesCRC64: computesCRC64)
    }

    /// Bytes.
    package var length: UInt64 {
        switch content {
        case .none: 0
        case .bytes(let bytes): UInt64(bytes.count)
        case .source(_, _, let length): length
        }
    }

    /// Copies bytes from `offset` within the body into `buffer`; 0 only at the end, or when the source ended early.
    package func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset < length, !buffer.isEmpty else { return 0 }
        let wanted = Int(min(UInt64(buffer.count), length - offset))
        let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        switch content {
        case .none: return 0
        case .bytes(let bytes):
            let start = Int(offset)
            bytes.withUnsafeBytes {
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + wanted]))
            }
            return wanted
        case .source(let source, let start, _): return try source.read(at: start + offset, into: target)
        }
    }
}
