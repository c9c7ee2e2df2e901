/// One request of a recording in `Tests/Golden`, read back.
struct RecordedRequest {
    let method: String
    /// Percent-encoded, as it was sent.
    let path: String
    /// The items of the query as they were sent, by name.
    let query: [(name: String, item: String)]
    /// Names in lower case.
    let headers: [(name: String, value: String)]
    /// The document, or how many bytes there were; nil without a body.
    let body: String?

    /// The requests of a recording.
    static func all(in text: String) -> [RecordedRequest] {
        var blocks: [(head: String, body: [String])] = []
        for block in text.split(separator: "\n\n").map(String.init) {
            let words = block.prefix { $0 != "\n" }.split(separator: " ")
            if words.count == 3, words[2].hasPrefix("HTTP/1.") {
                blocks.append((block, []))
            } else if !blocks.isEmpty {
                blocks[blocks.count - 1].body.append(block)
            }
        }
        return blocks.map { RecordedRequest(head: $0.head, body: $0.body.joined(separator: "\n\n")) }
    }

    private init(head: String, body: String) {
        let lines = head.split(separator: "\n")
        let target = lines[0].split(separator: " ")[1].split(separator: "?", maxSplits: 1)
        method = String(lines[0].prefix { $0 != " " })
        path = String(target[0])
        query = (target.count == 2 ? target[1].split(separator: "&") : []).map {
            (String($0.prefix { $0 != "=" }), String($0))
        }
        headers = lines.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            return (name.lowercased(), String(line.dropFirst(name.count + 1).drop { $0 == " " }))
        }
        let text = body.hasSuffix("\n") ? String(body.dropLast()) : body
        self.body = text.isEmpty ? nil : text
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// What it asks for, without the number of a part.
    var operation: String {
        if let action = header("x-acs-action") { return action }
        let names = Set(query.map(\.name))
        let copies = headers.contains { $0.name.hasSuffix("-copy-source") }
        switch method {
        case "POST" where names.contains("uploads"): return "CreateMultipartUpload"
        case "POST" where names.contains("uploadId"): return "CompleteMultipartUpload"
        case "GET" where names.contains("uploadId"): return "ListParts"
        case "PUT" where names.contains("partNumber"): return copies ? "UploadPartCopy" : "UploadPart"
        case "PUT": return copies ? "CopyObject" : "PutObject"
        case "HEAD": return "HeadObject"
        default: return method
        }
    }

    /// What it asks for, with the number of the part.
    var label: String {
        query.first { $0.name == "partNumber" }.map { "\(operation) \($0.item.dropFirst("partNumber=".count))" }
            ?? operation
    }
}
