internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An answer of `getAuth`, read (spec sections 1.2 to 1.5).
struct AuthAnswer: Sendable {
    let videoID: String?
    let imageID: String?
    let imageURL: String?
    let grant: UploadGrant

    /// - Parameter now: When the answer came; its validity may be told in seconds from then.
    ///
    /// Throws `.credentialsUnavailable` saying what is missing. No message holds a value of the answer.
    init(_ data: Data, kind: VODAuthKind, now: Date) throws(TransferError) {
        guard let members = JSONMembers(parsing: data) else {
            throw .unusableAnswer(kind, "answered \(Self.describe(data)), not a JSON object")
        }
        if members["UploadAuth"] == nil, let code = members["Code"] {
            throw .refusedAnswer(kind, code: code, message: members["Message"], requestID: members["RequestId"])
        }
        func required(_ name: String) throws(TransferError) -> String {
            if let text = members[name] { return text }
            let hint = members.lookalike(of: name).map { "; it has \($0), and upper and lower case matter" } ?? ""
            throw .unusableAnswer(kind, "answered without \(name)\(hint)")
        }
        let address = try Self.blob("UploadAddress", try required("UploadAddress"), kind)
        let auth = try Self.blob("UploadAuth", try required("UploadAuth"), kind)
        // Merged, it does not matter under which of the two names a field came.
        grant = try UploadGrant(address.merging(auth), kind: kind, now: now)
        videoID = kind == .createVideo ? try required("VideoId") : members["VideoId"]
        imageID = kind == .createImage ? try required("ImageId") : members["ImageId"]
        imageURL = members["ImageURL"]
    }

    private static func blob(_ name: String, _ text: String, _ kind: VODAuthKind) throws(TransferError) -> JSONMembers {
        guard let bytes = Base64.decode(text, tolerant: true) else {
            throw .unusableAnswer(kind, "answered with \(name) that is no base64")
        }
        guard let members = JSONMembers(parsing: bytes) else {
            throw .unusableAnswer(kind, "answered with \(name) that holds no JSON object")
        }
        return members
    }

    /// What stands in place of an answer, without quoting it.
    private static func describe(_ data: Data) -> String {
        guard let first = data.first(where: { !" \t\r\n".utf8.contains($0) }) else { return "nothing" }
        return first == UInt8(ascii: "<") ? "a page of HTML or XML" : "\(data.count) bytes"
    }
}
