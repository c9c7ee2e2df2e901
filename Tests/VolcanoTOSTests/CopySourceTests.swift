import Testing
import TransferCore

@testable import S3Wire
@testable import VolcanoTOS

/// Spec section 4.12 and check 4 of section 11.2: one form that reads the same under every decoding in the field.
@Suite("TOS specification 11.2, check 4: copy-source encoding")
struct CopySourceTests {
    @Test(arguments: [
        ("a/b c.txt", "/films/a/b%20c.txt"), ("foo++bar", "/films/foo%2B%2Bbar"), ("100%.txt", "/films/100%25.txt"),
        ("x#y?z&w=1", "/films/x%23y%3Fz%26w%3D1"), ("中文", "/films/%E4%B8%AD%E6%96%87"), (".", "/films/."),
        ("..", "/films/.."), ("dir/", "/films/dir/"), ("/lead", "/films//lead"), ("a//b", "/films/a//b"),
        ("\u{1F3AC}", "/films/%F0%9F%8E%AC"),
        (
            "dir a/中文+&='()*!~,;@$#?%.txt",
            "/films/dir%20a/%E4%B8%AD%E6%96%87%2B%26%3D%27%28%29%2A%21~%2C%3B%40%24%23%3F%25.txt"
        ),
    ])
    func `slashes stay, everything outside the unreserved set is encoded`(key: String, header: String) {
        #expect(CopySource.header(ObjectLocation(bucket: "films", key: key)) == header)
    }

    @Test func `the version stands outside the encoded part`() {
        #expect(
            CopySource.header(ObjectLocation(bucket: "films", key: "a?b", versionID: "v+1/2="))
                == "/films/a%3Fb?versionId=v%2B1%2F2%3D")
    }

    @Test func `a key is never normalised`() {
        let decomposed = CopySource.header(ObjectLocation(bucket: "films", key: "e\u{301}"))
        let composed = CopySource.header(ObjectLocation(bucket: "films", key: "\u{E9}"))
        #expect(decomposed == "/films/e%CC%81")
        #expect(composed == "/films/%C3%A9")
    }
}
