internal import AliyunOSS
internal import TransferHTTP
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Signs for the region that the credentials of an upload are for, which is not known before they are.
final class GrantSigner: RequestSigner {
    private let version: OSSSignatureVersion
    private let session: UploadSession
    private let latest = LockBox<(region: String, signer: OSSRequestSigner)?>(nil)

    init(_ version: OSSSignatureVersion, session: UploadSession) {
        self.version = version
        self.session = session
    }

    func sign(_ request: inout HTTPRequest, with credentials: Credentials, at date: Date) throws {
        let region = session.region
        let signer = latest.withLock { latest in
            if let latest, latest.region == region { return latest.signer }
            let signer = OSSRequestSigner(version, region: region)
            latest = (region, signer)
            return signer
        }
        try signer.sign(&request, with: credentials, at: date)
    }
}
