package import TransferHTTP
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Signs requests to OSS in either version. Requests need `canonicalPath`.
package struct OSSRequestSigner: RequestSigner {
    enum Algorithm: Sendable {
        case v4(V4Signer)
        case v1(V1Signer)
    }

    let algorithm: Algorithm

    /// - Parameters:
    ///   - region: Without `oss-`. Not part of a V1 signature.
    ///   - additionalHeaders: Names of headers that a V4 signature covers besides those it covers anyway.
    package init(_ version: OSSSignatureVersion, region: String, additionalHeaders: [String] = []) {
        algorithm =
            switch version {
            case .v4: .v4(V4Signer(.oss4, region: region, additionalHeaders: additionalHeaders))
            case .v1: .v1(V1Signer())
            }
    }

    package func sign(_ request: inout HTTPRequest, with credentials: Credentials, at date: Date) throws {
        // V1 signs it; with V4 it is sent beside `x-oss-date` (spec section 3.2).
        try request.headers.set("Date", HTTPDate.format(date))
        switch algorithm {
        case .v4(let signer): try signer.sign(&request, with: credentials, at: date)
        case .v1(let signer): try signer.sign(&request, with: credentials)
        }
    }
}
