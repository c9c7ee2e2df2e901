internal import TransferCore
internal import TransferPrimitives

extension Requirement {
    static let put: [Requirement] = [
        Requirement("put: a small object") { bench in
            let content = GeneratedSource(seed: 1, length: 1_234)
            let object = bench.location("small")
            let receipt = try await bench.put(content, at: object)
            try await bench.expectObject(at: object, is: content)
            try expect(!receipt.etag.isEmpty, "the receipt should have a tag")
            if let size = receipt.size { try expectEqual(size, content.length, "the size in the receipt") }
            let info = try await bench.head(object)
            if let etag = info.etag { try expectEqual(etag, receipt.etag, "the object's tag") }
        },
        Requirement("put: an empty object") { bench in
            let content = GeneratedSource(seed: 1, length: 0)
            let object = bench.location("empty")
            try await bench.put(content, at: object)
            try await bench.expectObject(at: object, is: content)
        },
        Requirement("put: an object of many buffers") { bench in
            let content = GeneratedSource(seed: 2, length: min(bench.backend.capabilities.largestPut, 1_500_007))
            let object = bench.location("larger")
            try await bench.put(content, at: object)
            try await bench.expectObject(at: object, is: content)
        },
        Requirement("put: a stretch of a larger source") { bench in
            let whole = GeneratedSource(seed: 3, length: 5_000)
            let object = bench.location("stretch")
            let body = PartBody(whole, range: ByteRange(offset: 0, length: 3_001))
            _ = try await bench.backend.putObject(body, at: object, options: ObjectOptions())
            try await bench.expectObject(at: object, is: GeneratedSource(seed: 3, length: 3_001))
        },
        Requirement("put: a source that gives few bytes at a time") { bench in
            let content = GeneratedSource(seed: 4, length: 10_001)
            let object = bench.location("halting")
            let body = PartBody(AwkwardSource(content: content, stride: 7))
            _ = try await bench.backend.putObject(body, at: object, options: ObjectOptions())
            try await bench.expectObject(at: object, is: content)
        },
        Requirement("put: a source that fails ends it with its error and stores nothing") { bench in
            let object = bench.location("failing")
            let content = GeneratedSource(seed: 5, length: 100_000)
            let source = AwkwardSource(content: content, stride: 1_000) { offset in
                if offset >= 50_000 { throw TransferError(.sourceChanged, "the source changed") }
            }
            try await expectError(.sourceChanged, of: "a put of a source that throws .sourceChanged") {
                try await bench.backend.putObject(PartBody(source), at: object, options: ObjectOptions())
            }
            try await bench.expectMissing(object, "whose source failed")
        },
        Requirement("put: overwriting replaces bytes and attributes") { bench in
            let object = bench.location("twice")
            let before = GeneratedSource(seed: 6, length: 2_000)
            let after = GeneratedSource(seed: 7, length: 1_500)
            let first = try await bench.put(before, at: object, options: .described)
            let second = try await bench.put(after, at: object)
            try await bench.expectObject(at: object, is: after)
            try expect(first.etag != second.etag, "other bytes should have another tag")
            let attributes = try await bench.head(object).attributes
            try expectEqual(attributes.metadata, [:], "the metadata of an object that was overwritten without any")
        },
        Requirement("put: content type, cache headers and metadata in any script") { bench in
            let object = bench.location("described")
            try await bench.put(GeneratedSource(seed: 8, length: 10), at: object, options: .described)
            try expectDescribed(try await bench.head(object))
        },
        Requirement("put: keys of any text, told apart byte for byte") { bench in
            let names = ["a b/c+d%2F&e=f?g#h", "Ferien – 夏休み 🎬", "cafe\u{301}", "caf\u{e9}", "A", "a", "a/b"]
            let objects = names.map { bench.location("keys/" + $0) }
            for (index, object) in objects.enumerated() {
                try await bench.put(GeneratedSource(seed: UInt64(index), length: 100 + UInt64(index)), at: object)
            }
            for (index, object) in objects.enumerated() {
                let content = GeneratedSource(seed: UInt64(index), length: 100 + UInt64(index))
                do {
                    try await bench.expectObject(at: object, is: content)
                } catch let unmet as Unmet {
                    throw Unmet(reason: "the object '\(object.key)': \(unmet.reason)")
                }
            }
        },
        Requirement("put: the CRC-64 is told, and compared", needs: .tellsCRC64) { bench in
            let content = GeneratedSource(seed: 9, length: 4_321)
            let object = bench.location("summed")
            let receipt = try await bench.put(content, at: object)
            try expectEqual(try await bench.head(object).checksums.crc64, content.crc64, "the CRC-64 of the object")
            try expectEqual(
                receipt.verification, .crc64,
                "how far the backend, which knows both checksums, says that it compared them (TransferReceipt.verification)"
            )
        },
    ]
}

extension ObjectOptions {
    /// Attributes that travel badly.
    static let described = ObjectOptions(
        attributes: ObjectAttributes(
            contentType: "video/quicktime", cacheControl: "max-age=60",
            contentDisposition: "attachment; filename=\"a.mov\"",
            metadata: ["title": "Ferien – 夏休み 🎬", "plain": "a b=c;d", "percent": "100%25"]))
}

func expectDescribed(_ info: ObjectInfo) throws(Unmet) {
    let (found, wanted) = (info.attributes, ObjectOptions.described.attributes)
    try expectEqual(found.contentType, wanted.contentType, "the content type")
    try expectEqual(found.cacheControl, wanted.cacheControl, "the cache control")
    try expectEqual(found.contentDisposition, wanted.contentDisposition, "the content disposition")
    try expectEqual(found.metadata, wanted.metadata, "the metadata")
}
