extension ServiceCall.PartReference {
    /// The parts that a `CompleteMultipartUpload` document lists, as it writes them; nil when it is not well-formed.
    static func list(_ document: [UInt8]) -> [ServiceCall.PartReference]? {
        guard let root = try? XMLTextReader.read(document), root.name == "CompleteMultipartUpload" else { return nil }
        var parts: [ServiceCall.PartReference] = []
        for part in root["Part"] {
            guard let number = part["PartNumber"].first.flatMap({ Int($0.text.filter { !$0.isWhitespace }) }),
                let etag = part["ETag"].first?.text.filter({ !$0.isWhitespace }), part["ETag"].count == 1,
                part["PartNumber"].count == 1
            else { return nil }
            parts.append(ServiceCall.PartReference(number: number, etag: etag))
        }
        return parts
    }
}
