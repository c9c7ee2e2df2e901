import Testing
import TransferCore
import TransferHTTP
import TransferService

@testable import AliyunOSS

/// Spec section 2.2: user metadata, content types and tags in headers.
@Suite struct MetadataTests {
    @Test(arguments: [
        ("alice", "alice"), ("foo@bar.com", "foo@bar.com"), ("a b", "a b"), ("100%", "100%"), ("a%20b", "a%20b"),
        ("中文", "%E4%B8%AD%E6%96%87"), ("naïve 5%", "na%C3%AFve 5%25"), ("a\tb", "a%09b"), ("a\r\nx: y", "a%0D%0Ax: y"),
        ("", ""),
    ])
    func `a value of printable ASCII is sent as it is, any other percent-encoded`(value: String, header: String) {
        #expect(MetadataCoding.headerValue(value) == header)
        #expect(MetadataCoding.readValue(header) == value)
    }

    /// A copy that carries metadata over must write the very bytes that it read.
    @Test(arguments: ["100%25", "%41", "%E4%B8%AD", "%zz", "%", "a+b%2Bc", "%E4%B8", "50%2525", "%09", "%7E"])
    func `what other clients wrote is carried byte for byte`(header: String) {
        #expect(MetadataCoding.headerValue(MetadataCoding.readValue(header)) == header)
    }

    @Test func `metadata is read by names in lower case`() throws {
        let headers = try HTTPHeaders([
            "X-OSS-Meta-Author": "alice", "x-oss-meta-title": "%E4%B8%AD", "x-oss-meta-": "nobody", "x-oss-acl": "x",
        ])
        #expect(MetadataCoding.read(headers) == ["author": "alice", "title": "中"])
    }

    @Test(arguments: [
        ("a.mov", nil, "video/quicktime"), ("a.mov", "a/b", "a/b"), ("a", nil, "application/octet-stream"),
    ])
    func `an object has a content type in any case`(key: String, given: String?, type: String) throws {
        var fields = HeaderFields()
        try fields.addDescription(of: ObjectAttributes(contentType: given), key: key)
        #expect(fields.headers["Content-Type"] == type)
    }

    private func refusal(_ change: (inout OSSObjectAttributes) -> Void) -> TransferError? {
        var attributes = OSSObjectAttributes()
        change(&attributes)
        do {
            _ = try attributes.options()
            return nil
        } catch {
            return error
        }
    }

    @Test func `attributes that cannot be sent are refused by their names`() {
        #expect(refusal { $0.contentType = "a\nb" }?.field == "contentType")
        #expect(refusal { $0.cacheControl = "" }?.field == "cacheControl")
        #expect(refusal { $0.metadata = ["": "x"] }?.field == "metadata")
        #expect(refusal { $0.metadata = ["a b": "x"] }?.field == "metadata")
        #expect(refusal { $0.metadata = ["名": "x"] }?.field == "metadata")
        #expect(refusal { $0.metadata = ["A": "x", "a": "y"] }?.field == "metadata")
        #expect(refusal { $0.serverSideEncryptionKeyID = "k" }?.field == "serverSideEncryptionKeyID")
        #expect(refusal { $0.serverSideDataEncryption = "SM4" }?.field == "serverSideDataEncryption")
        #expect(refusal { $0.callback = OSSCallback(url: "", body: "b") }?.field == "callback.url")
        #expect(refusal { $0.callback = OSSCallback(url: "http://x", body: "") }?.field == "callback.body")
        for name in ["user", "x:User"] {
            #expect(
                refusal { $0.callback = OSSCallback(url: "u", body: "b", variables: [name: "1"]) }?.field
                    == "callback.variables")
        }
        #expect(refusal { $0.metadata = ["a": "line\nbreak"] } == nil)
    }

    @Test func `an object's extras cannot set what others decide about`() {
        for name in [
            "x-oss-date", "X-OSS-Meta-a", "x-oss-copy-source-if-match", "x-oss-security-token", "Content-Type",
            "x-oss-traffic-limit",
        ] {
            var fields = HeaderFields()
            #expect(throws: TransferError.self) { try fields.addStorage(of: ObjectOptions(extras: [name: "v"])) }
        }
    }

    @Test func `OSS takes no key of the caller's`() {
        var fields = HeaderFields()
        let key = EncryptionKey([UInt8](repeating: 7, count: 32))
        let options = ObjectOptions(attributes: ObjectAttributes(encryption: .customerKey(key)))
        do {
            try fields.addStorage(of: options)
            Issue.record("a key was taken")
        } catch {
            #expect(error.code == .unsupported)
        }
    }

    @Test func `a traffic limit has bounds`() throws {
        for limit in [245_760, 838_860_800] {
            var fields = HeaderFields()
            try fields.addTrafficLimit(limit)
            #expect(fields.headers["x-oss-traffic-limit"] == String(limit))
        }
        for limit in [0, -1, 245_759, 838_860_801] {
            var fields = HeaderFields()
            #expect(throws: TransferError.self) { try fields.addTrafficLimit(limit) }
        }
    }
}
