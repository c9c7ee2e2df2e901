import Testing

@testable import ObjectStoreStub

@Suite struct XMLTextTests {
    @Test func writesOneElementALine() {
        let root = XMLText("A", [XMLText("B", "<&>\"'\u{1}\r\n"), XMLText("C"), XMLText("D", [XMLText("E", "é")])])
        #expect(
            String(decoding: root.document(namespace: "urn:x"), as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <A xmlns="urn:x">
                  <B>&lt;&amp;&gt;"'&#1;&#13;\n</B>
                  <C></C>
                  <D>
                    <E>é</E>
                  </D>
                </A>

                """)
    }

    @Test func readsWhatItWrites() throws {
        var root = XMLText("A", [XMLText("B", "<&>\"'\u{1}\r\n"), XMLText("C"), XMLText("D", [XMLText("E", "é")])])
        root = try XMLTextReader.read(root.document())
        #expect(root["B"].map(\.text) == ["<&>\"'\u{1}\r\n"])
        #expect(root["C"] == [XMLText("C")])
        #expect(root["D"].first?["E"].first?.text == "é")
    }

    @Test(arguments: [
        ("<a/>", ""), ("<a >x</a >", "x"), ("<?xml version='1.0'?><!-- - --><a b='>' c=\"<\">x</a><!---->", "x"),
        ("\u{FEFF}\n<p:a xmlns:p='u'>&#x41;&#66;&lt;&quot;&apos;<!-- & --></p:a>\n", "AB<\"'"),
    ])
    func readsSmallDocuments(document: String, text: String) throws {
        let root = try XMLTextReader.read(Array(document.utf8))
        #expect(root.name == "a")
        #expect(root.text == text)
    }

    @Test(arguments: [
        "", " ", "x", "<", "<>", "</a>", "<a", "<a>", "<a></b>", "<a></a", "<a/><b/>", "<a/>x", "<a b/>", "<a b=/>",
        "<a b='c/>", "<a>&b;</a>", "<a>&#;</a>", "<a>&#xD800;</a>", "<a>&#-65;</a>", "<a>&#+65;</a>", "<a>&amp</a>",
        "<!DOCTYPE a><a/>", "<a><![CDATA[x]]></a>", "<a><?x y?></a>", "<!-- <a/>", "<?xml", "<a><!-- </a>",
    ])
    func refusesWhatIsMalformed(document: String) {
        #expect(throws: XMLTextReader.Malformed.self) { try XMLTextReader.read(Array(document.utf8)) }
    }

    @Test func refusesOtherEncodingsAndDepths() {
        #expect(throws: XMLTextReader.Malformed(reason: "not UTF-8")) { try XMLTextReader.read([0x3C, 0xFF]) }
        let deep = String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17)
        #expect(throws: XMLTextReader.Malformed(reason: "nests too deep")) { try XMLTextReader.read(Array(deep.utf8)) }
        #expect(throws: Never.self) { try XMLTextReader.read(Array(deep.dropFirst(3).dropLast(4).utf8)) }
    }
}
