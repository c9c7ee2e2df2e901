internal import TransferPrimitives

/// Compares parts that are stored with the local bytes they were made of.
struct LocalParts: Sendable {
    let source: any ByteSource
    let plan: PartPlan

    /// How many parts are read at once, and how much of each at a time: no more than a core's cache holds, so that the bytes
    /// are summed where they were read to.
    private static var readers: Int { 2 }
    private static var chunk: Int { 256 << 10 }

    /// Those of `parts` whose CRC-64 is that of the local bytes. A part without a CRC-64 proves nothing and is left out.
    func equal(to parts: [CompletedPart]) async throws -> [CompletedPart] {
        try await withThrowingTaskGroup(of: CompletedPart?.self) { group in
            var waiting = parts.makeIterator()
            var kept: [CompletedPart] = []
            func startNext() {
                guard let part = waiting.next() else { return }
                group.addTask { try isEqual(part) ? part : nil }
            }
            for _ in 0..<Self.readers { startNext() }
            while let result = try await group.next() {
                if let part = result { kept.append(part) }
                startNext()
            }
            return kept.sorted { $0.number < $1.number }
        }
    }

    private func isEqual(_ part: CompletedPart) throws -> Bool {
        guard let expected = part.checksums.crc64, let range = plan.part(part.number)?.range else { return false }
        return try Self.crc64(of: range, in: source) == expected
    }

    /// The CRC-64 of `range` as it is now; nil when the source has not so many bytes.
    static func crc64(of range: ByteRange, in source: any ByteSource) throws -> UInt64? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(1, min(chunk, Int(clamping: range.length))), alignment: 16)
        defer { buffer.deallocate() }
        var crc = CRC64()
        var offset = range.offset
        while offset < range.end {
            try Task.checkCancellation()
            let wanted = min(buffer.count, Int(clamping: range.end - offset))
            let count = try source.readTelling(
                at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
            // What a source of the caller's own says is checked before it becomes an index.
            guard count > 0, count <= wanted else { return nil }
            crc.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += UInt64(count)
        }
        return crc.value
    }
}
