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
        do {
            Terminal.printError(String(decoding: try encoder.encode(report), as: UTF8.self))
        } catch {
            Terminal.printError("a report cannot be written as JSON: \(error)")
        }
    }
}
