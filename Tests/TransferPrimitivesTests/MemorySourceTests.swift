import Testing
import TransferPrimitives

@Suite struct MemorySourceTests {
    private let source = MemorySource(Array(0..<100))

    @Test(arguments: [
        (0 as UInt64, 10, Array(0..<10) as [UInt8]), (95, 10, Array(95..<100)), (100, 10, []), (101, 10, []),
        (UInt64.max, 10, []), (5, 0, []),
    ])
    func reads(offset: UInt64, count: Int, expected: [UInt8]) throws {
        var buffer = [UInt8](repeating: 0xFF, count: count)
        let read = try buffer.withUnsafeMutableBytes { try source.read(at: offset, into: $0) }
        #expect(Array(buffer[..<read]) == expected)
        #expect(buffer[read...].allSatisfy { $0 == 0xFF })
    }

    @Test func emptySource() throws {
        var byte: UInt8 = 7
        let read = try withUnsafeMutableBytes(of: &byte) { try MemorySource([]).read(at: 0, into: $0) }
        #expect(read == 0)
        #expect(MemorySource([]).length == 0)
        #expect(source.length == 100)
    }
}
