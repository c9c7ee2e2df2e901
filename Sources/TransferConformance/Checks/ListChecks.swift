internal import TransferCore
internal import TransferPrimitives

extension Requirement {
    static let listing: [Requirement] = [
        Requirement("list: no parts of a new upload") { bench in
            let upload = try await bench.create(at: bench.location("new"))
            try expectEqual(try await bench.list(upload), [], "the list of parts")
        },
        Requirement("list: ascending, with the sizes and tags that the parts had") { bench in
            let content = bench.content(wholeParts: 2)
            let upload = try await bench.create(at: bench.location("listed"))
            var sent: [CompletedPart] = []
            for number in [3, 1, 2] { sent.append(try await bench.send(number, of: upload, content)) }
            sent.sort { $0.number < $1.number }
            let listed = try await bench.list(upload)
            try expectEqual(listed.map(\.number), [1, 2, 3], "the list of numbers")
            try expectEqual(listed.map(\.etag), sent.map(\.etag), "the list of tags")
            try expectEqual(
                listed.map(\.size), [bench.partSize, bench.partSize, bench.restSize], "the list of sizes")
            for (one, other) in zip(listed, sent) {
                guard let crc64 = one.checksums.crc64, let told = other.checksums.crc64 else { continue }
                try expectEqual(crc64, told, "the CRC-64 of part \(one.number)")
            }
        },
        Requirement("list: of a part that was replaced, the new one") { bench in
            let upload = try await bench.create(at: bench.location("replaced"))
            _ = try await bench.send(1, of: upload, bench.content(wholeParts: 1, seed: 1))
            let content = bench.content(wholeParts: 0, seed: 2)
            let current = try await bench.send(1, of: upload, content)
            let listed = try await bench.list(upload)
            try expectEqual(listed.map(\.etag), [current.etag], "the list of tags")
            try expectEqual(listed.map(\.size), [content.length], "the list of sizes")
        },
        // Services look at the sizes of parts only when they are put together, which never happens here.
        Requirement("list: more parts than a page has", needs: .partsBeyondPage) { bench in
            let count = bench.subject.partsBeyondPage ?? 0
            let upload = try await bench.create(at: bench.location("pages"))
            let content = GeneratedSource(seed: 3, length: UInt64(count))
            let send: @Sendable (Int) async throws -> Void = { number in
                let body = PartBody(content, range: ByteRange(offset: UInt64(number - 1), length: 1))
                _ = try await bench.backend.uploadPart(number, of: upload, body: body)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...max(1, count) {
                    if number > 4 { try await group.next() }
                    group.addTask { try await send(number) }
                }
                try await group.waitForAll()
            }
            let numbers = try await bench.list(upload).map(\.number)
            try expect(numbers == Array(1...max(1, count)), "\(count) parts were stored, and \(numbers.count) listed")
        },
    ]
}
