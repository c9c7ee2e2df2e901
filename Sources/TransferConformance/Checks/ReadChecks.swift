internal import TransferCore

extension Requirement {
    static let reading: [Requirement] = [
        Requirement("read: the whole object, and what is known of it", needs: .isReadable) { bench in
            let content = GeneratedSource(seed: 1, length: 200_003)
            let object = bench.location("whole")
            try await bench.put(content, at: object, options: .described)
            let info = try await bench.expectBytes(of: object, are: content)
            try expectDescribed(info)
            try expectEqual(info.etag, try await bench.head(object).etag, "the tag that a read tells")
        },
        Requirement("read: an empty object", needs: .isReadable) { bench in
            let content = GeneratedSource(seed: 1, length: 0)
            let object = bench.location("empty")
            try await bench.put(content, at: object)
            try await bench.expectBytes(of: object, are: content)
        },
        Requirement("read: ranges at the beginning, in the middle and at the end", needs: .isReadable) { bench in
            let content = GeneratedSource(seed: 2, length: 100_001)
            let object = bench.location("ranges")
            try await bench.put(content, at: object)
            for (offset, length) in [(0, 1), (0, 100_001), (1, 1), (40_000, 33_333), (99_999, 2), (100_000, 1)] {
                let range = ByteRange(offset: UInt64(offset), length: UInt64(length))
                do {
                    try await bench.expectBytes(of: object, are: content, range: range)
                } catch let unmet as Unmet {
                    throw Unmet(reason: "\(length) bytes from \(offset): \(unmet.reason)")
                }
            }
        },
        Requirement("read: a range that ends behind the object brings what there is", needs: .isReadable) { bench in
            let content = GeneratedSource(seed: 3, length: 1_000)
            let object = bench.location("cut")
            try await bench.put(content, at: object)
            try await bench.expectBytes(of: object, are: content, range: ByteRange(offset: 900, length: 101))
            try await bench.expectBytes(of: object, are: content, range: ByteRange(offset: 0, length: 1 << 40))
        },
        Requirement("read: a range that begins behind the object is refused", needs: .isReadable) { bench in
            let object = bench.location("beyond")
            try await bench.put(GeneratedSource(seed: 4, length: 1_000), at: object)
            let sink = HookedSink()
            let range = ByteRange(offset: 1_000, length: 1)
            do {
                _ = try await bench.reading().getObject(object, range: range, ifMatch: nil, into: sink)
            } catch is TransferError {
                try expectEqual(sink.count, 0, "the number of writes of a range that does not exist")
                return
            }
            throw Unmet(reason: "a read of a range behind the object should throw a TransferError, and succeeded")
        },
        Requirement("read: only while the object has the tag that was asked for", needs: .isReadable) { bench in
            let object = bench.location("tagged")
            try await bench.put(GeneratedSource(seed: 5, length: 500), at: object)
            guard let old = try await bench.head(object).etag else {
                throw Undecided(reason: "the backend tells no tags")
            }
            let content = GeneratedSource(seed: 6, length: 500)
            try await bench.put(content, at: object)
            let current = try await bench.head(object).etag
            try await bench.expectBytes(of: object, are: content, ifMatch: current)
            try await bench.expectBytes(
                of: object, are: content, range: ByteRange(offset: 100, length: 50), ifMatch: current)
            let sink = HookedSink()
            try await expectError(.sourceChanged, of: "a read with the tag of an object that was overwritten") {
                try await bench.reading().getObject(object, range: nil, ifMatch: old, into: sink)
            }
            try expectEqual(sink.count, 0, "the number of writes of an object with another tag")
        },
        Requirement("read: a sink that throws ends it with its error", needs: .isReadable) { bench in
            let object = bench.location("full")
            try await bench.put(GeneratedSource(seed: 7, length: 5_000), at: object)
            let sink = HookedSink { throw TransferError(.diskFull, "the disk is full") }
            try await expectError(.diskFull, of: "a read into a sink that throws .diskFull") {
                try await bench.reading().getObject(object, range: nil, ifMatch: nil, into: sink)
            }
            try expectEqual(sink.count, 1, "the number of writes to a sink that throws")
        },
    ]
}
