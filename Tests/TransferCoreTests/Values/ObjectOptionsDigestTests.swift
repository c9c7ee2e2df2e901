import Testing

@testable import TransferCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The digest that tells whether a resume would make another object.
@Suite struct ObjectOptionsDigestTests {
    private func digest(_ attributes: ObjectAttributes, extras: [String: String] = [:]) -> String {
        ObjectOptions(attributes: attributes, extras: extras).digest(carrying: CarriedAttributes())
    }

    @Test func everyFieldCounts() {
        let variants: [ObjectOptions] = [
            ObjectOptions(),
            .init(attributes: .init(contentType: "x")), .init(attributes: .init(cacheControl: "x")),
            .init(attributes: .init(contentDisposition: "x")), .init(attributes: .init(contentEncoding: "x")),
            .init(attributes: .init(contentLanguage: "x")), .init(attributes: .init(storageClass: "x")),
            .init(attributes: .init(acl: "x")), .init(attributes: .init(expires: Date(timeIntervalSince1970: 1))),
            .init(attributes: .init(expires: Date(timeIntervalSince1970: 2))),
            .init(attributes: .init(metadata: ["x": "y"])), .init(attributes: .init(tags: ["x": "y"])),
            .init(extras: ["x": "y"]), .init(attributes: .init(encryption: .managed(algorithm: "x"))),
            .init(attributes: .init(encryption: .managed(algorithm: "kms x"))),
            .init(attributes: .init(encryption: .keyManagement(keyID: "x"))),
            .init(attributes: .init(encryption: .keyManagement(keyID: nil))),
            .init(attributes: .init(encryption: .customerKey(EncryptionKey([1])))),
            .init(attributes: .init(encryption: .customerKey(EncryptionKey([2])))),
            .init(attributes: .init(contentType: "")),
        ]
        let digests = variants.map { $0.digest(carrying: CarriedAttributes()) }
        #expect(Set(digests).count == variants.count)
        #expect(digests.allSatisfy { $0.utf8.count == 64 })
        #expect(ObjectOptions().digest(carrying: .init(metadata: false)) != ObjectOptions().digest(carrying: .init()))
        #expect(ObjectOptions().digest(carrying: .init(tags: true)) != ObjectOptions().digest(carrying: .init()))
    }

    /// Text that moves across the border of two fields is another object.
    @Test func shiftedFieldsDoNotCollide() {
        let pairs: [(ObjectAttributes, ObjectAttributes)] = [
            (.init(contentType: "a\ncache=1:b"), .init(contentType: "a", cacheControl: "b")),
            (.init(contentType: "a"), .init(contentType: "a\n")),
            (.init(metadata: ["a": "b=c"]), .init(metadata: ["a=b": "c"])),
            (.init(metadata: ["a": "b\nmeta.1:c=1:d"]), .init(metadata: ["a": "b", "c": "d"])),
            (.init(metadata: ["a": "", "b": ""]), .init(metadata: ["a": "b", "": ""])),
            (.init(metadata: ["x": "1"]), .init(tags: ["x": "1"])),
            (.init(metadata: ["a.b": "c"]), .init(metadata: ["a": "b.c"])),
            (.init(storageClass: "a", acl: "b"), .init(storageClass: "ab", acl: "")),
            (.init(metadata: ["k": "caf\u{E9}"]), .init(metadata: ["k": "cafe\u{301}"])),
        ]
        for (a, b) in pairs { #expect(digest(a) != digest(b), "\(a) | \(b)") }
        #expect(digest(.init(), extras: ["a": "b"]) != digest(.init(metadata: ["a": "b"])))
    }

    @Test func isTheSameInEveryRun() {
        let many = Dictionary(uniqueKeysWithValues: (0..<50).map { ("key\($0)", "value\($0)") })
        let turned = Dictionary(uniqueKeysWithValues: (0..<50).reversed().map { ("key\($0)", "value\($0)") })
        #expect(digest(.init(metadata: many)) == digest(.init(metadata: turned)))
        #expect(
            ObjectOptions().digest(carrying: CarriedAttributes())
                == "5340e241b0ba7725b85f717d00fae3085c5139ab296e33b178a6edd0bd531dfe")
    }

    @Test func keysAreNotToBeFoundInIt() {
        let key = EncryptionKey(Array("0123456789abcdef0123456789abcdef".utf8))
        let text = digest(.init(encryption: .customerKey(key)))
        #expect(!text.contains("0123456789abcdef"))
        #expect(text.allSatisfy { $0.isHexDigit })
    }
}
