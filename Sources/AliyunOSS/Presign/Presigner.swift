internal import TransferCore
internal import TransferHTTP
internal import TransferService

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Builds presigned URLs. Pure: moment and credentials are given.
struct Presigner {
    let address: AddressRule
    let region: String
    /// Where the input names none.
    let signature: OSSSignatureVersion
    /// Besides those that the input gives.
    let additionalHeaders: [String]

    func presign(
        _ input: OSSPresignInput, _ object: ObjectLocation, _ access: ServiceAccess, at now: Date
    ) throws -> OSSPresignOutput {
        try access.credentials.checkSigning()
        let version = input.signature ?? signature
        let longest = version == .v4 ? V4Signer.presignedLifetimes.upperBound : Int(Int32.max)
        guard (1...longest).contains(input.expires) else {
            throw TransferError.invalidArgument("expires", "\(input.expires) is outside 1…\(longest) seconds")
        }
        // Both signatures count whole seconds.
        let start = now.timeIntervalSince1970.rounded(.down)
        let expiration = Date(timeIntervalSince1970: start + Double(input.expires))
        let unsigned = try request(input, object, access)
        let signed: HTTPRequest
        switch version {
        case .v4:
            let signer = V4Signer(.oss4, region: region, additionalHeaders: additionalHeaders + input.headers.keys)
            signed = try signer.presign(unsigned, with: access.credentials, at: now, lifetime: input.expires)
        case .v1:
            guard let expires = Int64(exactly: expiration.timeIntervalSince1970) else {
                throw TransferError.invalidArgument("expires", "the clock shows no usable time")
            }
            signed = V1Signer().presign(unsigned, with: access.credentials, expires: expires)
        }
        return OSSPresignOutput(
            url: signed.url, method: input.method, signedHeaders: input.headers,
            expiration: min(expiration, access.credentials.expiration ?? expiration))
    }

    private func request(
        _ input: OSSPresignInput, _ object: ObjectLocation, _ access: ServiceAccess
    ) throws(TransferError) -> HTTPRequest {
        let location = try address.location(bucket: object.bucket, key: object.key, at: access.endpoint)
        var request = HTTPRequest(input.method.http, at: location.endpoint, path: location.path)
        request.canonicalPath = location.canonicalPath
        if let versionID = object.versionID { request.query.append(.init("versionId", versionID)) }
        for (name, value) in input.query.sorted(by: { $0.key < $1.key }) {
            guard !name.isEmpty, !Self.ofSignatures.contains(name) else {
                throw .invalidArgument("query", "\(name.debugDescription) is no parameter of the caller's")
            }
            request.query.append(.init(name, value.isEmpty ? nil : value))
        }
        request.query += input.overrides.query
        var fields = HeaderFields()
        for (name, value) in input.headers.sorted(by: { $0.key < $1.key }) { try fields.add("headers", name, value) }
        request.headers = fields.headers
        return request
    }

    private static let ofSignatures: Set = [
        "OSSAccessKeyId", "Expires", "Signature", "security-token", "x-oss-signature-version", "x-oss-date",
        "x-oss-expires", "x-oss-credential", "x-oss-security-token", "x-oss-additional-headers", "x-oss-signature",
    ]
}
