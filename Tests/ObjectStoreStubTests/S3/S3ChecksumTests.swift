import ObjectStoreStub
import Testing
import TransferPrimitives

@Suite struct S3ChecksumTests {
    private static let digits = Array("123456789".utf8)

    /// The check values of the three CRCs, and the SHA-256, of the digits 1 to 9.
    private static let sums: [(String, String)] = [
        ("crc32", Base64.encode([0xCB, 0xF4, 0x39, 0x26])), ("crc32c", Base64.encode([0xE3, 0x06, 0x92, 0x83])),
        ("crc64nvme", Base64.encode([0xAE, 0x8B, 0x14, 0x86, 0x0A, 0x79, 0x98, 0x88])),
        ("sha256", Base64.encode(Digest.sha256(digits))),
    ]

    private func putFramed(
        _ s3: S3Fixture, _ path: String = "/dst-bucket/a", frame: String, length: Int = 9,
        headers: [(String, String)] = []
    ) throws -> RawClient.Reply {
        var s3 = s3
        s3.stub.signer.payload = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
        return try s3.send(
            "PUT", path, headers: [("x-amz-decoded-content-length", String(length))] + headers, body: Array(frame.utf8))
    }

    @Test(arguments: [0, 1, 2, 3])
    func checksumsBehindTheBody(index: Int) async throws {
        let s3 = try await S3Fixture()
        let (name, sum) = (Self.sums[index].0, Self.sums[index].1)
        let trailer = [("x-amz-trailer", "x-amz-checksum-" + name)]
        let frame = "5\r\n12345\r\n4\r\n6789\r\n0\r\nx-amz-checksum-\(name):"
        let encoding = [("Content-Encoding", "aws-chunked,gzip")]
        let reply = try putFramed(s3, frame: frame + sum + "\r\n\r\n", headers: trailer + encoding)
        #expect(reply.status == 200)
        #expect(reply.headers["etag"] == "\"\(Hex.encode(Digest.md5(Self.digits)))\"")
        #expect(reply.headers["x-amz-checksum-" + name] == sum)
        let read = try s3.send("GET", "/dst-bucket/a")
        #expect(read.body == Self.digits)
        #expect(read.headers["content-encoding"] == "gzip")

        let wrong = try putFramed(s3, "/dst-bucket/b", frame: frame + "AAAA\r\n\r\n", headers: trailer)
        #expect(wrong.status == 400)
        #expect(try wrong.element("Code") == "BadDigest")
        #expect(s3.server.storage.object("b", in: "dst-bucket") == nil)
    }

    @Test func framesThatAreNotWhatTheySay() async throws {
        let s3 = try await S3Fixture()
        let trailer = [("x-amz-trailer", "x-amz-checksum-crc32")]
        let line = "x-amz-checksum-crc32:\(Self.sums[0].1)\r\n"
        let right = "9\r\n123456789\r\n0\r\n\(line)\r\n"
        let cases: [(String, Int, [(String, String)], String)] = [
            (right, 8, trailer, "IncompleteBody"), (right, 9, [], "MalformedTrailerError"),
            ("9\r\n123456789\r\n0\r\n\r\n", 9, trailer, "MalformedTrailerError"),
            ("9\r\n12345", 9, trailer, "IncompleteBody"), ("a\r\n123456789\r\n0\r\n\r\n", 9, trailer, "IncompleteBody"),
            ("8\r\n123456789\r\n0\r\n\r\n", 9, trailer, "IncompleteBody"), ("123456789", 9, trailer, "IncompleteBody"),
            ("-1\r\n123456789\r\n0\r\n\r\n", 9, trailer, "IncompleteBody"),
            (right + "more", 9, trailer, "IncompleteBody"),
            (right.replacing("crc32", with: "md4"), 9, [("x-amz-trailer", "x-amz-checksum-md4")], "InvalidRequest"),
        ]
        for (frame, length, headers, code) in cases {
            let reply = try putFramed(s3, frame: frame, length: length, headers: headers)
            #expect(reply.status == 400, "\(frame)")
            #expect(try reply.element("Code") == code, "\(frame)")
        }
        // The digest is that of the content, not of the bytes on the wire.
        for (bytes, status) in [(Self.digits, 200), (Array(right.utf8), 400)] {
            let digest = [("Content-MD5", Base64.encode(Digest.md5(bytes)))]
            #expect(try putFramed(s3, frame: right, headers: trailer + digest).status == status)
        }
        #expect(try putFramed(s3, frame: "9\r\n123456789\r\n0\r\n\r\n").status == 200)
        s3.server.storage.createBucket("sink", discardsUploads: true)
        #expect(try putFramed(s3, "/sink/a", frame: right, headers: trailer).status == 200)
        #expect(s3.server.storage.object("a", in: "sink")?.crc64 == 11_051_210_869_376_104_954)
        #expect(s3.server.storage.object("a", in: "sink")?.content.read() == nil)
    }

    @Test func checksumsInAHeader() async throws {
        let s3 = try await S3Fixture()
        let upload = try s3.createUpload("/dst-bucket/k")
        let query = [("partNumber", "1"), ("uploadId", upload)]
        for (name, sum) in Self.sums {
            let header = [("x-amz-checksum-" + name, sum)]
            let reply = try s3.send("PUT", "/dst-bucket/k", query: query, headers: header, body: Self.digits)
            #expect(reply.status == 200)
            #expect(reply.headers["x-amz-checksum-" + name] == sum)
            let wrong = try s3.send("PUT", "/dst-bucket/k", query: query, headers: header, body: [1])
            #expect(try wrong.element("Code") == "BadDigest")
        }
    }

    @Test func framingsThatAreRefused() async throws {
        var s3 = try await S3Fixture()
        let trailer = [("x-amz-trailer", "x-amz-checksum-crc32")]
        let right = "9\r\n123456789\r\n0\r\nx-amz-checksum-crc32:\(Self.sums[0].1)\r\n\r\n"
        s3.server.quirks.refusesChecksumTrailers = true
        let refused = try putFramed(s3, frame: right, headers: trailer)
        #expect(refused.status == 501)
        #expect(try refused.element("Code") == "NotImplemented")
        #expect(try refused.element("Header") == "x-amz-trailer")
        #expect(try putFramed(s3, frame: "9\r\n123456789\r\n0\r\n\r\n").element("Header") == "x-amz-content-sha256")
        #expect(try s3.send("PUT", "/dst-bucket/a", body: Self.digits).status == 200)

        s3.server.quirks.refusesChecksumTrailers = false
        let client = try s3.stub.connect()
        let signed = s3.stub.signer.request("PUT", "/dst-bucket/a", host: s3.stub.host)
        let chunked = String(decoding: signed, as: UTF8.self)
            .replacing("Content-Length: 0", with: "Transfer-Encoding: chunked")
        try client.send(chunked + "0\r\n\r\n")
        #expect(try client.receive().element("Header") == "Transfer-Encoding")
        s3.stub.signer.payload = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
        #expect(try s3.send("PUT", "/dst-bucket/a", body: Array(right.utf8)).status == 501)
    }
}
