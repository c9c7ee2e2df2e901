internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The headers of one request while it is put together; a value that cannot be sent is refused by its field's name.
struct HeaderFields {
    private(set) var headers: HTTPHeaders

    init(_ headers: HTTPHeaders = HTTPHeaders()) { self.headers = headers }

    mutating func add(_ field: String, _ name: String, _ value: String?) throws(TransferError) {
        guard let value else { return }
        guard !value.isEmpty else { throw .invalidArgument(field, "is empty; leave it nil when it is not wanted") }
        do {
            try headers.append(name, value)
        } catch {
            throw .invalidArgument(field, error.description)
        }
    }

    mutating func add(_ field: String, _ name: String, _ date: Date?) throws(TransferError) {
        try add(field, name, date.map(HTTPDate.format))
    }

    /// What describes the content: content headers and user metadata. Without a type, the key's extension gives one.
    mutating func addDescription(of attributes: ObjectAttributes, key: String) throws(TransferError) {
        try add("contentType", "Content-Type", attributes.contentType ?? ContentTypes.type(ofKey: key))
        try add("cacheControl", "Cache-Control", attributes.cacheControl)
        try add(
            "contentDisposition", "Content-Disposition",
            attributes.contentDisposition.map(MetadataCoding.encodingNonASCII))
        try add("contentEncoding", "Content-Encoding", attributes.contentEncoding)
        try add("contentLanguage", "Content-Language", attributes.contentLanguage)
        try add("expires", "Expires", attributes.expires)
        var seen: Set<String> = []
        for (name, value) in attributes.metadata.sorted(by: { $0.key < $1.key }) {
            guard !name.isEmpty else { throw .invalidArgument("metadata", "a name is empty") }
            guard seen.insert(name.lowercased()).inserted else {
                throw .invalidArgument("metadata", "\(name.debugDescription) differs from another name by case alone")
            }
            // An empty value is legal metadata.
            do {
                try headers.append(OSSHeader.metaPrefix + name, MetadataCoding.headerValue(value))
            } catch {
                throw .invalidArgument("metadata", error.description)
            }
        }
    }

    /// How the object is kept: access, class, encryption, tags, and what only OSS knows.
    mutating func addStorage(of options: ObjectOptions) throws(TransferError) {
        let attributes = options.attributes
        try add("acl", OSSHeader.acl, attributes.acl)
        try add("storageClass", OSSHeader.storageClass, attributes.storageClass)
        if !attributes.tags.isEmpty { try add("tagging", OSSHeader.tagging, Self.tagging(attributes.tags)) }
        switch attributes.encryption {
        case nil: break
        case .managed(let algorithm)?: try add("serverSideEncryption", OSSHeader.encryption, algorithm)
        case .keyManagement(let keyID)?:
            try add("serverSideEncryption", OSSHeader.encryption, "KMS")
            try add("serverSideEncryptionKeyID", OSSHeader.encryptionKeyID, keyID)
        case .customerKey?:
            throw TransferError(
                .unsupported, "OSS does not encrypt with keys of the caller's", field: "encryption",
                provider: OSSProvider.name)
        }
        for (name, value) in options.extras.sorted(by: { $0.key < $1.key }) {
            let name = name.lowercased()
            // A callback goes with the request that makes the object; see below.
            if name == OSSHeader.callback || name == OSSHeader.callbackVariables { continue }
            guard name.hasPrefix(OSSHeader.prefix), !name.hasPrefix(OSSHeader.copySource),
                !name.hasPrefix(OSSHeader.metaPrefix), !OSSHeader.reserved.contains(name)
            else { throw .invalidArgument("extras", "\(name.debugDescription) is no header that an extra may set") }
            try add(name, name, value)
        }
    }

    /// What OSS is to tell another server once the object stands.
    mutating func addCallback(of options: ObjectOptions) throws(TransferError) {
        for name in [OSSHeader.callback, OSSHeader.callbackVariables] {
            try add("callback", name, options.extras[name])
        }
    }

    /// Which object is copied, under which conditions.
    mutating func addCopySource(
        _ source: ObjectLocation, conditions: OSSCopySourceConditions
    ) throws(TransferError) {
        try add("srcKey", OSSHeader.copySource, CopySource.header(source))
        try add("copySourceIfMatch", OSSHeader.copySourceIfMatch, conditions.copySourceIfMatch)
        try add("copySourceIfNoneMatch", OSSHeader.copySourceIfNoneMatch, conditions.copySourceIfNoneMatch)
        try add("copySourceIfModifiedSince", OSSHeader.copySourceIfModifiedSince, conditions.copySourceIfModifiedSince)
        try add(
            "copySourceIfUnmodifiedSince", OSSHeader.copySourceIfUnmodifiedSince, conditions.copySourceIfUnmodifiedSince
        )
    }

    mutating func addConditions(_ conditions: OSSObjectConditions) throws(TransferError) {
        try add("ifMatch", "If-Match", conditions.ifMatch)
        try add("ifNoneMatch", "If-None-Match", conditions.ifNoneMatch)
        try add("ifModifiedSince", "If-Modified-Since", conditions.ifModifiedSince)
        try add("ifUnmodifiedSince", "If-Unmodified-Since", conditions.ifUnmodifiedSince)
    }

    /// Bits per second, within what OSS allows.
    mutating func addTrafficLimit(_ limit: Int?) throws(TransferError) {
        guard let limit else { return }
        guard OSSProvider.trafficLimits.contains(limit) else {
            throw .invalidArgument(
                "trafficLimit",
                """
                \(limit) is outside \(OSSProvider.trafficLimits.lowerBound)…\(OSSProvider.trafficLimits.upperBound) bits \
                per second
                """)
        }
        try add("trafficLimit", OSSHeader.trafficLimit, String(limit))
    }

    private static func tagging(_ tags: [String: String]) -> String {
        tags.sorted { $0.key < $1.key }
            .map { PercentEncoding.component($0.key) + "=" + PercentEncoding.component($0.value) }
            .joined(separator: "&")
    }
}
