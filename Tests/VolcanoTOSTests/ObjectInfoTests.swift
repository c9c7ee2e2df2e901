import Testing
import TransferCore
import TransferHTTP

@testable import S3Wire
@testable import VolcanoTOS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Spec section 4.9: the headers of HEAD.
@Suite struct ObjectInfoTests {
    @Test func `everything that HEAD tells is read`() throws {
        let info = try #require(
            ObjectInfo(
                HTTPHeaders([
                    "content-length": "47185920", "Content-Type": "video/mp4", "ETag": "\"abc-3\"",
                    "Last-Modified": "Tue, 01 Jul 2025 08:00:00 GMT", "Cache-Control": "no-store",
                    "x-tos-hash-crc64ecma": "11051210869376104954", "x-tos-storage-class": "IA",
                    "x-tos-version-id": "v1", "X-Tos-Meta-Name": "%E7%81%AB", "x-tos-tagging-count": "2",
                    "Expires": "Wed, 02 Jul 2025 08:00:00 GMT", "Content-Encoding": "",
                ]), .test))
        #expect(info.size == 47_185_920)
        #expect(info.etag?.rawValue == "\"abc-3\"")
        #expect(info.lastModified?.timeIntervalSince1970 == 1_751_356_800)
        #expect(info.checksums.crc64 == 11_051_210_869_376_104_954)
        #expect(info.versionID == "v1")
        #expect(info.kind == .normal)
        #expect(info.tagCount == 2)
        #expect(info.attributes.contentType == "video/mp4")
        #expect(info.attributes.cacheControl == "no-store")
        #expect(info.attributes.contentEncoding == nil)
        #expect(info.attributes.expires?.timeIntervalSince1970 == 1_751_443_200)
        #expect(info.attributes.metadata == ["name": "火"])
        #expect(info.attributes.storageClass == "IA")
    }

    @Test func `links and appendable objects are told apart`() throws {
        #expect(
            try ObjectInfo(HTTPHeaders(["Content-Length": "1", "x-tos-object-type": "Symlink"]), .test)?.kind
                == .symlink)
        #expect(
            try ObjectInfo(HTTPHeaders(["Content-Length": "1", "x-tos-object-type": "Appendable"]), .test)?.kind
                == .appendable
        )
    }

    @Test(arguments: ["-1", "1.5", "", "99999999999999999999"])
    func `without a usable length there is no object`(length: String) throws {
        #expect(try ObjectInfo(HTTPHeaders(["Content-Length": length]), .test) == nil)
    }

    @Test func `an appendable object has no ETag`() throws {
        #expect(try ObjectInfo(HTTPHeaders(["Content-Length": "1", "ETag": "\"\""]), .test)?.etag == nil)
    }
}
