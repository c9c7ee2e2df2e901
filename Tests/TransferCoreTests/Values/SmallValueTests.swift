import Testing
import TransferCore
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Ranges, bodies, identities: small values with an edge or two.
@Suite struct SmallValueTests {
    @Test func rangesSayWhatHTTPSays() {
        #expect(ByteRange(offset: 0, length: 1).httpValue == "bytes=0-0")
        #expect(ByteRange(offset: 10, length: 5).httpValue == "bytes=10-14")
        #expect(ByteRange(offset: 10, length: 0).httpValue == nil)
        #expect(ByteRange(offset: .max, length: 5).isEmpty)
        #expect(ByteRange(offset: .max - 2, length: 5).end == .max)
        var moved = ByteRange(offset: 0, length: 5)
        moved.offset = .max - 2
        #expect(moved.end == .max)
    }

    @Test func aBodyIsAStretchOfItsSource() throws {
        let source = MemorySource([0, 1, 2, 3, 4, 5, 6, 7])
        func bytes(_ body: PartBody, at offset: UInt64 = 0, count: Int = 20) throws -> [UInt8] {
            var buffer = [UInt8](repeating: 99, count: count)
            let read = try buffer.withUnsafeMutableBytes { try body.read(at: offset, into: $0) }
            return Array(buffer.prefix(read))
        }
        let body = PartBody(source, range: ByteRange(offset: 2, length: 3))
        #expect(body.length == 3)
        #expect(try bytes(body) == [2, 3, 4])
        #expect(try bytes(body, at: 1) == [3, 4])
        #expect(try bytes(body, count: 2) == [2, 3])
        #expect(try bytes(body, at: 3) == [])
        #expect(try bytes(body, at: .max) == [])
        #expect(PartBody(source, range: ByteRange(offset: 6, length: 50)).length == 2, "cut to the source")
        #expect(PartBody(source, range: ByteRange(offset: 60, length: 50)).length == 0)
        #expect(try bytes(PartBody(source)).count == 8)
        #expect(try bytes(.empty) == [])
    }

    @Test func aSourceIsTheSameOnlyWhenEveryFactAgrees() {
        let identity = SourceIdentity(
            size: 5, object: ObjectLocation(bucket: "b", key: "k"), etag: ETag("\"e\""),
            lastModified: Date(timeIntervalSince1970: 1.0001), checksums: Checksums(crc64: 1), fileName: "f",
            path: "/a/f")
        func changed(_ change: (inout SourceIdentity) -> Void) -> SourceIdentity {
            var other = identity
            change(&other)
            return other
        }
        #expect(identity.isSame(as: identity))
        #expect(identity.isSame(as: changed { $0.path = "/b/f" }), "the path is advice (FR-006)")
        #expect(identity.isSame(as: changed { $0.etag = ETag("e") }))
        #expect(
            identity.isSame(as: changed { $0.lastModified = Date(timeIntervalSince1970: 1.0002) }),
            "the same millisecond")
        for other in [
            changed { $0.size = 6 }, changed { $0.object?.key = "l" }, changed { $0.object = nil },
            changed { $0.etag = ETag("f") }, changed { $0.etag = nil }, changed { $0.lastModified = nil },
            changed { $0.lastModified = Date(timeIntervalSince1970: 2) },
            changed { $0.checksums = Checksums(crc64: 2) }, changed { $0.fileName = "g" },
            changed { $0.object?.versionID = "1" },
        ] {
            #expect(!identity.isSame(as: other))
            #expect(!other.isSame(as: identity))
        }
        #expect(changed { $0.checksums = nil }.isSame(as: changed { $0.checksums = [:] }))
        #expect(identity.isSame(as: changed { $0.checksums = nil }), "the tag tells that it is the same object")
        let untagged = changed { $0.etag = nil }
        var unsummed = untagged
        unsummed.checksums = nil
        #expect(!untagged.isSame(as: unsummed), "with neither tag nor checksum nothing tells")
        let far = changed { $0.lastModified = Date(timeIntervalSince1970: .infinity) }
        #expect(far.isSame(as: far), "no date brings the comparison down")
    }

    @Test func aPartIsWrittenShortAndReadBack() throws {
        let bare = CompletedPart(number: 3, etag: ETag("e"))
        #expect(String(decoding: try JSON.encode(bare), as: UTF8.self).count < 30)
        #expect(try JSON.decode(CompletedPart.self, JSON.encode(bare)) == bare)
        let full = CompletedPart(
            number: 10_000, etag: ETag("\"e\""), size: .max, checksums: [.crc64: "1"], isConfirmed: true)
        #expect(try JSON.decode(CompletedPart.self, JSON.encode(full)) == full)
    }
}
