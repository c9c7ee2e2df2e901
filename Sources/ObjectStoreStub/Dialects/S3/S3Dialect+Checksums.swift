import TransferPrimitives

extension S3Dialect {
    static let trailerPayload = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"

    func looksAtContent(_ head: RequestHead) -> Bool {
        Self.isChunked(head) || head.fields.contains { $0.name.hasPrefix(S3Checksum.prefix) }
    }

    /// Takes the framing off a body that has one, and compares the checksums that are said of the content.
    func receive(
        _ body: ReceivedBody, for call: inout ServiceCall, _ head: RequestHead
    ) throws(ServiceFailure) -> ReceivedBody {
        guard looksAtContent(head) else { return body }
        var body = body
        call.checksums = head.fields.map { ($0.name, $0.value) }
        if Self.isChunked(head) {
            guard let framed = AWSChunkedBody(body.content.read() ?? []) else {
                throw ServiceFailure(400, "IncompleteBody", "The body is not framed as aws-chunked.")
            }
            guard head.value("x-amz-decoded-content-length") == String(framed.content.count) else {
                throw ServiceFailure(400, "IncompleteBody", "The body does not have its x-amz-decoded-content-length.")
            }
            guard framed.trailers.map(\.name) == head.values("x-amz-trailer") else {
                throw ServiceFailure(400, "MalformedTrailerError", "The trailers are not those of x-amz-trailer.")
            }
            call.checksums += framed.trailers
            body = ReceivedBody(content: .bytes(framed.content))
            if call.contentMD5 != nil { body.md5 = Digest.md5(framed.content) }
        }
        call.checksums.removeAll { !$0.name.hasPrefix(S3Checksum.prefix) }
        let content = body.content.read() ?? []
        for (name, claimed) in call.checksums {
            let algorithm = name.dropFirst(S3Checksum.prefix.count)
            guard let actual = S3Checksum.value(algorithm, of: content) else {
                throw ServiceFailure(400, "InvalidRequest", "\(name) is not a checksum that is known.")
            }
            guard actual == claimed else {
                throw ServiceFailure(
                    400, "BadDigest", "The \(algorithm.uppercased()) you specified did not match the one calculated.")
            }
        }
        return body
    }

    static func isChunked(_ head: RequestHead) -> Bool { head.value(V4Scheme.aws4.payloadHeader) == trailerPayload }

    /// Refuses framings that the server does not take.
    static func checkFraming(_ head: RequestHead, _ quirks: Quirks) throws(ServiceFailure) {
        let payload = head.value(V4Scheme.aws4.payloadHeader) ?? ""
        let takesTrailers = payload == trailerPayload && !quirks.refusesChecksumTrailers
        let refused: String? =
            if takesTrailers { nil } else if head.value("x-amz-trailer") != nil {
                "x-amz-trailer"
            } else if payload.hasPrefix("STREAMING-") { "x-amz-content-sha256" } else if head.framing == .chunked {
                "Transfer-Encoding"
            } else { nil }
        guard let refused else { return }
        var failure = ServiceFailure(501, "NotImplemented", "The body's framing is not implemented.")
        failure.details = [("Header", refused)]
        throw failure
    }

    /// The encoding of the content itself, without the framing that the transfer had.
    static func contentEncoding(_ head: RequestHead) -> String? {
        let names = head.values("content-encoding").flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " } }.filter { $0 != "aws-chunked" }
        return names.isEmpty ? nil : names.joined(separator: ",")
    }
}
