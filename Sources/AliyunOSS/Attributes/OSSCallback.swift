internal import TransferCore
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A request that OSS makes to another server once the object stands; that server's answer comes back in place of OSS's
/// own. When the call fails, the object stands all the same: `.storedCallbackFailed`. OSS: "Callback".
public struct OSSCallback: Sendable, Hashable {
    /// How `body` is written.
    public enum BodyType: String, Sendable, Hashable, CaseIterable {
        /// Pairs of names and values, joined by `&`.
        case form = "application/x-www-form-urlencoded"
        /// A JSON document.
        case json = "application/json"
    }

    /// Where OSS sends its request; several, parted by `;`, are tried in turn.
    public var url: String
    /// The `Host` of that request; nil for the URL's own.
    public var host: String?
    /// What is sent: text with OSS's variables in it, such as `bucket=${bucket}&object=${object}&size=${size}`, and the
    /// caller's own, such as `${x:user}`.
    public var body: String
    /// `.form` by default.
    public var bodyType: BodyType
    /// The caller's own variables; names begin with `x:` and are in lower case.
    public var variables: [String: String]

    /// A callback. Nothing is checked before the request that asks for it.
    public init(
        url: String, host: String? = nil, body: String, bodyType: BodyType = .form, variables: [String: String] = [:]
    ) {
        self.url = url
        self.host = host
        self.body = body
        self.bodyType = bodyType
        self.variables = variables
    }
}

extension OSSCallback {
    private struct Document: Encodable {
        var callbackUrl: String
        var callbackHost: String?
        var callbackBody: String
        var callbackBodyType: String
    }

    /// The headers that ask for it. Throws `.invalidArgument` naming the field.
    func headers() throws(TransferError) -> [String: String] {
        guard !url.isEmpty else { throw .invalidArgument("callback.url", "is empty") }
        guard !body.isEmpty else { throw .invalidArgument("callback.body", "is empty") }
        if let name = variables.keys.first(where: { !$0.hasPrefix("x:") || $0 != $0.lowercased() }) {
            throw .invalidArgument(
                "callback.variables", "\(name.debugDescription) does not begin with x: or is not in lower case")
        }
        var headers = [
            OSSHeader.callback: try Self.encoded(
                Document(
                    callbackUrl: url, callbackHost: host, callbackBody: body, callbackBodyType: bodyType.rawValue))
        ]
        if !variables.isEmpty { headers[OSSHeader.callbackVariables] = try Self.encoded(variables) }
        return headers
    }

    /// The same text for the same value, so that a resume recognises it.
    private static func encoded(_ document: some Encodable) throws(TransferError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Base64.encode(Array(try encoder.encode(document)))
        } catch {
            throw .invalidArgument("callback", "cannot be written as JSON: \(error)")
        }
    }
}
