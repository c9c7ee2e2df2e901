import Foundation

/// The checkpoints that a program left behind.
package enum CheckpointDirectory {
    /// The numbers of the parts whose lines are whole; none without a checkpoint.
    package static func durableParts(in path: String) throws -> Set<String> {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [] }
        var numbers: Set<String> = []
        for name in names where name.hasSuffix(".checkpoint") {
            let text = try String(contentsOfFile: path + "/" + name, encoding: .utf8)
            // What stands behind the last line feed was cut in writing.
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                guard let key = line.range(of: "\"part\":") else { continue }
                numbers.insert(String(line[key.upperBound...].prefix { $0.isNumber }))
            }
        }
        return numbers
    }
}
