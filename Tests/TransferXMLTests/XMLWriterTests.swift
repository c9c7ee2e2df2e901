import Testing
import TransferXML

@Suite struct XMLWriterTests {
    @Test func completeMultipartUpload() throws {
        var document = XMLWriter()
        try document.element(
            "CompleteMultipartUpload", attributes: ["xmlns": "http://s3.amazonaws.com/doc/2006-03-01/"]
        ) { document in
            for (number, etag) in [(1, "\"a\""), (2, "\"b\"")] {
                try document.element("Part") { part in
                    try part.element("PartNumber", text: "\(number)")
                    try part.element("ETag", text: etag)
                }
            }
        }
        #expect(
            String(decoding: document.bytes, as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?>\
                <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\
                <Part><PartNumber>1</PartNumber><ETag>"a"</ETag></Part>\
                <Part><PartNumber>2</PartNumber><ETag>"b"</ETag></Part>\
                </CompleteMultipartUpload>
                """)
    }

    @Test(arguments: [
        "", "plain", "a<b>&c\"d'e", "]]>", "&amp;", "a\r\nb\tc\rd", " x ", "é漢😀", "\u{85}\u{2028}\u{FFFD}\u{7F}",
        "<![CDATA[", "<!-- -->",
    ])
    func whatIsWrittenIsRead(text: String) throws {
        var document = XMLWriter()
        try document.element("R", attributes: ["a": text]) { try $0.element("Key", text: text) }
        let read = try XMLElement(parsing: document.bytes)
        #expect(read.text("Key").map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test func attributesAreEscaped() throws {
        var document = XMLWriter(declaration: false)
        try document.element("R", attributes: ["a": "\"<&'\n"], text: "")
        #expect(String(decoding: document.bytes, as: UTF8.self) == "<R a=\"&quot;&lt;&amp;&#39;&#10;\"></R>")
    }

    @Test(arguments: ["\u{0}", "a\u{7}b", "\u{1B}", "\u{FFFE}", "\u{FFFF}"])
    func charactersThatXMLCannotCarry(text: String) {
        var document = XMLWriter()
        let inText = #expect(throws: XMLError.self) { try document.element("Key", text: text) }
        #expect(inText?.reason == .invalidCharacter)
        let inAttribute = #expect(throws: XMLError.self) {
            try document.element("R", attributes: ["a": text], text: "")
        }
        #expect(inAttribute?.reason == .invalidCharacter)
    }

    @Test(arguments: ["", "1a", "a b", "a>", "-a", "é", "a\u{0}", "a/", "a=\"\""])
    func namesThatAreNone(name: String) {
        var document = XMLWriter()
        let ofElement = #expect(throws: XMLError.self) { try document.element(name, text: "") }
        #expect(ofElement?.reason == .invalidName)
        let ofAttribute = #expect(throws: XMLError.self) { try document.element("R", attributes: [name: ""], text: "") }
        #expect(ofAttribute?.reason == .invalidName)
    }
}
