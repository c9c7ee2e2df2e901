import Foundation
import Testing
import TransferHTTP

extension RealServerTests {
    /// What servers do beside Amazon's manual, as docs/servers.md tells it. Each row there is a test here; one that fails says
    /// that a version does otherwise, not that the library does.
    @Suite struct HabitTests {
        /// A megabyte more than a part must have.
        private static let content = String(repeating: "0123456789abcdef", count: 6 << 16)

        private let folder = "/films/habits/\(UUID().uuidString)/"

        private func upload(_ kind: RealServer.Kind) async throws -> RawUpload {
            let raw = try RawS3(try RealServers.named(kind))
            #expect(try await raw.send(.put, folder + "source", body: Self.content).status == 200)
            return try await RawUpload(raw, folder + "target")
        }

        @Test(arguments: [(RealServer.Kind.ceph, false), (.juicefs, true)])
        func `quotes around tags in copy results`(_ kind: RealServer.Kind, _ hasQuotes: Bool) async throws {
            let upload = try await upload(kind)
            let etag = try #require(try await upload.copyPart(1, from: folder + "source").element("ETag"))
            #expect(etag.hasPrefix("\"") == hasQuotes)
            let listed = try await upload.raw.send(.get, upload.path, query: [.init("uploadId", upload.id)])
            #expect(listed.element("ETag") == (hasQuotes ? etag : "\"\(etag)\""))
        }

        @Test(arguments: [(RealServer.Kind.ceph, true), (.juicefs, false)])
        func `conditions on the source of a copy`(_ kind: RealServer.Kind, _ ignores: Bool) async throws {
            let upload = try await upload(kind)
            let status = ignores ? 200 : 412
            #expect(try await upload.copyPart(1, from: folder + "source", ifMatch: "\"0\"").status == status)
            let whole = try await upload.raw.send(
                .put, folder + "copy",
                headers: ["x-amz-copy-source": folder + "source", "x-amz-copy-source-if-match": "\"0\""])
            #expect(whole.status == status)
        }

        @Test(arguments: [(RealServer.Kind.ceph, true), (.juicefs, false)])
        func `a Complete that leaves a part out`(_ kind: RealServer.Kind, _ refuses: Bool) async throws {
            let upload = try await upload(kind)
            let etag = try #require(try await upload.copyPart(1, from: folder + "source").element("ETag"))
            #expect(try await upload.part(2, "more").status == 200)
            let answer = try await upload.complete([(1, etag)])
            #expect(answer.status == (refuses ? 400 : 200))
            #expect(answer.element("Code") == (refuses ? "InvalidPart" : nil))
        }

        @Test(arguments: [(RealServer.Kind.ceph, false), (.juicefs, true)])
        func `the tag in the answer to Complete`(_ kind: RealServer.Kind, _ isNamed: Bool) async throws {
            let upload = try await upload(kind)
            let etag = try #require(try await upload.copyPart(1, from: folder + "source").element("ETag"))
            let answer = try await upload.complete([(1, etag)])
            #expect(answer.status == 200)
            #expect(answer.element("ETag")?.isEmpty == !isNamed)
            #expect(try await upload.raw.send(.head, upload.path).status == 200)
        }

        @Test(arguments: [(RealServer.Kind.ceph, nil), (.juicefs, "InvalidPartOrder")])
        func `a Complete with its parts in another order`(_ kind: RealServer.Kind, _ code: String?) async throws {
            let upload = try await upload(kind)
            let etag = try #require(try await upload.copyPart(1, from: folder + "source").element("ETag"))
            let last = try #require(try await upload.part(2, "the end").headers["etag"])
            let answer = try await upload.complete([(2, last), (1, etag)])
            #expect(answer.element("Code") == code)
            #expect(answer.status == (code == nil ? 200 : 400))
        }

        @Test(arguments: [
            (RealServer.Kind.ceph, "NoSuchKey", "InternalError"), (.juicefs, "NoSuchUpload", "NoSuchUpload"),
        ])
        func `an upload that is gone`(_ kind: RealServer.Kind, _ listing: String, _ completion: String) async throws {
            let upload = try await upload(kind)
            let item = HTTPRequest.QueryItem("uploadId", upload.id)
            let etag = try #require(try await upload.part(1, "x").headers["etag"])
            #expect(try await upload.raw.send(.delete, upload.path, query: [item]).status == 204)
            #expect(try await upload.raw.send(.get, upload.path, query: [item]).element("Code") == listing)
            #expect(try await upload.complete([(1, etag)]).element("Code") == completion)
        }

        @Test(arguments: [(RealServer.Kind.ceph, true), (.juicefs, false)])
        func `part 10,001`(_ kind: RealServer.Kind, _ takes: Bool) async throws {
            let upload = try await upload(kind)
            #expect(try await upload.part(10_000, "x").status == 200)
            #expect(try await upload.part(10_001, "x").status == (takes ? 200 : 400))
        }

        @Test(arguments: [(RealServer.Kind.ceph, true), (.juicefs, false)])
        func `parts below 5 MiB`(_ kind: RealServer.Kind, _ refuses: Bool) async throws {
            let upload = try await upload(kind)
            var etags: [String] = []
            for number in 1...2 { etags.append(try await upload.part(number, "x").headers["etag"] ?? "") }
            let answer = try await upload.complete([(1, etags[0]), (2, etags[1])])
            #expect(answer.element("Code") == (refuses ? "EntityTooSmall" : nil))
        }

        @Test(arguments: [(RealServer.Kind.ceph, true), (.juicefs, false)])
        func `a source of a part copy is decoded twice`(_ kind: RealServer.Kind, _ decodesTwice: Bool) async throws {
            let upload = try await upload(kind)
            let once = try await upload.raw.send(.put, folder + "a%2541", body: "once").headers["etag"]
            let twice = try await upload.raw.send(.put, folder + "aA", body: "twice").headers["etag"]
            let etag = try await upload.copyPart(1, from: folder + "a%2541").element("ETag")
            #expect(etag.map(bare) == (decodesTwice ? twice : once).map(bare))
        }

        @Test(arguments: RealServer.Kind.allCases)
        func `checksums in headers are ignored`(_ kind: RealServer.Kind) async throws {
            let raw = try RawS3(try RealServers.named(kind))
            let wrong = try await raw.send(
                .put, folder + "sum", headers: ["x-amz-checksum-crc32": "AAAAAA=="], body: "hello")
            #expect(wrong.status == 200)
            let told = try await raw.send(.head, folder + "sum", headers: ["x-amz-checksum-mode": "ENABLED"])
            #expect(told.headers["x-amz-checksum-crc32"] == nil)
        }

        @Test(arguments: RealServer.Kind.allCases)
        func `checksums behind bodies are refused`(_ kind: RealServer.Kind) async throws {
            let raw = try RawS3(try RealServers.named(kind))
            let answer = try await raw.send(
                .put, folder + "trailer",
                headers: [
                    "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "content-encoding": "aws-chunked",
                    "x-amz-decoded-content-length": "5", "x-amz-trailer": "x-amz-checksum-crc32",
                ], body: "5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n")
            #expect(answer.status == 400)
            #expect(answer.element("Code") == "XAmzContentSHA256Mismatch")
        }

        private func bare(_ etag: String) -> String { etag.replacing("\"", with: "") }
    }
}
