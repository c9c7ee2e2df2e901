internal import AliyunOSS
internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The leave to write one object: which, where, and with which credentials.
struct UploadGrant: Sendable, Hashable {
    let target: ObjectLocation
    let endpoint: HTTPEndpoint
    let credentials: Credentials
    /// The region to sign for, where credentials or endpoint tell it.
    let region: String?
    /// Whether the credentials were still good when they came, by a clock that may be wrong.
    let isFreshOnArrival: Bool
    let received: Date

    /// Reads the fields of both blobs (spec section 1.5).
    ///
    /// - Parameter now: When they came.
    init(_ members: JSONMembers, kind: VODAuthKind, now: Date) throws(TransferError) {
        func required(_ blob: String, _ name: String) throws(TransferError) -> String {
            if let text = members[name] { return text }
            throw .unusableAnswer(kind, "answered with \(blob) that has no \(name)")
        }
        target = ObjectLocation(
            bucket: try required("UploadAddress", "Bucket"), key: try required("UploadAddress", "FileName"))
        do {
            endpoint = try HTTPEndpoint(parsing: try required("UploadAddress", "Endpoint"))
        } catch let error as TransferError {
            throw error
        } catch {
            throw .unusableAnswer(kind, "answered with an Endpoint that is none")
        }
        received = now
        let expiration = Self.expiration(members, now: now)
        isFreshOnArrival = expiration.map { $0 > now } ?? false
        credentials = Credentials(
            accessKey: try Self.plain(try required("UploadAuth", "AccessKeyId"), "AccessKeyId", kind),
            secretKey: try Self.plain(try required("UploadAuth", "AccessKeySecret"), "AccessKeySecret", kind),
            securityToken: try members["SecurityToken"].map { text throws(TransferError) in
                try Self.plain(text, "SecurityToken", kind)
            },
            expiration: expiration)
        region = try Self.region(members, endpoint: endpoint, kind)
    }

    /// `ExpireUTCTime` is a moment; `Expiration`, in spite of its name, counts seconds.
    private static func expiration(_ members: JSONMembers, now: Date) -> Date? {
        if let date = members["ExpireUTCTime"].flatMap({ HTTPDate.parseISO8601($0) }) { return date }
        guard let seconds = members["Expiration"].flatMap({ Double($0) }), seconds.isFinite else { return nil }
        return now.addingTimeInterval(min(max(seconds, 0), 366 * 86_400))
    }

    private static func region(
        _ members: JSONMembers, endpoint: HTTPEndpoint, _ kind: VODAuthKind
    ) throws(TransferError) -> String? {
        guard var region = members["Region"] else { return EndpointName(host: endpoint.host)?.region }
        if region.hasPrefix("oss-") { region.removeFirst("oss-".count) }
        guard VODRegion.isPlausible(region) else {
            throw .unusableAnswer(kind, "answered with a Region that is none")
        }
        return region
    }

    /// Refuses what no header can carry; the message leaves the text out.
    private static func plain(_ text: String, _ name: String, _ kind: VODAuthKind) throws(TransferError) -> String {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .unusableAnswer(kind, "answered with \(name) that holds a blank or another character that none has")
        }
        return text
    }
}
