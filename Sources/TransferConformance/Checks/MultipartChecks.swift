internal import TransferCore
internal import TransferPrimitives

extension Requirement {
    static let multipart: [Requirement] = [
        Requirement("multipart: one part") { bench in
            let content = bench.content(wholeParts: 0)
            let object = bench.location("one")
            let upload = try await bench.create(at: object)
            let part = try await bench.send(1, of: upload, content)
            try expectEqual(part.number, 1, "the number of the part")
            try expect(!part.etag.isEmpty, "the part should have a tag")
            let receipt = try await bench.backend.completeMultipartUpload(upload, parts: [part])
            try await bench.expectObject(at: object, is: content)
            try expect(!receipt.etag.isEmpty, "the receipt should have a tag")
            if let etag = try await bench.head(object).etag {
                try expectEqual(etag, receipt.etag, "the object's tag")
            }
        },
        Requirement("multipart: several parts, with the attributes of the beginning") { bench in
            let content = bench.content(wholeParts: 2)
            let object = bench.location("several")
            let upload = try await bench.create(at: object, options: .described)
            var parts: [CompletedPart] = []
            for number in 1...3 { parts.append(try await bench.send(number, of: upload, content)) }
            _ = try await bench.backend.completeMultipartUpload(upload, parts: parts)
            try await bench.expectObject(at: object, is: content)
            try expectDescribed(try await bench.head(object))
        },
        Requirement("multipart: parts in any order, and at once") { bench in
            let content = bench.content(wholeParts: 3)
            let object = bench.location("shuffled")
            let upload = try await bench.create(at: object)
            let last = try await bench.send(4, of: upload, content)
            let others = try await withThrowingTaskGroup(of: CompletedPart.self) { group in
                for number in [3, 1, 2] { group.addTask { try await bench.send(number, of: upload, content) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let parts = (others + [last]).sorted { $0.number < $1.number }
            _ = try await bench.backend.completeMultipartUpload(upload, parts: parts)
            try await bench.expectObject(at: object, is: content)
        },
        Requirement("multipart: an empty object of one empty part") { bench in
            let object = bench.location("empty")
            let upload = try await bench.create(at: object)
            let part = try await bench.backend.uploadPart(1, of: upload, body: .empty)
            _ = try await bench.backend.completeMultipartUpload(upload, parts: [part])
            try await bench.expectObject(at: object, is: GeneratedSource(seed: 1, length: 0))
        },
        Requirement("multipart: a part that is sent again replaces the first") { bench in
            let content = bench.content(wholeParts: 1, seed: 2)
            let object = bench.location("replaced")
            let upload = try await bench.create(at: object)
            let wrong = try await bench.send(1, of: upload, bench.content(wholeParts: 1, seed: 3))
            let right = try await bench.send(1, of: upload, content)
            try expect(wrong.etag != right.etag, "parts with other bytes should have other tags")
            let last = try await bench.send(2, of: upload, content)
            _ = try await bench.backend.completeMultipartUpload(upload, parts: [right, last])
            try await bench.expectObject(at: object, is: content)
        },
        Requirement("multipart: a part of a source that gives few bytes at a time") { bench in
            let content = GeneratedSource(seed: 4, length: bench.restSize)
            let object = bench.location("halting")
            let upload = try await bench.create(at: object)
            let body = PartBody(AwkwardSource(content: content, stride: 7))
            let part = try await bench.backend.uploadPart(1, of: upload, body: body)
            _ = try await bench.backend.completeMultipartUpload(upload, parts: [part])
            try await bench.expectObject(at: object, is: content)
        },
        Requirement("multipart: each part tells the CRC-64 of the bytes that were sent") { bench in
            let content = bench.content(wholeParts: 0)
            let upload = try await bench.create(at: bench.location("summed"))
            let part = try await bench.send(1, of: upload, content)
            try expectEqual(
                part.checksums.crc64, content.crc64,
                "the CRC-64 of the part (without it, a resumed upload sends the part again)")
        },
        Requirement("multipart: nothing stands at the key before it is completed") { bench in
            let content = bench.content(wholeParts: 0)
            let object = bench.location("hidden")
            let upload = try await bench.create(at: object)
            let part = try await bench.send(1, of: upload, content)
            try await bench.expectMissing(object, "whose upload is open")
            let old = GeneratedSource(seed: 5, length: 55)
            try await bench.put(old, at: object)
            try await bench.expectObject(at: object, is: old)
            _ = try await bench.backend.completeMultipartUpload(upload, parts: [part])
            try await bench.expectObject(at: object, is: content)
        },
        Requirement("multipart: two uploads to one key know nothing of each other") { bench in
            let object = bench.location("contested")
            let one = try await bench.create(at: object)
            let other = try await bench.create(at: object)
            try expect(one.id != other.id, "two uploads should have two ids")
            let content = bench.content(wholeParts: 0, seed: 6)
            let part = try await bench.send(1, of: one, content)
            try expectEqual(try await bench.list(other), [], "the list of parts of the other upload")
            try await bench.backend.abortMultipartUpload(other)
            _ = try await bench.backend.completeMultipartUpload(one, parts: [part])
            try await bench.expectObject(at: object, is: content)
        },
        Requirement("multipart: any value of the backend goes on with an upload") { bench in
            let content = bench.content(wholeParts: 1)
            let object = bench.location("handed-on")
            let upload = try await bench.create(at: object, options: .described)
            // What a resume has: the id that was recorded, and the caller's options.
            let resumed = MultipartUpload(id: upload.id, target: object, options: .described)
            let bodies = [
                ByteRange(offset: 0, length: bench.partSize), ByteRange(offset: bench.partSize, length: bench.restSize),
            ]
            var parts: [CompletedPart] = []
            for (index, range) in bodies.enumerated() {
                let body = PartBody(content, range: range)
                parts.append(try await bench.another().uploadPart(index + 1, of: resumed, body: body))
            }
            _ = try await bench.another().completeMultipartUpload(resumed, parts: parts)
            try await bench.expectObject(at: object, is: content)
            try expectDescribed(try await bench.head(object))
        },
    ]
}
