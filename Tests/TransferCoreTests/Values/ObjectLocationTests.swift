import Testing
import TransferCore

@Suite struct ObjectLocationTests {
    /// Two spellings of one letter are equal strings, and two objects.
    @Test func unicodeFormsAreDifferentObjects() {
        let composed = ObjectLocation(bucket: "b", key: "caf\u{E9}")
        let decomposed = ObjectLocation(bucket: "b", key: "cafe\u{301}")
        #expect(composed.key == decomposed.key, "that is why")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(CheckpointID(kind: .copy, [composed.key]) != CheckpointID(kind: .copy, [decomposed.key]))
    }

    @Test func equalMeansEqualHash() {
        let none = ObjectLocation(bucket: "b", key: "k")
        let empty = ObjectLocation(bucket: "b", key: "k", versionID: "")
        #expect(none == empty)
        #expect(none.hashValue == empty.hashValue)
        #expect([none: 1][empty] == 1)
        #expect(none != ObjectLocation(bucket: "b", key: "k", versionID: "1"))
        #expect(none != ObjectLocation(bucket: "b", key: "K"))
        #expect(none != ObjectLocation(bucket: "B", key: "k"))
    }

    @Test func keysAreNeverNormalised() throws {
        for key in ["a//b", "/a", "a/../b", "a b", "a%20b", "a\u{0}b", "文/é😀", "caf\u{E9}", "cafe\u{301}"] {
            let location = ObjectLocation(bucket: "b", key: key, versionID: "v")
            let copy = try JSON.decode(ObjectLocation.self, JSON.encode(location))
            #expect(copy == location)
            #expect(Array(copy.key.utf8) == Array(key.utf8))
        }
    }
}
