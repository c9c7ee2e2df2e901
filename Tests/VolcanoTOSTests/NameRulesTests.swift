import Testing
import TransferCore
import TransferService

@testable import S3Wire
@testable import VolcanoTOS

/// Spec section 2.3.
@Suite struct NameRulesTests {
    @Test(arguments: ["abc", "a-b", "0aa", String(repeating: "b", count: 63)])
    func `a bucket name of the rules is taken`(bucket: String) {
        #expect(throws: Never.self) { try NameRules.checkBucket(bucket, field: "bucket") }
    }

    @Test(arguments: [
        "", "ab", String(repeating: "b", count: 64), "-ab", "ab-", "Abc", "a.b", "a_b", "a/b", "中文桶", "a b", "abc\0",
    ])
    func `any other bucket name is refused by its field`(bucket: String) {
        #expect { try NameRules.checkBucket(bucket, field: "srcBucket") } throws: {
            ($0 as? TransferError)?.field == "srcBucket"
        }
    }

    @Test(arguments: [
        "a", ".", "..", "/", "//lead", "a//b", "a/b//", "%", "中文", "\u{7}", String(repeating: "k", count: 1024),
    ])
    func `a key is any text of 1 to 1024 bytes`(key: String) {
        #expect(throws: Never.self) { try NameRules.checkKey(key, field: "key") }
    }

    @Test(arguments: ["", String(repeating: "k", count: 1025), String(repeating: "中", count: 342)])
    func `a key of no bytes or of more than 1024 is refused`(key: String) {
        #expect { try NameRules.checkKey(key, field: "key") } throws: { ($0 as? TransferError)?.field == "key" }
    }

    @Test func `an empty version id is refused, none is not`() {
        #expect(throws: TransferError.self) { try NameRules.checkVersion("", field: "srcVersionID") }
        #expect(throws: Never.self) { try NameRules.checkVersion(nil, field: "srcVersionID") }
    }
}
