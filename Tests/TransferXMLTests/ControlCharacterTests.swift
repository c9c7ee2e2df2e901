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

    /// On the way through libxml2 U+FDD0 begins an escape; in a document it is what it is, beside what is escaped too.
    @Test(arguments: [[0xFDD0], [0xFDD7], [0xFDD0, 0x47], [0xFDD0, 0x3F], [0xFDD0, 0xFDD0]] as [[UInt32]])
    func escapesOfTheDocumentItself(_ values: [UInt32]) throws {
        let text = try String(values.map { try #require(Unicode.Scalar($0)) }.map(Character.init))
        #expect(try parse("<R>a\(text)b</R>").text == "a\(text)b")
        #expect(try parse("<R>a\(text)b&#7;\(text)</R>").text == "a\(text)b\u{7}\(text)")
        #expect(try parse("<R><![CDATA[\(text)]]>&#7;</R>").text == "\(text)\u{7}")
        let references = text.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }.joined()
        #expect(try parse("<R><a>&#7;</a><b>\(references)</b></R>").text("b") == text)
    }

    @Test func longTextsAreNotTornWithinAnEscape() throws {
        let escape = try #require(Unicode.Scalar(0xFDD0 as UInt32))
        let text = String(repeating: "\u{7}\(escape)", count: 20_000)
        #expect(try parse("<R>x\(text)</R>").text == "x\(text)")
    }

    private func parse(_ text: String) throws(XMLError) -> XMLElement { try XMLElement(parsing: Array(text.utf8)) }
}
