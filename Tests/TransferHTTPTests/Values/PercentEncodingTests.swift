import Testing
import TransferHTTP

@Suite struct PercentEncodingTests {
    @Test func pathsKeepSlashes() {
        #expect(
            PercentEncoding.path("dir a/中文+&='()*!~,;@$#?%.txt")
                == "dir%20a/%E4%B8%AD%E6%96%87%2B%26%3D%27%28%29%2A%21~%2C%3B%40%24%23%3F%25.txt")
    }

    @Test func componentsDoNot() {
        #expect(PercentEncoding.component("a/b c") == "a%2Fb%20c")
        #expect(PercentEncoding.component("azAZ09-._~") == "azAZ09-._~")
    }

    @Test func everyByteSurvives() {
        let text = String((0x01...0x2FF).compactMap { UnicodeScalar($0).map(Character.init) }) + "🚗e\u{301}é"
        #expect(
            PercentEncoding.decode(PercentEncoding.component(text))?.unicodeScalars.elementsEqual(text.unicodeScalars)
                == true)
    }

    @Test(arguments: ["%", "%4", "%G1", "%ff", "a%C3"]) func refusesWhatIsNoEncodedText(_ text: String) {
        #expect(PercentEncoding.decode(text) == nil)
    }

    @Test func decodesEitherCaseAndLeavesPlus() { #expect(PercentEncoding.decode("%2f%2F+") == "//+") }
}
