import TransferPrimitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension V4Signer {
    /// How long a presigned URL may live, in seconds: a week at most (TOS specification, section 3.10).
    package static let presignedLifetimes = 1...604_800

    /// The request with the signature in its query, for whoever is given its `url`. The signature covers method, host,
    /// path and query; changing any of them afterwards invalidates it.
    ///
    /// - Parameter lifetime: Whole seconds from `date`, within `presignedLifetimes`.
    package func presign(
        _ request: HTTPRequest, with credentials: Credentials, at date: Date, lifetime: Int
    ) throws -> HTTPRequest {
        guard Self.presignedLifetimes.contains(lifetime) else { throw PresignError.lifetime(lifetime) }
        let moment = keys.moment(date)
        var scope = Array("\(credentials.accessKey)/".utf8)
        appendScope(moment, to: &scope)
        let names = dialect.queryNames

        var request = request
        request.query.append(.init(names.algorithm, dialect.algorithm))
        request.query.append(.init(names.credential, String(decoding: scope, as: UTF8.self)))
        request.query.append(.init(names.date, moment.date))
        request.query.append(.init(names.expires, String(lifetime)))
        if let token = credentials.securityToken { request.query.append(.init(names.securityToken, token)) }
        // Names do not depend on the query, so the list can be taken before it is part of it.
        let listed = presignedRequest(request).listedNames
        if !listed.isEmpty { request.query.append(.init(names.headers, String(decoding: listed, as: UTF8.self))) }

        let text = stringToSign(presignedRequest(request).bytes, moment)
        request.query.append(.init(names.signature, Hex.encode(signature(of: text, credentials, moment))))
        return request
    }

    /// What is signed of a request whose query holds all parameters but the signature.
    func presignedRequest(_ request: HTTPRequest) -> CanonicalRequest {
        CanonicalRequest(request, dialect, presignedHeaders, payload: V4Dialect.unsignedPayload)
    }
}

/// A URL that cannot be presigned as asked.
package enum PresignError: Error, Sendable, Hashable, CustomStringConvertible {
    case lifetime(Int)

    package var description: String {
        switch self {
        case .lifetime(let seconds): "lifetime of \(seconds) s is outside 1...604800 s"
        }
    }
}
