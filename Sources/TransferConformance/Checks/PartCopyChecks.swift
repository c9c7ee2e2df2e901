internal import TransferCore
internal import TransferPrimitives

extension Requirement {
    static let partCopying: [Requirement] = [
        Requirement("part copy: ranges of an object, in any order", needs: .copies) { bench in
            let content = bench.content(wholeParts: 2)
            let (source, target) = (bench.location("source"), bench.location("target"))
            try await bench.put(content, at: source)
            let upload = try await bench.create(at: target, options: .described)
            var parts: [CompletedPart] = []
            for number in [2, 3, 1] {
                let part = try await bench.copy(number, of: upload, from: source, size: content.length)
                try expectEqual(part.number, number, "the number of the part")
                try expect(!part.etag.isEmpty, "the part should have a tag")
                parts.append(part)
            }
            parts.sort { $0.number < $1.number }
            let listed = try await bench.list(upload)
            try expectEqual(listed.map(\.etag), parts.map(\.etag), "the list of tags")
            try expectEqual(
                listed.map(\.size), [bench.partSize, bench.partSize, bench.restSize], "the list of sizes")
            _ = try await bench.backend.completeMultipartUpload(upload, parts: parts)
            try await bench.expectObject(at: target, is: content)
            try expectDescribed(try await bench.head(target))
        },
        Requirement("part copy: beside parts that are sent", needs: .copies) { bench in
            let content = bench.content(wholeParts: 1)
            let (source, target) = (bench.location("source"), bench.location("target"))
            try await bench.put(content, at: source)
            let upload = try await bench.create(at: target)
            let parts = [
                try await bench.copy(1, of: upload, from: source, size: content.length),
                try await bench.send(2, of: upload, content),
            ]
            _ = try await bench.backend.completeMultipartUpload(upload, parts: parts)
            try await bench.expectObject(at: target, is: content)
        },
        Requirement(
            "part copy: only while the source has the tag that was asked for", needs: .copies, .honoursCopyPreconditions
        ) { bench in
            let content = bench.content(wholeParts: 0, seed: 3)
            let (source, target) = (bench.location("source"), bench.location("target"))
            let tags = try await bench.tagsOfTwo(at: source, bench.content(wholeParts: 0, seed: 2), content)
            let upload = try await bench.create(at: target)
            try await expectError(.sourceChanged, of: "a part copy with the tag of a source that was overwritten") {
                try await bench.copy(1, of: upload, from: source, size: content.length, ifMatch: tags.old)
            }
            try expectEqual(try await bench.list(upload), [], "the list of parts after a part copy that was refused")
            let part = try await bench.copy(
                1, of: upload, from: source, size: content.length, ifMatch: tags.current)
            _ = try await bench.backend.completeMultipartUpload(upload, parts: [part])
            try await bench.expectObject(at: target, is: content)
        },
        Requirement("part copy: to an upload that is gone", needs: .copies) { bench in
            let content = bench.content(wholeParts: 0)
            let (source, target) = (bench.location("source"), bench.location("target"))
            try await bench.put(content, at: source)
            let upload = try await bench.create(at: target)
            try await bench.backend.abortMultipartUpload(upload)
            try await expectError(.uploadNotFound, of: "a part copy after the abort") {
                try await bench.copy(1, of: upload, from: source, size: content.length)
            }
        },
    ]
}
