import Testing
import TransferCore

@testable import S3Wire
@testable import VolcanoTOS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Spec section 4.5: the list of parts.
@Suite struct CompleteRequestTests {
    private let upload = MultipartUpload(id: "u", target: ObjectLocation(bucket: "dst-bucket", key: "k"))

    private struct Document: Decodable {
        struct Part: Decodable {
            var number: Int
            var tag: String

            enum CodingKeys: String, CodingKey {
                case number = "PartNumber"
                case tag = "ETag"
            }
        }

        var parts: [Part]

        enum CodingKeys: String, CodingKey { case parts = "Parts" }
    }

    @Test func `ten thousand parts, ascending, whatever their order was`() throws {
        let parts = (1...10_000).shuffled().map { CompletedPart(number: $0, etag: ETag("\"e\($0)\"")) }
        let request = try S3Dialect.test.completeMultipartUpload(upload, parts: parts)
        let document = try JSONDecoder().decode(Document.self, from: Data(request.bodyText.utf8))
        #expect(document.parts.map(\.number) == Array(1...10_000))
        #expect(document.parts.last?.tag == "\"e10000\"")
    }

    @Test(arguments: [#"a"b\c"#, "\u{1}\u{1F}", "é/"])
    func `any tag is a JSON string`(tag: String) throws {
        let request = try S3Dialect.test.completeMultipartUpload(
            upload, parts: [CompletedPart(number: 1, etag: ETag(tag))])
        let document = try JSONDecoder().decode(Document.self, from: Data(request.bodyText.utf8))
        #expect(document.parts.first?.tag == "\"\(tag)\"")
    }

    @Test func `a list that cannot be right is refused`() {
        for parts in [
            [], [CompletedPart(number: 0, etag: ETag("e"))], [CompletedPart(number: 10_001, etag: ETag("e"))],
            [CompletedPart(number: 1, etag: ETag("\"\""))],
            [CompletedPart(number: 7, etag: ETag("e")), CompletedPart(number: 7, etag: ETag("f"))],
        ] {
            #expect { try S3Dialect.test.completeMultipartUpload(upload, parts: parts) } throws: {
                ($0 as? TransferError)?.field == "parts"
            }
        }
    }
}
