internal import TransferCore
internal import TransferPrimitives

extension Requirement {
    static let missing: [Requirement] = [
        Requirement("missing: HEAD of no object") { bench in
            try await bench.expectMissing(bench.location("missing"), "that does not exist")
        },
        Requirement("missing: a read of no object", needs: .isReadable) { bench in
            let sink = HookedSink()
            try await expectError(.notFound, of: "a read of no object") {
                try await bench.reading().getObject(bench.location("missing"), range: nil, ifMatch: nil, into: sink)
            }
            try expectEqual(sink.count, 0, "the number of writes of an object that does not exist")
        },
        Requirement("missing: a copy of no object", needs: .copies) { bench in
            let (source, target) = (bench.location("missing"), bench.location("target"))
            try await expectError(.notFound, of: "a copy of no object") {
                try await bench.copying().copyObject(source, to: target, ifMatch: nil, options: ObjectOptions())
            }
            try await bench.expectMissing(target, "that was to be a copy of none")
        },
        Requirement("missing: a part copy of no object", needs: .copies) { bench in
            let upload = try await bench.create(at: bench.location("target"))
            try await expectError(.notFound, of: "a part copy of no object") {
                try await bench.copy(1, of: upload, from: bench.location("missing"), size: bench.restSize)
            }
        },
        Requirement("missing: an upload of another id") { bench in
            let object = bench.location("object")
            let upload = try await bench.create(at: object)
            try await bench.backend.abortMultipartUpload(upload)
            let part = CompletedPart(number: 1, etag: ETag("d41d8cd98f00b204e9800998ecf8427e"))
            try await expectError(.uploadNotFound, of: "Complete of no upload") {
                try await bench.backend.completeMultipartUpload(upload, parts: [part])
            }
            try await bench.expectGone(upload, "of no upload")
        },
        Requirement("missing: any step in no bucket", needs: .missingBucket) { bench in
            let object = ObjectLocation(bucket: bench.subject.missingBucket ?? "", key: "object")
            try await expectError(.notFound, of: "HEAD in no bucket") { try await bench.head(object) }
            try await expectError(.notFound, of: "a put into no bucket") {
                try await bench.put(GeneratedSource(seed: 1, length: 10), at: object)
            }
            try await expectError(.notFound, of: "an upload into no bucket") { try await bench.create(at: object) }
        },
    ]
}
