import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// Stored parts against the local bytes they were made of.
@Suite struct LocalPartsTests {
    private func equal(_ parts: [CompletedPart], source: any ByteSource = MemorySource(Sample.bytes)) async throws
        -> [Int]
    {
        try await LocalParts(source: source, plan: Sample.plan).equal(to: parts).map(\.number)
    }

    @Test func keepsWhatIsEqual() async throws {
        #expect(try await equal([Sample.part(3), Sample.part(1), Sample.part(2)]) == [1, 2, 3])
        #expect(try await equal([]) == [])
    }

    @Test func leavesOutWhatDiffersOrProvesNothing() async throws {
        var wrong = Sample.part(1)
        wrong.checksums = Checksums(crc64: 1)
        var bare = Sample.part(2)
        bare.checksums = [:]
        #expect(try await equal([wrong, bare, Sample.part(3)]) == [3])
        for number in [0, 4, -1] {
            let stray = CompletedPart(number: number, etag: ETag("e"), checksums: Checksums(crc64: 0))
            #expect(try await equal([stray]) == [])
        }
        var changed = Sample.bytes
        changed[12] ^= 1
        #expect(try await equal((1...3).map { Sample.part($0) }, source: MemorySource(changed)) == [1, 3])
    }

    /// Sources of somebody's own: what they answer is checked, never an index.
    @Test func whatAnOddSourceAnswersIsNoIndex() async throws {
        let parts = (1...3).map { Sample.part($0) }
        #expect(try await equal(parts, source: OddSource { min($0, 1) }) == [1, 2, 3], "a byte at a time is fine")
        #expect(try await equal(parts, source: OddSource { _ in 0 }) == [])
        #expect(try await equal(parts, source: OddSource { $0 + 1000 }) == [])
        #expect(try await equal(parts, source: OddSource { _ in -5 }) == [])
        #expect(try await equal(parts, source: OddSource { _ in .max }) == [])
    }

    @Test func aReadErrorEndsIt() async {
        let source = OddSource { _ in throw TransferError(.fileUnreadable, "io") }
        #expect(await transferError { try await equal([Sample.part(1)], source: source) }?.code == .fileUnreadable)
    }

    /// In mid-part, not at its end.
    @Test func cancellingEndsIt() async {
        let reads = LockBox(0)
        let source = OddSource {
            reads.withLock { $0 += 1 }
            withUnsafeCurrentTask { $0?.cancel() }
            return min($0, 1)
        }
        await #expect(throws: CancellationError.self) {
            try await LocalParts(source: source, plan: Sample.plan).equal(to: [Sample.part(1)])
        }
        #expect(reads.withLock { $0 } == 1)
    }
}

/// The sample's bytes, with a say in how many of those that were wanted are answered.
struct OddSource: ByteSource {
    let answers: @Sendable (Int) throws -> Int
    var length: UInt64 { UInt64(Sample.bytes.count) }

    init(_ answers: @escaping @Sendable (Int) throws -> Int) { self.answers = answers }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let wanted = min(buffer.count, Sample.bytes.count - Int(offset))
        let count = try answers(wanted)
        for index in 0..<max(0, min(count, wanted)) { buffer[index] = Sample.bytes[Int(offset) + index] }
        return count
    }
}
