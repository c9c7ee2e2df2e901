import Testing
import TransferCore
import TransferHTTP

@testable import S3Wire
@testable import VolcanoTOS

/// Any text that may be a key reaches the wire as exactly that key, in the path and in the copy source.
@Suite struct RandomKeyTests {
    /// The same keys in every run.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    private static func key(_ random: inout Seeded) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x00...0x7F, 0x20...0x7E, 0x80...0x2FFF, 0x3000...0xD7FF, 0xE000...0x1FFFF,
        ]
        var key = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...260, using: &random) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { key.append(scalar) }
        }
        return String(key)
    }

    @Test func `every key is sent as it is, or refused before it is sent`() throws {
        let rules = try EndpointRules(TOSEndpoint(region: "cn-beijing"), addressing: .auto)
        var random = Seeded(state: 7)
        for _ in 0..<2000 {
            let key = Self.key(&random)
            let object = ObjectLocation(bucket: "dst-bucket", key: key, versionID: key.isEmpty ? nil : key)
            do {
                let request = try S3Dialect.test.uploadPartCopy(
                    1, of: MultipartUpload(id: "u" + key, target: object), from: object, range: nil
                ).httpRequest(at: rules.address, .test)
                let path = try #require(PercentEncoding.decode(request.path.dropFirst()))
                #expect(path.utf8.elementsEqual(key.utf8))
                #expect(request.url.utf8.allSatisfy { (0x21...0x7E).contains($0) })
                let source = try #require(request.headers["x-tos-copy-source"]).dropFirst("/dst-bucket/".count)
                let parts = source.split(separator: "?", omittingEmptySubsequences: false)
                #expect(parts.count == 2)
                #expect(PercentEncoding.decode(parts[0])?.utf8.elementsEqual(key.utf8) == true)
                #expect(PercentEncoding.decode(parts[1]) == "versionId=" + key)
            } catch let error as TransferError {
                #expect(error.code == .invalidArgument)
                #expect(key.isEmpty || key.utf8.count > 1024)
            }
        }
    }
}
