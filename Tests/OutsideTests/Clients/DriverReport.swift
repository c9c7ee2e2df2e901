import Foundation
import TestSupport

/// What a driver told of a scenario.
struct DriverReport: Decodable {
    /// The driver ended without a report.
    struct Missing: Error {
        let status: Int32
        let errors: String
    }

    let version: String
    let ok: Bool
    let detail: String

    /// Runs one scenario in a process of its own.
    static func run(_ driver: String, _ settings: DriverSettings, _ scenario: String) async throws -> DriverReport {
        let encoder = JSONEncoder()
        // Clients send metadata in the order in which they were given.
        encoder.outputFormatting = .sortedKeys
        let arguments = String(decoding: try encoder.encode(settings), as: UTF8.self)
        let words = ["\(OutsideEnvironment.drivers)/\(driver)", arguments, scenario]
        let outcome = try await Outcome(of: OutsideEnvironment.python, words)
        guard let line = outcome.output.split(separator: "\n").last else {
            throw Missing(status: outcome.status, errors: outcome.errors)
        }
        return try JSONDecoder().decode(DriverReport.self, from: Data(line.utf8))
    }
}

/// How a program ended, and what it printed.
private struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errors: String

    /// Runs the program on a thread of its own: the few threads that run all tests must not stand still.
    init(of program: String, _ arguments: [String]) async throws {
        self = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try Outcome(running: program, arguments) })
            }
        }
    }

    private init(running program: String, _ arguments: [String]) throws {
        let process = try ChildProcess(program, arguments, environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        output = process.restOfOutput()
        errors = process.errorText()
        status = process.wait()
    }
}
