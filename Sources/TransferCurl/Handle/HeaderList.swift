import CCurl
import TransferHTTP

/// The header lines of one request as the list that libcurl reads while it sends: list nodes and text in two blocks of
/// memory that are kept from request to request.
struct HeaderList: ~Copyable {
    private var text: UnsafeMutableRawBufferPointer
    private var nodes: UnsafeMutableBufferPointer<curl_slist>
    /// Lines that every request has, owned and never changed.
    private let constant: UnsafeMutablePointer<curl_slist>?

    /// - Parameter constant: A list that outlives this one.
    init(constant: UnsafeMutablePointer<curl_slist>?) {
        text = .allocate(byteCount: 1024, alignment: 1)
        nodes = .allocate(capacity: 16)
        self.constant = constant
    }

    deinit {
        text.deallocate()
        nodes.deallocate()
    }

    /// The list for `headers`, valid until the next call.
    mutating func fill(_ headers: HTTPHeaders) -> UnsafeMutablePointer<curl_slist>? {
        guard !headers.isEmpty else { return constant }
        if headers.bytes.count > text.count {
            text.deallocate()
            text = .allocate(byteCount: headers.bytes.count * 2, alignment: 1)
        }
        if headers.count > nodes.count {
            nodes.deallocate()
            nodes = .allocate(capacity: headers.count * 2)
        }
        text.copyBytes(from: headers.bytes)
        guard let base = text.baseAddress?.assumingMemoryBound(to: CChar.self), let first = nodes.baseAddress else {
            return constant
        }
        for (index, field) in headers.fields.enumerated() {
            if field.valueLength == 0 {
                // "name:" tells libcurl to leave the header out; "name;" sends it without a value.
                base[field.start + field.nameLength] = CChar(UInt8(ascii: ";"))
                base[field.start + field.nameLength + 1] = 0
            }
            let next = index + 1 < headers.count ? first + index + 1 : constant
            (first + index).initialize(to: curl_slist(data: base + field.start, next: next))
        }
        return first
    }
}
