extension ObjectAttributes {
    /// What a request says of the object it makes under names that dialects share.
    init(_ head: RequestHead, prefix: String) {
        self.init()
        contentType = head.value("content-type")
        cacheControl = head.value("cache-control")
        contentDisposition = head.value("content-disposition")
        contentEncoding = head.value("content-encoding")
        contentLanguage = head.value("content-language")
        expires = head.value("expires")
        storageClass = head.value(prefix + "storage-class")
        tagging = head.value(prefix + "tagging")
        serverSideEncryption = head.value(prefix + "server-side-encryption")
        let metadataPrefix = prefix + "meta-"
        for field in head.fields where field.name.hasPrefix(metadataPrefix) {
            metadata[String(field.name.dropFirst(metadataPrefix.count))] = field.value
        }
    }

    /// The tags with their encoding taken off.
    static func tags(_ tagging: String) -> [(key: String, value: String)] {
        tagging.split(separator: "&").map { tag in
            let name = tag.prefix { $0 != "=" }
            let value = tag.dropFirst(name.count + 1)
            return (
                PercentCoding.decodeText(name, plusIsSpace: true) ?? String(name),
                PercentCoding.decodeText(value, plusIsSpace: true) ?? String(value)
            )
        }
    }
}

extension WireAnswer {
    /// Says what was said of an object when it was made, and what the request wants to hear instead.
    mutating func describe(
        _ object: StoredObject, prefix: String, defaultType: String, overrides: [WireAnswer.Field]
    ) {
        let attributes = object.attributes
        self["Content-Type"] = attributes.contentType ?? defaultType
        self["Cache-Control"] = attributes.cacheControl
        self["Content-Disposition"] = attributes.contentDisposition
        self["Content-Encoding"] = attributes.contentEncoding
        self["Content-Language"] = attributes.contentLanguage
        self["Expires"] = attributes.expires
        for field in overrides { self[field.name] = field.value }
        self["Last-Modified"] = WireDate.header(object.lastModified)
        self["Accept-Ranges"] = "bytes"
        if attributes.taggingCount > 0 { self[prefix + "tagging-count"] = String(attributes.taggingCount) }
        for (name, value) in attributes.metadata.sorted(by: { $0.key < $1.key }) {
            self[prefix + "meta-" + name] = value
        }
    }

    /// Adds the bytes of an object, or for a HEAD their number, and says which part of it they are.
    mutating func send(_ object: StoredObject, _ range: Range<UInt64>?, isHead: Bool) {
        var content = object.content
        if let range {
            self["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(object.length)"
            content = object.content.slice(range)
        }
        body = isHead ? .announced(content.length) : .content(content)
    }
}
