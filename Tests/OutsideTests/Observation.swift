import Foundation

/// What a run showed of one operation of a client or a server: a cell of the README's tables of interoperability.
///
/// `Scripts/interoperability` makes the tables from the files that these leave.
struct Observation: Codable {
    /// The table it belongs to.
    var table: String
    /// The client or server, with its version and how it was used.
    var row: String
    /// The operation.
    var column: String
    /// Whether everything was as it must be.
    var passed: Bool
    /// What the cell says beside that; may be empty.
    var note: String

    /// Keeps it for the tables.
    func write() throws {
        let directory = OutsideEnvironment.observations
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let name = [table, row, column].joined(separator: " ").map { $0.isLetter || $0.isNumber ? $0 : "-" }
        try encoder.encode(self).write(to: URL(filePath: "\(directory)/\(String(name)).json"), options: .atomic)
    }
}
