import ObjectTransfer

extension Job {
    /// Reads the whole object in ranges, several at a time, and keeps nothing.
    func read() async throws -> Outcome {
        let info = try await backend.headObject(target)
        let limits = backend.capabilities.parts
        let size = options.partSize ?? limits.defaultSize
        var ranges = stride(from: 0, to: info.size, by: UInt64.Stride(size)).makeIterator()
        try await withThrowingTaskGroup(of: Void.self) { group in
            func start() -> Bool {
                guard let offset = ranges.next() else { return false }
                let range = ByteRange(offset: offset, length: min(size, info.size - offset))
                group.addTask {
                    _ = try await backend.getObject(target, range: range, ifMatch: info.etag, into: Nowhere())
                }
                return true
            }
            var running = 0
            while running < options.jobs, start() { running += 1 }
            while try await group.next() != nil { _ = start() }
        }
        return Outcome(bytes: info.size)
    }
}

/// Keeps nothing.
private struct Nowhere: PartSink {
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {}
}
