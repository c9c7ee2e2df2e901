internal import TransferCore

extension Requirement {
    static let complete: [Requirement] = [
        Requirement("complete: the tag of a part that was replaced is refused, and the upload stays") { bench in
            let content = bench.content(wholeParts: 0, seed: 2)
            let object = bench.location("stale")
            let upload = try await bench.create(at: object)
            let stale = try await bench.send(1, of: upload, bench.content(wholeParts: 0, seed: 1))
            let current = try await bench.send(1, of: upload, content)
            try await expectError(.invalidPart, of: "Complete with the tag of a part that was replaced") {
                try await bench.backend.completeMultipartUpload(upload, parts: [stale])
            }
            try await bench.expectMissing(object, "whose Complete was refused")
            _ = try await bench.backend.completeMultipartUpload(upload, parts: [current])
            try await bench.expectObject(at: object, is: content)
        },
        Requirement("complete: a part that was never stored is refused, and the upload stays") { bench in
            let content = bench.content(wholeParts: 1)
            let object = bench.location("missing-part")
            let upload = try await bench.create(at: object)
            let first = try await bench.send(1, of: upload, content)
            let invented = CompletedPart(number: 2, etag: first.etag, size: bench.restSize)
            try await expectError(.invalidPart, of: "Complete with a part that was never stored") {
                try await bench.backend.completeMultipartUpload(upload, parts: [first, invented])
            }
            let second = try await bench.send(2, of: upload, content)
            _ = try await bench.backend.completeMultipartUpload(upload, parts: [first, second])
            try await bench.expectObject(at: object, is: content)
        },
        // Some services answer a repeated Complete with what the first one made.
        Requirement("complete: a second time finds no upload, or the very same object") { bench in
            let content = bench.content(wholeParts: 0)
            let object = bench.location("twice")
            let upload = try await bench.create(at: object)
            let part = try await bench.send(1, of: upload, content)
            let receipt = try await bench.backend.completeMultipartUpload(upload, parts: [part])
            do {
                let again = try await bench.backend.completeMultipartUpload(upload, parts: [part])
                try expectEqual(again.etag, receipt.etag, "the tag that the second Complete tells")
            } catch let error as TransferError {
                try expect(
                    error.code == .uploadNotFound,
                    "the second Complete should throw .uploadNotFound, and threw \(error)")
            }
            try await bench.expectObject(at: object, is: content)
        },
        Requirement("complete: the upload is gone afterwards") { bench in
            let content = bench.content(wholeParts: 0)
            let object = bench.location("gone")
            let upload = try await bench.create(at: object)
            let part = try await bench.send(1, of: upload, content)
            _ = try await bench.backend.completeMultipartUpload(upload, parts: [part])
            try await bench.expectGone(upload, "of a completed upload")
            try await expectError(.uploadNotFound, of: "a part of a completed upload") {
                try await bench.send(1, of: upload, content)
            }
            try await bench.expectObject(at: object, is: content)
        },
        Requirement("complete: the CRC-64 of the whole object is told", needs: .tellsCRC64) { bench in
            let content = bench.content(wholeParts: 1)
            let object = bench.location("summed")
            let upload = try await bench.create(at: object)
            let parts = [try await bench.send(1, of: upload, content), try await bench.send(2, of: upload, content)]
            let receipt = try await bench.backend.completeMultipartUpload(upload, parts: parts)
            if let crc64 = receipt.checksums.crc64 {
                try expectEqual(crc64, content.crc64, "the CRC-64 in the receipt")
            }
            try expectEqual(try await bench.head(object).checksums.crc64, content.crc64, "the CRC-64 of the object")
        },
    ]
}
