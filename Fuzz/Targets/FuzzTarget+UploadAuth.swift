@testable import AliyunOSS
@testable import AliyunVOD
import TransferCore
import TransferHTTP
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FuzzTarget {
    /// An answer of `getAuth`: as it is, or put together from its two parts, which are then base64 as they have to be.
    static let uploadAuth = FuzzTarget(name: "auth") { bytes in
        var input = FuzzInput(bytes)
        let mode = input.byte()
        let kind = VODAuthKind.allCases[Int(mode >> 1) % VODAuthKind.allCases.count]
        let now = Date(timeIntervalSince1970: 1_767_225_600)
        guard mode & 1 == 1 else {
            check(Data(input.rest), kind, now, secret: nil)
            return
        }
        let address = input.line()
        let auth = Array(input.rest)
        let answer = [
            "UploadAddress": Base64.encode(address), "UploadAuth": Base64.encode(auth), "VideoId": "v", "ImageId": "i",
        ]
        guard let json = try? JSONEncoder().encode(answer) else { return }
        check(json, kind, now, secret: JSONMembers(parsing: auth)?["AccessKeySecret"])
    }

    private static func check(_ json: Data, _ kind: VODAuthKind, _ now: Date, secret: String?) {
        do throws(TransferError) {
            check(try AuthAnswer(json, kind: kind, now: now), kind, now)
        } catch {
            require(error.code == .credentialsUnavailable, "an answer of another kind: \(error.code)")
            require(!error.description.contains(where: \.isNewline), "an error of several lines")
            if let secret, secret.utf8.count >= 24 {
                require(!String(reflecting: error).contains(secret), "an error that tells the secret")
            }
        }
    }

    private static func check(_ answer: AuthAnswer, _ kind: VODAuthKind, _ now: Date) {
        let grant = answer.grant
        require(kind != .createVideo || answer.videoID != nil, "a video without an id")
        require(kind != .createImage || answer.imageID != nil, "an image without an id")
        let texts = [grant.credentials.accessKey, grant.credentials.secretKey, grant.credentials.securityToken ?? "-"]
        require(texts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isVisible) }, "keys that no header can carry")
        if let expiration = grant.credentials.expiration, !grant.isFreshOnArrival {
            require(expiration <= now, "fresh keys that are called stale")
        }
        if let region = grant.region { require(region.utf8.allSatisfy(isVisible), "a region that cannot be signed") }
        checkRequest(grant)
    }

    /// A request for the object that was granted is one request, to the host that was named.
    private static func checkRequest(_ grant: UploadGrant) {
        let asked = OSSRequest(.headObject, .head, grant.target)
        guard let request = try? asked.httpRequest(at: grant.endpoint, by: AliyunOSS.AddressRule()) else { return }
        let prefix = "\(grant.endpoint.scheme.rawValue)://"
        require(request.endpoint.host.hasSuffix(grant.endpoint.host), "another host")
        require(request.url.hasPrefix(prefix + request.endpoint.authority + "/"), "a URL that reads otherwise")
        require(request.url.utf8.allSatisfy(isVisible), "a URL that parts the request")
        require(!request.url.contains("?") && !request.url.contains("#"), "a query of the key's")
    }

    static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }
}
