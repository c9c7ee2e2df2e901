import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunOSS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Presigned URLs from the public interface; the vectors themselves are in the tests of the signatures.
@Suite struct PresignTests {
    private func client(
        _ credential: OSSCredential = Vector.permanent, _ change: (inout OSSClientConfiguration) -> Void = { _ in }
    ) throws -> OSSClient {
        var configuration = OSSClientConfiguration.test(credential: credential)
        change(&configuration)
        return try OSSClient.test(ScriptedTransport(try .oss(500)), configuration: configuration)
    }

    @Test func `A.7 by the client`() async throws {
        var input = OSSPresignInput(.get, bucket: "examplebucket", key: Vector.difficultKey)
        input.expires = 3600
        input.overrides.contentDisposition = "attachment; filename=\"a b.mp4\""
        let output = try await client(Vector.temporary).presign(input)
        #expect(
            output.url.hasPrefix("\(Vector.host)/\(Vector.difficultPath)?response-content-disposition=attachment%3B"))
        #expect(
            output.url.hasSuffix("&x-oss-signature=d16219b4472f13f28eef40f9a4a4032f6c34bbca943719bdbe8577de7c3071bb"))
        #expect(output.expiration == Vector.date + 3600)
        #expect(output.signedHeaders.isEmpty)
    }

    @Test func `A.8 by the client`() async throws {
        var input = OSSPresignInput(.put, bucket: "examplebucket", key: "video/a.mp4")
        input.headers = ["Content-Type": "video/mp4"]
        let output = try await client { $0.additionalSignedHeaders = ["Host"] }.presign(input)
        #expect(
            output.url.hasSuffix("&x-oss-signature=75b431758f59039103cf8d4d9a1d82d13e88af9c76493cadaf64dded6ee0f47c"))
        #expect(output.signedHeaders == ["Content-Type": "video/mp4"])
        #expect(output.method == .put)
    }

    @Test func `B.6 by the client`() async throws {
        var input = OSSPresignInput(.get, bucket: "examplebucket", key: Vector.difficultKey)
        input.expires = 3600
        input.signature = .v1
        let output = try await client(Vector.temporary).presign(input)
        #expect(
            output.url == """
                \(Vector.host)/\(Vector.difficultPath)?security-token=CAIS%2Btok%2Fen%3D%3D\
                &OSSAccessKeyId=TESTAKID0001&Expires=1736933400&Signature=mEFVSas82%2FnYZQlu1oqg8r1sdQU%3D
                """)
    }

    @Test func `a part's URL names the part`() async throws {
        var input = OSSPresignInput(.put, bucket: "examplebucket", key: "k")
        input.query = ["uploadId": "u", "partNumber": "7"]
        for version in OSSSignatureVersion.allCases {
            input.signature = version
            let url = try await client().presign(input).url
            #expect(url.hasPrefix("\(Vector.host)/k?partNumber=7&uploadId=u&"))
        }
    }

    @Test func `any header of the caller's is signed by V4`() async throws {
        var input = OSSPresignInput(.put, bucket: "examplebucket", key: "k")
        input.headers = ["Cache-Control": "no-cache", "x-oss-meta-a": "b"]
        let url = try await client().presign(input).url
        #expect(url.contains("x-oss-additional-headers=cache-control&"))
    }

    @Test func `a URL ends with the credentials it was made of`() async throws {
        let credential = Credentials(
            accessKey: "a", secretKey: "b", securityToken: "t", expiration: Vector.date + 100)
        let output = try await client(credential).presign(.init(.get, bucket: "examplebucket", key: "k"))
        #expect(output.expiration == Vector.date + 100)
    }

    @Test func `a URL is printed nowhere`() async throws {
        var input = OSSPresignInput(.get, bucket: "examplebucket", key: "k")
        input.headers = ["x-oss-server-side-encryption-customer-key": "c2VjcmV0"]
        let output = try await client(Vector.temporary).presign(input)
        var dumped = ""
        dump([output], to: &dumped)
        for text in ["\(output)", "\([output])", String(reflecting: output), dumped] {
            #expect(!text.contains("signature") && !text.contains("c2VjcmV0"))
        }
    }

    @Test func `bad input is refused by its name`() async throws {
        func field(_ change: (inout OSSPresignInput) -> Void) async throws -> String? {
            var input = OSSPresignInput(.get, bucket: "examplebucket", key: "k")
            change(&input)
            return await transferError { _ = try await client().presign(input) }?.field
        }
        for seconds in [0, -1, 604_801, .max] { #expect(try await field { $0.expires = seconds } == "expires") }
        #expect(
            try await field {
                $0.signature = .v1
                $0.expires = .max
            } == "expires")
        #expect(try await field { $0.bucket = "" } == "bucket")
        #expect(try await field { $0.key = "" } == "key")
        #expect(try await field { $0.versionID = "" } == "versionID")
        #expect(try await field { $0.headers = ["a b": "c"] } == "headers")
        #expect(try await field { $0.query = ["Signature": "x"] } == "query")
        #expect(try await field { $0.query = ["": "x"] } == "query")
    }
}
