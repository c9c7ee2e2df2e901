import Testing
import TransferXML

/// A key with a control character, echoed by the service, is not well-formed XML 1.0; the upload id beside it must be
/// read all the same, or the upload stays open for ever.
@Suite struct ControlCharacterTests {
    @Test(arguments: ["&#x7;", "&#7;", "&#x07;", "&#0007;", "\u{7}"])
    func aBellInTheKey(bell: String) throws {
        let answer = try parse("<R><Key>test\(bell).txt</Key><UploadId>u1</UploadId></R>")
        #expect(answer.text("Key") == "test\u{7}.txt")
        #expect(answer.text("UploadId") == "u1")
    }

    @Test func everyControlCharacterComesBack() throws {
        for code in UInt8(0)..<0x20 {
            let character = String(Unicode.Scalar(code))
            // A bare CR is a line end for every XML parser.
            if character != "\r" {
                #expect(try parse("<R>a\(character)b</R>").text == "a\(character)b", "bare \(code)")
                #expect(try parse("<R><![CDATA[a\(character)b]]></R>").text == "a\(character)b", "in CDATA \(code)")
            }
            #expect(try parse("<R>a&#\(code);b</R>").text == "a\(character)b", "decimal \(code)")
            #expect(try parse("<R>a&#x\(String(code, radix: 16));b</R>").text == "a\(character)b", "hex \(code)")
        }
    }

    @Test(arguments: ["\u{FFFE}", "\u{FFFF}"]) func theTwoThatAreNoCharacters(_ character: String) throws {
        let code = try #require(character.unicodeScalars.first).value
        #expect(try parse("<R>a\(character)b\u{7}</R>").text == "a\(character)b\u{7}")
        #expect(try parse("<R><![CDATA[a\(character)&b]]></R>").text == "a\(character)&b")
        #expect(try parse("<R>&#\(code);\u{FFFD}\t\n</R>").text == "\(character)\u{FFFD}\t\n")
    }

    @Test func whatOnlyLooksLikeAReferenceStays() throws {
        #expect(try parse("<R>&amp;#7;<![CDATA[&#7;]]></R>").text == "&#7;&#7;")
        #expect(try parse("<R>&#65;&#x1F600;</R>").text == "A😀")
    }

    @Test(arguments: [
        "<R>&#xD800;</R>", "<R>&#x110000;</R>", "<R>&#99999999999999999999999999;</R>",
        "<R>&#x;</R>", "<R>&#;</R>", "<R>&#7</R>", "<R>&#X7;</R>", "<R>&#-7;</R>",
        "<R a='&#7;'/>", "<\u{7}R/>", "<R>&bell;</R>",
    ])
    func everythingElseStaysMalformed(document: String) {
        #expect(throws: XMLError.self) { try parse(document) }
    }

    /// The code points that stand in for control characters on the way through libxml2 are no text; a document that has
    /// both is refused rather than misread.
    @Test func standInsOfTheDocumentItself() throws {
        let standIn = try #require(Unicode.Scalar(0xFDD7 as UInt32)).description
        #expect(try parse("<R>a\(standIn)b</R>").text == "a\(standIn)b")
        #expect(try parse("<R>a&#xFDD7;b</R>").text == "a\(standIn)b")
        #expect(throws: XMLError.self) { try parse("<R>a\(standIn)b&#7;</R>") }
        #expect(throws: XMLError.self) { try parse("<R><a>&#7;</a><b>&#xFDD7;</b></R>") }
        #expect(throws: XMLError.self) { try parse("<R><![CDATA[\(standIn)]]>&#7;</R>") }
    }

    private func parse(_ text: String) throws(XMLError) -> XMLElement { try XMLElement(parsing: Array(text.utf8)) }
}
