internal import TransferCore

extension Requirement {
    static let copying: [Requirement] = [
        Requirement("copy: a whole object, with the attributes asked for", needs: .copies) { bench in
            let content = GeneratedSource(seed: 1, length: 60_001)
            let (source, target) = (bench.location("source"), bench.location("target"))
            try await bench.put(content, at: source)
            let receipt = try await bench.copying().copyObject(source, to: target, ifMatch: nil, options: .described)
            try await bench.expectObject(at: target, is: content)
            let info = try await bench.head(target)
            try expectDescribed(info)
            if let etag = info.etag { try expectEqual(receipt.etag, etag, "the tag in the receipt") }
        },
        Requirement("copy: an empty object", needs: .copies) { bench in
            let content = GeneratedSource(seed: 1, length: 0)
            let (source, target) = (bench.location("source"), bench.location("target"))
            try await bench.put(content, at: source)
            _ = try await bench.copying().copyObject(source, to: target, ifMatch: nil, options: ObjectOptions())
            try await bench.expectObject(at: target, is: content)
        },
        Requirement("copy: over an object that is there", needs: .copies) { bench in
            let content = GeneratedSource(seed: 2, length: 300)
            let (source, target) = (bench.location("source"), bench.location("target"))
            try await bench.put(content, at: source)
            try await bench.put(GeneratedSource(seed: 3, length: 400), at: target)
            _ = try await bench.copying().copyObject(source, to: target, ifMatch: nil, options: ObjectOptions())
            try await bench.expectObject(at: target, is: content)
        },
        Requirement(
            "copy: only while the source has the tag that was asked for", needs: .copies, .honoursCopyPreconditions
        ) { bench in
            let content = GeneratedSource(seed: 5, length: 300)
            let (source, target) = (bench.location("source"), bench.location("target"))
            let tags = try await bench.tagsOfTwo(at: source, GeneratedSource(seed: 4, length: 300), content)
            try await expectError(.sourceChanged, of: "a copy with the tag of a source that was overwritten") {
                try await bench.copying().copyObject(source, to: target, ifMatch: tags.old, options: ObjectOptions())
            }
            try await bench.expectMissing(target, "whose copy was refused")
            _ = try await bench.copying().copyObject(
                source, to: target, ifMatch: tags.current, options: ObjectOptions())
            try await bench.expectObject(at: target, is: content)
        },
        Requirement("copy: what is told of a source is what HEAD tells", needs: .copies) { bench in
            let content = GeneratedSource(seed: 6, length: 432)
            let source = bench.location("source")
            try await bench.put(content, at: source, options: .described)
            let info = try await bench.copying().headCopySource(source)
            try expectEqual(info.size, content.length, "the size of the source")
            try expectDescribed(info)
            let missing = bench.location("missing")
            try await expectError(.notFound, of: "headCopySource of no object") {
                try await bench.copying().headCopySource(missing)
            }
        },
    ]
}

extension Bench {
    /// The tags of an object before and after it was overwritten.
    func tagsOfTwo(
        at location: ObjectLocation, _ before: GeneratedSource, _ after: GeneratedSource
    ) async throws -> (old: ETag, current: ETag) {
        try await put(before, at: location)
        let old = try await head(location).etag
        try await put(after, at: location)
        guard let old, let current = try await head(location).etag else {
            throw Undecided(reason: "the backend tells no tags")
        }
        return (old, current)
    }
}
