package import TransferCore
package import TransferHTTP
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The headers of one request while it is put together; a value that cannot be sent is refused by its field's name.
package struct HeaderFields {
    package private(set) var headers: HTTPHeaders

    package init(_ headers: HTTPHeaders = HTTPHeaders()) { self.headers = headers }

    /// Adds a header; nothing for nil.
    ///
    /// - Parameters:
    ///   - field: What users call it: `.invalidArgument` names it when the value is empty or cannot be sent.
    ///   - name: The header.
    package mutating func add(_ field: String, _ name: String, _ value: String?) throws(TransferError) {
        guard let value else { return }
        guard !value.isEmpty else { throw .invalidArgument(field, "is empty; leave it nil when it is not wanted") }
        try append(field, name, value)
    }

    /// The same with an HTTP date, which tells whole seconds.
    package mutating func add(_ field: String, _ name: String, _ date: Date?) throws(TransferError) {
        try add(field, name, date.map(HTTPDate.format))
    }

    /// User metadata, as the provider writes it in headers. An empty value is legal.
    package mutating func addMetadata(
        _ field: String, _ metadata: [String: String], coding: (String, String) -> (name: String, value: String)
    ) throws(TransferError) {
        var seen: Set<String> = []
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
            guard seen.insert(name.lowercased()).inserted else {
                throw .invalidArgument(field, "\(name.debugDescription) differs from another name by case alone")
            }
            let header = coding(name, value)
            try append(field, header.name, header.value)
        }
    }

    /// Object tags as one header: pairs joined by `&`, names and values percent-encoded; nothing for none.
    package mutating func addTags(_ name: String, _ tags: [String: String]) throws(TransferError) {
        guard !tags.isEmpty else { return }
        let pairs = tags.sorted { $0.key < $1.key }
            .map { PercentEncoding.component($0.key) + "=" + PercentEncoding.component($0.value) }
        try add("tagging", name, pairs.joined(separator: "&"))
    }

    /// Bits per second, within what the provider allows.
    package mutating func addTrafficLimit(
        _ name: String, _ limit: Int?, within limits: ClosedRange<Int>
    ) throws(TransferError) {
        guard let limit else { return }
        guard limits.contains(limit) else {
            throw .invalidArgument(
                "trafficLimit", "\(limit) is outside \(limits.lowerBound)…\(limits.upperBound) bits per second")
        }
        try add("trafficLimit", name, String(limit))
    }

    private mutating func append(_ field: String, _ name: String, _ value: String) throws(TransferError) {
        do {
            try headers.append(name, value)
        } catch {
            throw .invalidArgument(field, error.description)
        }
    }
}
