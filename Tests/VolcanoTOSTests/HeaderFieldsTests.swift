import Testing
import TransferCore
import TransferHTTP
import TransferService

@testable import S3Wire
@testable import VolcanoTOS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Spec sections 3.4 to 3.9: attributes as headers, and back.
@Suite struct HeaderFieldsTests {
    private func headers(_ build: (inout HeaderFields) throws -> Void) throws -> [String: String] {
        var fields = HeaderFields()
        try build(&fields)
        return Dictionary(uniqueKeysWithValues: fields.headers.map { ($0.name, $0.value) })
    }

    private func refusedField(_ change: (inout TOSObjectAttributes) -> Void) -> String? {
        var attributes = TOSObjectAttributes()
        change(&attributes)
        do {
            _ = try attributes.options(.test)
            return nil
        } catch {
            return error.field
        }
    }

    @Test func `metadata of any text is percent-encoded, names too`() throws {
        let headers = try headers {
            try $0.addDescription(
                of: ObjectAttributes(metadata: ["name": "火山", "k": "a b", "键": "", "p": "100%"]), key: "a", .test)
        }
        #expect(
            headers == [
                "x-tos-meta-name": "%E7%81%AB%E5%B1%B1", "x-tos-meta-k": "a%20b", "x-tos-meta-%E9%94%AE": "",
                "x-tos-meta-p": "100%25",
            ])
    }

    @Test func `metadata comes back as it was given`() throws {
        let given = ["name": "火山", "k": "a b+c%20", "键": "ü", "empty": ""]
        var fields = HeaderFields()
        try fields.addDescription(of: ObjectAttributes(metadata: given), key: "a", .test)
        #expect(MetadataCoding.always.read(fields.headers, prefix: "x-tos-meta-") == given)
    }

    @Test func `metadata that another client did not encode is taken as it is`() throws {
        let headers = try HTTPHeaders(["X-Tos-Meta-Rate": "100% sure", "x-tos-meta-ok": "a%20b", "x-tos-other": "c"])
        #expect(MetadataCoding.always.read(headers, prefix: "x-tos-meta-") == ["rate": "100% sure", "ok": "a b"])
    }

    @Test func `content headers`() throws {
        let headers = try headers {
            try $0.addDescription(
                of: ObjectAttributes(
                    contentType: "video/mp4", cacheControl: "no-cache",
                    contentDisposition: "attachment; filename=\"片 1.mp4\"", contentEncoding: "identity",
                    contentLanguage: "zh", expires: Date(timeIntervalSince1970: 1_751_356_800)), key: "a", .test)
        }
        #expect(
            headers == [
                "Content-Type": "video/mp4", "Cache-Control": "no-cache",
                "Content-Disposition": "attachment; filename=\"%E7%89%87 1.mp4\"", "Content-Encoding": "identity",
                "Content-Language": "zh", "Expires": "Tue, 01 Jul 2025 08:00:00 GMT",
            ])
    }

    @Test(arguments: [TOSWireFormat.native, .s3Compatible])
    func `a type that is not given is that of the key's extension`(_ format: TOSWireFormat) throws {
        func type(_ given: String?, key: String) throws -> String? {
            let attributes = ObjectAttributes(contentType: given)
            return try headers { try $0.addDescription(of: attributes, key: key, S3Dialect(format)) }["Content-Type"]
        }
        #expect(try type(nil, key: "films/a.MOV") == "video/quicktime")
        #expect(try type("video/mp4", key: "films/a.mov") == "video/mp4")
        // The service has one of its own then.
        #expect(try type(nil, key: "films/a.unknown") == nil)
    }

    @Test func `a disposition that is encoded already stays`() throws {
        let text = "attachment; filename*=UTF-8''%E7%89%87.mp4"
        let headers = try headers {
            try $0.addDescription(of: ObjectAttributes(contentDisposition: text), key: "a", .test)
        }
        #expect(headers["Content-Disposition"] == text)
    }

    @Test func `storage, access and tags`() throws {
        var attributes = TOSObjectAttributes()
        attributes.acl = .bucketOwnerFullControl
        attributes.grantRead = "id=\"1\""
        attributes.storageClass = .ia
        attributes.tagging = ["b": "2&3", "a": "x y"]
        attributes.forbidOverwrite = true
        attributes.websiteRedirectLocation = "/other"
        attributes.objectExpires = 3
        attributes.serverSideEncryption = "kms"
        attributes.serverSideEncryptionKeyID = "key-1"
        let options = try attributes.options(.test)
        let headers = try headers { try $0.addStorage(of: options, .test) }
        #expect(
            headers == [
                "x-tos-acl": "bucket-owner-full-control", "x-tos-grant-read": "id=\"1\"", "x-tos-storage-class": "IA",
                "x-tos-tagging": "a=x%20y&b=2%263", "x-tos-forbid-overwrite": "true",
                "x-tos-website-redirect-location": "/other", "x-tos-object-expires": "3",
                "x-tos-server-side-encryption": "kms", "x-tos-server-side-encryption-kms-key-id": "key-1",
            ])
    }

    @Test func `a customer's key is sent in three headers`() throws {
        var attributes = TOSObjectAttributes()
        attributes.ssecKey = EncryptionKey([UInt8](repeating: 7, count: 32))
        let options = try attributes.options(.test)
        let headers = try headers { try $0.addStorage(of: options, .test) }
        #expect(
            headers == [
                "x-tos-server-side-encryption-customer-algorithm": "AES256",
                "x-tos-server-side-encryption-customer-key": "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
                "x-tos-server-side-encryption-customer-key-MD5": "y4HAEFCYWuvAXWFTtA1Qpg==",
            ])
    }

    @Test func `a field that cannot be sent is refused by its name`() {
        #expect(refusedField { $0.ssecKey = EncryptionKey([1, 2, 3]) } == "ssecKey")
        #expect(refusedField { $0.contentType = "a\r\nx: y" } == "contentType")
        #expect(refusedField { $0.cacheControl = "" } == "cacheControl")
        #expect(refusedField { $0.meta = ["": "x"] } == "meta")
        #expect(refusedField { $0.meta = ["A": "x", "a": "y"] } == "meta")
        #expect(refusedField { $0.objectExpires = 0 } == "objectExpires")
        #expect(refusedField { $0.serverSideEncryptionKeyID = "k" } == "serverSideEncryptionKeyID")
        #expect(
            refusedField {
                $0.serverSideEncryption = "AES256"
                $0.ssecKey = EncryptionKey([UInt8](repeating: 1, count: 32))
            } == "ssecKey")
        #expect(refusedField { $0.websiteRedirectLocation = "a\nb" } == "x-tos-website-redirect-location")
        #expect(refusedField { _ in } == nil)
    }

    @Test(arguments: [819_199, 838_860_801, 0, -1])
    func `a traffic limit out of range is refused`(limit: Int) {
        #expect { try self.headers { try $0.addTrafficLimit(limit, .test) } } throws: {
            ($0 as? TransferError)?.field == "trafficLimit"
        }
    }

    @Test(arguments: [
        "x-tos-date", "x-tos-security-token", "x-tos-copy-source", "x-tos-copy-source-range", "x-tos-meta-a",
        "X-Tos-Content-Sha256", "x-tos-acl", "content-type", "authorization", "host",
    ])
    func `an extra cannot take the place of what the library sends itself`(name: String) {
        #expect { try self.headers { try $0.addStorage(of: ObjectOptions(extras: [name: "x"]), .test) } } throws: {
            ($0 as? TransferError)?.field == "extras"
        }
    }
}
