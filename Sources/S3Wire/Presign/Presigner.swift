package import TransferCore
package import TransferHTTP
internal import TransferPrimitives
internal import TransferService

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Builds presigned URLs. Pure: moment and credentials are given.
package struct Presigner: Sendable {
    private let dialect: S3Dialect
    private let address: AddressRule
    private let region: String

    package init(_ dialect: S3Dialect, at address: AddressRule, region: String) {
        self.dialect = dialect
        self.address = address
        self.region = region
    }

    /// A URL and when it stops working, which is when the credentials do if that is earlier.
    ///
    /// - Parameters:
    ///   - headers: What must be sent with it, value by value.
    ///   - lifetime: Whole seconds.
    ///   - field: What users call the lifetime.
    package func url(
        _ method: HTTPMethod, _ object: ObjectLocation, query: [String: String], headers: [String: String],
        lifetime: Int, field: String, with credentials: Credentials, at now: Date
    ) throws -> (text: String, expiration: Date) {
        try credentials.checkSigning()
        let lifetimes = V4Signer.presignedLifetimes
        guard lifetimes.contains(lifetime) else {
            throw TransferError.invalidArgument(
                field, "\(lifetime) is outside \(lifetimes.lowerBound)…\(lifetimes.upperBound) seconds")
        }
        // Every header that is given is signed, so that it must be sent.
        let signer = V4Signer(dialect.signature, region: region, additionalHeaders: Array(headers.keys))
        let signed = try signer.presign(
            try request(method, object, query, headers), with: credentials, at: now, lifetime: lifetime)
        // The signature counts whole seconds.
        let start = now.timeIntervalSince1970.rounded(.down)
        let expiration = Date(timeIntervalSince1970: start + Double(lifetime))
        return (signed.url, min(expiration, credentials.expiration ?? expiration))
    }

    private func request(
        _ method: HTTPMethod, _ object: ObjectLocation, _ query: [String: String], _ headers: [String: String]
    ) throws(TransferError) -> HTTPRequest {
        let location = try address.location(bucket: object.bucket, key: object.key)
        var request = HTTPRequest(method, at: location.endpoint, path: location.path)
        if let versionID = object.versionID { request.query.append(.init("versionId", versionID)) }
        for (name, value) in query.sorted(by: { $0.key < $1.key }) {
            guard !name.isEmpty, !isOfSignature(name) else {
                throw .invalidArgument("query", "\(name.debugDescription) is no parameter of the caller's")
            }
            request.query.append(.init(name, value))
        }
        var fields = HeaderFields()
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            guard name.lowercased() != "host" else {
                throw .invalidArgument("headers", "Host is that of the URL, and is signed anyway")
            }
            try fields.add("headers", name, value)
        }
        request.headers = fields.headers
        return request
    }

    /// Whether the signature itself puts this into the query.
    private func isOfSignature(_ name: String) -> Bool {
        let names = dialect.signature.queryNames
        return [
            names.algorithm, names.credential, names.date, names.expires, names.securityToken, names.headers,
            names.signature,
        ].contains { $0.lowercased() == name.lowercased() }
    }
}
