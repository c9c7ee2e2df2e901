package import ObjectStoreStub
package import Testing

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The requests of one flow as text, without what differs from run to run: times, signatures, ids, ports.
package struct GoldenRecording: Equatable {
    package let text: String

    /// - Parameter key: What the service called the object, where it chose the name itself.
    package init(_ entries: [WireEntry], key: String? = nil) {
        let text = entries.map(Self.request).joined(separator: "\n\n") + "\n"
        // Some clients encode its slashes.
        self.text =
            key.map { key in
                text.replacing(key, with: "<key>").replacing(key.replacing("/", with: "%2F"), with: "<escaped-key>")
            } ?? text
    }

    private static func request(_ entry: WireEntry) -> String {
        var lines = entry.headText.split(whereSeparator: \.isNewline).map(String.init)
        lines = lines.enumerated().map { index, line in index == 0 ? requestLine(line) : header(line, entry) }
        if !entry.document.isEmpty {
            lines += ["", document(entry.documentText)]
        } else if entry.bodyLength > 0 {
            lines += ["", "(\(entry.bodyLength) bytes)"]
        }
        return lines.joined(separator: "\n")
    }

    private static func requestLine(_ line: String) -> String {
        let parts = line.split(separator: " ")
        guard parts.count == 3, let mark = parts[1].firstIndex(of: "?") else { return line }
        let query = parts[1][parts[1].index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let items = query.map { item -> String in
            let name = item.prefix { $0 != "=" }
            return variable[name.lowercased()].map { "\(name)=\($0)" } ?? String(item)
        }
        return "\(parts[0]) \(parts[1][..<mark])?\(items.joined(separator: "&")) \(parts[2])"
    }

    private static func header(_ line: String, _ entry: WireEntry) -> String {
        let name = line.prefix { $0 != ":" }
        let value = line.dropFirst(name.count + 1).drop { $0 == " " }
        switch name.lowercased() {
        case "host":
            let bucket = entry.request.bucket.flatMap { value.hasPrefix($0 + ".") ? $0 + "." : nil }
            return "\(name): \(bucket ?? "")<host>"
        // The product alone: other clients add their system.
        case "user-agent": return "\(name): \(value.prefix { $0 != " " && $0 != "(" })"
        // What Python can decode depends on its version.
        case "accept-encoding":
            let items = value.split(separator: ", ").filter { $0 != "br" && $0 != "zstd" }
            return "\(name): \(items.joined(separator: ", "))"
        case "authorization": return "\(name): \(authorization(String(value)))"
        default: return variable[name.lowercased()].map { "\(name): \($0)" } ?? line
        }
    }

    /// The scheme, and what is signed; neither the day nor the signature.
    private static func authorization(_ value: String) -> String {
        if value.hasPrefix("OSS "), let colon = value.lastIndex(of: ":") { return value[...colon] + "<signature>" }
        let fields = value.split(separator: ",", omittingEmptySubsequences: false).map { field -> String in
            if let equals = field.firstRange(of: "Signature=") { return field[..<equals.upperBound] + "<signature>" }
            guard let equals = field.firstRange(of: "Credential=") else { return String(field) }
            var scope = field[equals.upperBound...].split(separator: "/").map(String.init)
            if scope.count > 2 { scope[1] = "<day>" }
            if scope.first?.hasPrefix("STS.") == true { scope[0] = "<temporary key>" }
            return field[..<equals.upperBound] + scope.joined(separator: "/")
        }
        return fields.joined(separator: ",")
    }

    private static func document(_ text: String) -> String {
        // A document that was posted as a form is a query.
        guard text.contains("SignatureNonce=") else { return text }
        return text.split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            return variable[name.lowercased()].map { "\(name)=\($0)" } ?? String(item)
        }.joined(separator: "&")
    }

    /// What differs from run to run, by the lower-case name of the header or parameter.
    private static let variable = [
        "uploadid": "<upload>", "x-tos-date": "<date>", "x-amz-date": "<date>", "x-oss-date": "<date>",
        "x-acs-date": "<date>", "date": "<date>", "x-acs-signature-nonce": "<nonce>", "signaturenonce": "<nonce>",
        "timestamp": "<date>", "signature": "<signature>", "x-oss-security-token": "<token>", "videoid": "<media>",
        "x-acs-content-sha256": "<digest>", "amz-sdk-invocation-id": "<id>",
    ]
}

extension GoldenRecording {
    /// Compares with the file, or writes it when `OBJECT_TRANSFER_RECORD` is set.
    ///
    /// - Parameter command: What records anew.
    package func compare(
        with name: String, recordedBy command: String = "swift test --filter GoldenTests",
        sourceLocation: SourceLocation = #_sourceLocation, file: String = #filePath
    ) throws {
        var place = URL(fileURLWithPath: file)
        for _ in 0..<3 { place.deleteLastPathComponent() }
        place.appendPathComponent("Golden/\(name).http")
        guard ProcessInfo.processInfo.environment["OBJECT_TRANSFER_RECORD"] == nil else {
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            return try Data(text.utf8).write(to: place)
        }
        let recorded = String(decoding: try Data(contentsOf: place), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let expected = recorded.split(separator: "\n", omittingEmptySubsequences: false)
        let difference = zip(lines, expected).first { $0 != $1 }
        #expect(
            text == recorded,
            """
            the wire differs from Tests/Golden/\(name).http: \(difference.map { "\($0.0) in place of \($0.1)" } ?? "its length").
            If that is meant, record anew: OBJECT_TRANSFER_RECORD=1 \(command)
            """, sourceLocation: sourceLocation)
    }
}
