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
            throw .unusableAnswer(kind, "answered \(Self.lack(of: name, in: members))")
        }
        let address = try Self.blob("UploadAddress", try required("UploadAddress"), kind)
        let auth = try Self.blob("UploadAuth", try required("UploadAuth"), kind)
        // Merged, it does not matter under which of the two names a field came.
        grant = try UploadGrant(address.merging(auth), kind: kind, now: now)
        videoID = kind == .createVideo ? try required("VideoId") : members["VideoId"]
        imageID = kind == .createImage ? try required("ImageId") : members["ImageId"]
        imageURL = members["ImageURL"]
    }

    /// What is wrong with an answer that has no text of that name, and what to do. Says names of members, never values.
    private static func lack(of name: String, in members: JSONMembers) -> String {
        if let other = members.lookalike(of: name) {
            return "without \(name); it has \(other), and upper and lower case matter"
        }
        if members.names.contains(name), !members.hasText(name) {
            return "with \(name) that is no text: hand the base64 text on as it is"
        }
        let names = members.names.filter { $0 != name && $0.count <= 64 }.sorted().prefix(8)
        guard !names.isEmpty else { return "without \(name)" }
        return """
            without \(name); it has \(names.joined(separator: ", ")): hand the answer of the OpenAPI on unchanged
            """
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
