import Foundation

/// A program, running as a process of its own: one of this package by its name, another by its path.
///
/// What waits for it waits on a thread of its own: the few threads that run all tests must not stand still. Unchecked, for
/// one test uses it, one call after the other.
package final class Program: @unchecked Sendable {
    package struct Outcome: Sendable {
        /// The exit status; 128 and the signal's number when a signal ended it.
        package let status: Int32
        package let output: String
        package let errors: String

        package var wasKilled: Bool { status > 128 }
        package var lines: [Substring] { output.split(separator: "\n") }
    }

    private let process: ChildProcess

    package init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], directory: String? = nil
    ) throws {
        process = try ChildProcess(name, arguments, environment: environment, directory: directory)
    }

    /// Waits for a line of standard output; nil at its end.
    package func waitForLine(_ matches: @escaping @Sendable (String) -> Bool) async -> String? {
        await onThread {
            while let line = self.process.nextLine() {
                if matches(line) { return line }
            }
            return nil
        }
    }

    package var identifier: Int32 { process.identifier }

    package func signal(_ number: Int32) { process.signal(number) }

    /// Waits until it stands still, or has ended: what it said before it stopped itself can be read some time before it does.
    package func waitUntilStopped() async { await onThread { self.process.waitUntilStopped() } }

    /// Goes away as a reader of standard output.
    package func closeOutput() { process.closeOutput() }

    /// Waits for the end and gives what was not read before.
    package func wait() async -> Outcome {
        await onThread {
            let output = self.process.restOfOutput()
            let errors = self.process.errorText()
            return Outcome(status: self.process.wait(), output: output, errors: errors)
        }
    }

    package static func run(
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
