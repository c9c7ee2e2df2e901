import ExampleSupport
import ObjectTransfer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes each report as a line of JSON to standard error.
struct LineReporter: TransferReporter {
    func report(_ report: TransferReport) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(report) else { return }
        Terminal.printError(String(decoding: line, as: UTF8.self))
    }
}
