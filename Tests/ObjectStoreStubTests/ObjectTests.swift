import ObjectStoreStub
import Testing
import TransferPrimitives

@Suite struct ObjectTests {
    @Test func storesAndReturnsBytesWithTheirChecksum() async throws {
        let stub = try await StubFixture()
        let put = try stub.send(
            "PUT", "/dst-bucket/a.txt", headers: [("Content-Type", "text/plain")], body: Array("hello".utf8))
        #expect(put.status == 200)
        #expect(put.headers["x-tos-hash-crc64ecma"] == "11177612005948864433")
        #expect(put.headers["etag"] == "\"5d41402abc4b2a76b9719d911017c592\"")

        let head = try stub.send("HEAD", "/dst-bucket/a.txt")
        #expect(head.status == 200)
        #expect(head.headers["content-length"] == "5")
        #expect(head.headers["content-type"] == "text/plain")
        #expect(head.headers["last-modified"] == "Tue, 01 Jul 2025 08:00:00 GMT")

        let part = try stub.send("GET", "/dst-bucket/a.txt", headers: [("Range", "bytes=1-3")])
        #expect(part.status == 206)
        #expect(part.text == "ell")
        #expect(part.headers["content-range"] == "bytes 1-3/5")
        #expect(part.headers["x-tos-hash-crc64ecma"] == "11177612005948864433")
    }

    @Test func copiesAnObjectInParts() async throws {
        let stub = try await StubFixture()
        let source = try stub.server.storage.putObject("big", in: "src-bucket", .generated(seed: 7, length: 13 << 20))
        let upload = try stub.createUpload("/dst-bucket/copy")
        var parts: [String] = []
        for (number, range) in [(1, "0-5242879"), (2, "5242880-10485759"), (3, "10485760-13631487")] {
            let reply = try stub.send(
                "PUT", "/dst-bucket/copy", query: [("partNumber", "\(number)"), ("uploadId", upload)],
                headers: [("x-tos-copy-source", "/src-bucket/big"), ("x-tos-copy-source-range", "bytes=\(range)")])
            #expect(reply.status == 200)
            let etag = try reply.member("ETag")
            parts.append("{\"PartNumber\":\(number),\"ETag\":\"\\\"\(etag.dropFirst().dropLast())\\\"\"}")
        }
        let done = try stub.send(
            "POST", "/dst-bucket/copy", query: [("uploadId", upload)],
            body: Array("{\"Parts\":[\(parts.joined(separator: ","))]}".utf8))
        #expect(done.status == 200)
        let copy = try #require(stub.server.storage.object("copy", in: "dst-bucket"))
        #expect(copy.content.firstDifference(from: source.content) == nil)
        #expect(copy.crc64 == source.crc64)
        #expect(done.headers["x-tos-hash-crc64ecma"] == source.crc64.map { String($0) })
        #expect(copy.etag.hasSuffix("-3"))
        #expect(stub.server.storage.uploads.isEmpty)
    }
}
