import Testing
import TransferCore

@Suite struct ETagTests {
    static let digest = "0123456789abcdef0123456789abcdef"

    /// FR-078: with and without quotes, with blanks around, weak, in upper case.
    @Test(arguments: [digest, digest + "-3"]) func allFormsAreOneTag(_ tag: String) {
        let forms = [
            tag, "\"\(tag)\"", " \"\(tag)\" ", "\t\(tag)\n", "W/\"\(tag)\"", tag.uppercased(),
            "\"\(tag.uppercased())\"",
        ]
        for form in forms {
            #expect(ETag(form) == ETag(tag))
            #expect(ETag(form).hashValue == ETag(tag).hashValue)
            #expect(ETag(form).rawValue == form, "what was received stays")
        }
        #expect(Set(forms.map { ETag($0) }).count == 1)
        #expect(ETag("\"\(tag)\"").quoted == "\"\(tag)\"")
        #expect(ETag(tag).quoted == "\"\(tag)\"")
        #expect("\(ETag(" \"\(tag)\""))" == tag)
    }

    @Test func onlyTagsLikeAnMD5IgnoreTheCase() {
        for (a, b) in [
            ("opaque", "OPAQUE"), (Self.digest + "-x", Self.digest.uppercased() + "-X"),
            (Self.digest + "a", Self.digest.uppercased() + "A"), ("abc", "ABC"),
            (Self.digest + "-", Self.digest.uppercased() + "-"),
        ] {
            #expect(ETag(a) != ETag(b))
        }
    }

    @Test func differentTagsDiffer() {
        #expect(ETag(Self.digest) != ETag(Self.digest + "-1"))
        #expect(ETag(Self.digest + "-1") != ETag(Self.digest + "-11"))
        #expect(ETag("a") != ETag("b"))
    }

    @Test func emptyMeansNoTag() {
        for form in ["", "\"\"", "  ", "W/\"\"", " \"\" "] { #expect(ETag(form).isEmpty) }
        #expect(!ETag("0").isEmpty)
    }

    @Test func passesThroughJSONAsReceived() throws {
        let part = CompletedPart(number: 1, etag: ETag("\"\(Self.digest.uppercased())\""))
        let copy = try JSON.decode(CompletedPart.self, JSON.encode(part))
        #expect(copy.etag.rawValue == part.etag.rawValue)
        #expect(copy == part)
    }
}
