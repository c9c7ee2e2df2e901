import Testing
import TransferPrimitives

@Suite struct Base64Tests {
    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func vectors(plain: String, text: String) {
        #expect(Base64.encode(plain.utf8) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
        #expect(Base64.decode(text, tolerant: true) == Array(plain.utf8))
    }

    @Test func wholeAlphabet() {
        let bytes: [UInt8] = [0, 16, 131, 16, 81, 135, 32, 146, 139, 48, 211, 143, 251, 255, 191]
        #expect(Base64.encode(bytes) == "ABCDEFGHIJKLMNOP+/+/")
        #expect(Base64.decode("ABCDEFGHIJKLMNOP+/+/") == bytes)
        #expect(Base64.decode("ABCDEFGHIJKLMNOP-_-_", tolerant: true) == bytes)
        #expect(Base64.decode("ABCDEFGHIJKLMNOP-_-_") == nil)
    }

    @Test func toleratesWhatProducersDo() {
        #expect(Base64.decode(" Zm9v\r\n\tYg = =\n", tolerant: true) == Array("foob".utf8))
        #expect(Base64.decode("Zm9vYg", tolerant: true) == Array("foob".utf8))
        #expect(Base64.decode("Zm9vYmE", tolerant: true) == Array("fooba".utf8))
        #expect(Base64.decode(" \n", tolerant: true) == [])
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg===", "Zm8", "Zm8==", "Zm9v=", "Zm9vY", "=", "==", "====", "Zg==Zg==", "Z=g=", "Zm9v Yg==",
        "Zm9\u{0}", "Zm9é", "Zm9v!", "Zh==", "Zm9=",
    ])
    func strictRefuses(text: String) { #expect(Base64.decode(text) == nil) }

    @Test(arguments: ["Z", "Zm9vY", "Zg=", "Zg===", "=", "Zm9v=", "Zg==Zg==", "Zm9\u{0}", "Zm9é", "Zm9v!", "Zm.v"])
    func tolerantStillRefuses(text: String) { #expect(Base64.decode(text, tolerant: true) == nil) }

    @Test func whatIsWrittenIsRead() {
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test func uploadAddressOfTheVODConsole() {
        let text =
            "eyJFbmRwb2ludCI6Imh0dHBzOi8vb3NzLWNuLXNoYW5naGFpLmFsaXl1bmNzLmNvbSIsIkJ1Y2tldCI6Im91dGluLTAxMjM0NTY3ODlhYmNkZWYi"
            + "LCJGaWxlTmFtZSI6InN2LzFmNWEyYjNjLTE5NGMvMWY1YTJiM2MtMTk0Yy5tcDQifQ=="
        let json =
            #"{"Endpoint":"https://oss-cn-shanghai.aliyuncs.com","Bucket":"outin-0123456789abcdef","#
            + #""FileName":"sv/1f5a2b3c-194c/1f5a2b3c-194c.mp4"}"#
        #expect(Base64.decode(text) == Array(json.utf8))
    }
}
