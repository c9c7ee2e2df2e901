import Testing
import TransferCore
import TransferService

@testable import AliyunOSS

@Suite struct NameRulesTests {
    @Test(arguments: ["abc", "a-b", "0a9", String(repeating: "a", count: 63), "outin-0123456789abcdef"])
    func `a bucket`(name: String) throws {
        try NameRules.checkBucket(name, field: "bucket")
    }

    @Test(arguments: [
        "", "ab", String(repeating: "a", count: 64), "-abc", "abc-", "Abc", "a_b", "a.b", "a b", "a/b", "日本語日本語",
        "a\nb",
    ])
    func `no bucket`(name: String) {
        #expect(throws: TransferError.self) { try NameRules.checkBucket(name, field: "srcBucket") }
        do { try NameRules.checkBucket(name, field: "srcBucket") } catch { #expect(error.field == "srcBucket") }
    }

    @Test(arguments: [
        "a", "a/b", "..", ".", "a//b", " ", "%", "+", "#", "🎬", "中文", "a\nb", String(repeating: "a", count: 1023),
    ])
    func `a key`(key: String) throws {
        try NameRules.checkKey(key, field: "key")
    }

    @Test(arguments: ["", "/a", "\\a", String(repeating: "a", count: 1024), String(repeating: "中", count: 342)])
    func `no key`(key: String) {
        #expect(throws: TransferError.self) { try NameRules.checkKey(key, field: "key") }
    }

    @Test func `part numbers go from 1 to 10,000`() throws {
        try NameRules.checkPartNumber(1)
        try NameRules.checkPartNumber(10_000)
        for number in [0, -1, 10_001, .max, .min] {
            #expect(throws: TransferError.self) { try NameRules.checkPartNumber(number) }
        }
    }

    @Test(arguments: [
        ("a/b c.txt", "/films/a/b%20c.txt"), ("foo++bar", "/films/foo%2B%2Bbar"), ("100%.txt", "/films/100%25.txt"),
        ("x#y?z&w=1", "/films/x%23y%3Fz%26w%3D1"), ("中文", "/films/%E4%B8%AD%E6%96%87"), ("a//b", "/films/a//b"),
        (Vector.difficultKey, "/films/" + Vector.difficultPath),
    ])
    func `a copy's source is encoded with its slashes kept`(key: String, header: String) {
        #expect(CopySource.header(ObjectLocation(bucket: "films", key: key)) == header)
    }

    @Test func `the version of a copy's source stands outside the encoded part`() {
        #expect(
            CopySource.header(ObjectLocation(bucket: "films", key: "a?b", versionID: "v+1/2="))
                == "/films/a%3Fb?versionId=v%2B1%2F2%3D")
    }
}
