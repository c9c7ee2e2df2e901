import Testing
import TransferCore

/// The name of a checkpoint: short, safe, and never shared by two transfers.
@Suite struct CheckpointIDTests {
    @Test func isSafeInAnyFileNameWhateverTheKey() {
        let keys = ["a/b", "../../etc", "a:b*c?d e", "\u{0}", String(repeating: "文", count: 400), ""]
        for key in keys {
            let id = CheckpointID(kind: .copy, ["tos", "bucket", key])
            #expect(id.digest.utf8.count == 64)
            #expect(id.digest.allSatisfy { $0.isHexDigit && !$0.isUppercase })
            #expect(id.description == id.digest + ".copy")
        }
    }

    @Test func everyComponentCounts() {
        let lists = [
            ["a", "b"], ["ab", ""], ["", "ab"], ["a", "b", ""], ["ab"], ["b", "a"], [], [""], ["1:a"], ["a", "1:b"],
            ["a1:b"],
        ]
        #expect(Set(lists.map { CheckpointID(kind: .copy, $0) }).count == lists.count)
        #expect(CheckpointID(kind: .copy, ["a"]) != CheckpointID(kind: .upload, ["a"]))
        #expect(CheckpointID(kind: .copy, ["a"]).digest != CheckpointID(kind: .upload, ["a"]).digest)
    }

    /// FR-013: long keys that differ in their last byte alone.
    @Test func longKeysThatDifferInTheLastByte() {
        let stem = String(repeating: "é", count: 499)
        #expect(CheckpointID(kind: .copy, [stem + "a"]) != CheckpointID(kind: .copy, [stem + "b"]))
    }

    /// Files of an earlier run must be found again.
    @Test func isTheSameInEveryRun() {
        #expect(
            CheckpointID(kind: .copy, ["tos", "b", "k"]).digest
                == "c25178310fb4d7c2f85f9b6c49f573db9191a71569f411a29961e3edbe12c24f")
    }
}
