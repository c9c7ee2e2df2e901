import Testing
import TransferHTTP
import TransferPrimitives

@Suite struct HTTPBodyTests {
    private func all(_ body: HTTPBody, chunk: Int = 3) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try body.read(at: UInt64(bytes.count), into: $0) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    @Test func readsAStretchOfASource() throws {
        let source = MemorySource(Array(0..<10))
        let body = HTTPBody.source(source, offset: 3, length: 4)
        #expect(body.length == 4)
        #expect(try all(body) == [3, 4, 5, 6])
    }

    @Test func stretchesEndWithTheirSource() throws {
        let source = MemorySource(Array(0..<10))
        #expect(HTTPBody.source(source, offset: 8, length: .max).length == 2)
        #expect(HTTPBody.source(source, offset: .max, length: .max).length == 0)
        #expect(try all(.source(source)) == Array(0..<10))
    }

    @Test func readsBytes() throws {
        #expect(try all(.bytes([1, 2, 3, 4])) == [1, 2, 3, 4])
        #expect(try all(.bytes([])) == [])
        #expect(try all(.none) == [])
        #expect(HTTPBody.none.length == 0)
    }
}
