import ExampleSupport
import ObjectTransfer

/// One bar a file, in the last lines of the terminal.
struct ProgressBars {
    private static let width = 30

    private var files: [String] = []
    private var progress: [String: TransferProgress] = [:]
    /// How many lines the bars take at the moment.
    private var drawn = 0

    mutating func update(_ file: String, _ progress: TransferProgress) {
        if self.progress.updateValue(progress, forKey: file) == nil { files.append(file) }
        hide()
        draw()
    }

    mutating func remove(_ file: String) {
        hide()
        progress[file] = nil
        files.removeAll { $0 == file }
        draw()
    }

    /// Takes the bars off the terminal, so that other text can take their place.
    mutating func hide() {
        guard drawn > 0 else { return }
        // Up to the first bar, and everything below it cleared.
        Terminal.print("\u{1B}[\(drawn)F\u{1B}[J", terminator: "")
        drawn = 0
    }

    mutating func draw() {
        guard drawn == 0 else { return }
        for file in files {
            if let progress = progress[file] { Terminal.print(Self.line(file, progress)) }
        }
        drawn = files.count
    }

    private static func line(_ file: String, _ progress: TransferProgress) -> String {
        let filled = Int(progress.fraction * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        let percent = Units.decimal(progress.fraction * 100)
        // The end of a long path tells more than its beginning, and a bar must not take two lines.
        let name = file.count <= 32 ? file : "…" + file.suffix(31)
        return "[\(bar)] \(percent) %  \(name)"
    }
}
