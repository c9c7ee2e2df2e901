import Foundation

/// A program of this package, running as a process of its own.
///
/// What waits for it waits on a thread of its own: the few threads that run all tests must not stand still. Unchecked, for
/// one test uses it, one call after the other.
final class Program: @unchecked Sendable {
    struct Outcome {
        let status: Int32
        let wasKilled: Bool
        let output: String
        let errors: String

        var lines: [Substring] { output.split(separator: "\n") }
    }

    private let process = Process()
    private let output = Pipe()
    private let errors: URL

    init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = Self.directory.appendingPathComponent(name)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        errors = FileManager.default.temporaryDirectory.appendingPathComponent("errors-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
    }

    /// Where the build put the tests, and the programs beside them.
    private static var directory: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    }

    var identifier: Int32 { process.processIdentifier }

    /// Waits for a line of standard output, which no other reader may read.
    func waitForLine(_ matches: @escaping @Sendable (String) -> Bool) async -> String? {
        await onThread { self.nextLine(matches) }
    }

    private func nextLine(_ matches: (String) -> Bool) -> String? {
        var line: [UInt8] = []
        while true {
            let byte = output.fileHandleForReading.readData(ofLength: 1)
            guard let byte = byte.first else { return nil }
            if byte != UInt8(ascii: "\n") {
                line.append(byte)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            if matches(text) { return text }
            line = []
        }
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the end and gives what was not read before.
    func wait() async -> Outcome { await onThread { self.end() } }

    private func end() -> Outcome {
        let rest = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        try? FileManager.default.removeItem(at: errors)
        return Outcome(
            status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
            output: String(decoding: rest, as: UTF8.self), errors: text)
    }

    static func run(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Outcome {
        try await Program(name, arguments, environment: environment).wait()
    }
}

/// Runs what blocks on a thread of its own.
private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
