import StubFixtures
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The requests of the official clients differ from ours in nothing but what is explained beside the recordings.
@Suite struct WireComparisonTests {
    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../../Golden"

    @Test(arguments: [
        ("oss", GoldenFlow.allCases.map(\.rawValue)), ("oss-v1", GoldenFlow.allCases.map(\.rawValue)),
        ("tos", GoldenFlow.allCases.map(\.rawValue)), ("tos-s3", GoldenFlow.allCases.map(\.rawValue)),
        ("s3", GoldenFlow.allCases.map(\.rawValue)), ("vod", ["video", "refresh", "image"]),
    ])
    func recordings(_ dialect: String, _ flows: [String]) throws {
        let comparisons = try flows.map { flow in
            (
                flow,
                WireComparison(
                    ours: try Self.requests("\(dialect)/\(flow)"),
                    theirs: try Self.requests("\(dialect)/\(flow).official"))
            )
        }
        let problems = try DifferenceList(Self.text("\(dialect)/differences.md")).problems(comparisons)
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }

    private static func requests(_ name: String) throws -> [RecordedRequest] {
        RecordedRequest.all(in: try text("\(name).http"))
    }

    private static func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(name)")), as: UTF8.self)
    }
}
