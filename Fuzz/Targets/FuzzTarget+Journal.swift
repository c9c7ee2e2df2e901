@testable import TransferCore

extension FuzzTarget {
    /// A checkpoint file. The first byte says whether the rest is one as it is, or lines that are yet to be closed by their
    /// checksums, which nobody guesses; the second, where it is cut.
    static let checkpointJournal = FuzzTarget(name: "journal") { bytes in
        var input = FuzzInput(bytes)
        let isClosed = input.byte() & 1 == 0
        let place = input.byte()
        let journal = isClosed ? Array(input.rest) : closed(input.lines())
        guard case .record(let whole, let length) = CheckpointJournal.read(journal) else { return }

        let end = Int(length)
        require(end <= journal.count && journal[end - 1] == UInt8(ascii: "\n"), "a record that ends within a line")
        require(whole.parts.allSatisfy { $0.number >= 1 }, "a part below 1")
        require(zip(whole.parts, whole.parts.dropFirst()).allSatisfy { $0.number < $1.number }, "parts out of order")
        checkCut(journal, end, whole, at: Int(place) * journal.count / 255)
        checkGarbage(journal, end, whole)
        checkRewriting(whole)
    }

    private static func closed(_ lines: [ArraySlice<UInt8>]) -> [UInt8] {
        var journal: [UInt8] = []
        for line in lines {
            let start = journal.count
            journal += line
            CheckpointJournal.close(&journal, from: start)
        }
        return journal
    }

    /// Cut anywhere, it reads as some of its lines, and never as something else.
    private static func checkCut(_ journal: [UInt8], _ end: Int, _ whole: TransferCheckpoint, at place: Int) {
        let cut = Array(journal[..<min(place, journal.count)])
        switch CheckpointJournal.read(cut) {
        case .record(let part, let length):
            require(Int(length) <= min(cut.count, end), "a cut journal that is longer than the whole")
            require(cut[Int(length) - 1] == UInt8(ascii: "\n"), "a cut journal that ends within a line")
            require(cut.count > end || !cut[Int(length)...].contains(UInt8(ascii: "\n")), "a line was passed over")
            require(!part.isCompleting || whole.isCompleting, "a cut journal that completes")
            require(isSameHeader(part, whole), "a cut journal of another transfer")
            let numbers = Set(whole.parts.map(\.number))
            require(part.parts.allSatisfy { numbers.contains($0.number) }, "a cut journal with other parts")
            if cut.count >= end { require(part == whole && Int(length) == end, "the tail changes the record") }
        case .empty, .damaged, .foreign:
            require(cut.count < end, "a whole record that reads as none")
            require(cut.isEmpty || !cut.contains(UInt8(ascii: "\n")), "a whole header that reads as none")
        case .newer: require(false, "a cut journal of a newer version")
        }
    }

    /// What a torn write may leave behind the last good line is not believed.
    private static func checkGarbage(_ journal: [UInt8], _ end: Int, _ whole: TransferCheckpoint) {
        let torn = Array(journal[..<end]) + #"{"etag":"x","part":1} 0000"#.utf8
        guard case .record(let record, let length) = CheckpointJournal.read(torn) else {
            return require(false, "a torn tail hides the record")
        }
        require(record == whole && Int(length) == end, "a torn tail is believed")
    }

    /// Written again, it reads the same.
    private static func checkRewriting(_ whole: TransferCheckpoint) {
        // A date beyond all that JSON can say is no date.
        guard var journal = try? CheckpointJournal.header(whole) else { return }
        journal += CheckpointJournal.parts(whole.parts)
        if whole.isCompleting { journal += (try? CheckpointJournal.completing()) ?? [] }
        guard case .record(let again, let length) = CheckpointJournal.read(journal) else {
            return require(false, "what was written cannot be read")
        }
        require(Int(length) == journal.count, "what was written is read in part")
        require(again.parts == whole.parts && again.isCompleting == whole.isCompleting, "other parts were read")
        require(isSameHeader(again, whole), "another transfer was read")
    }

    /// Dates are compared as a resume compares them.
    private static func isSameHeader(_ a: TransferCheckpoint, _ b: TransferCheckpoint) -> Bool {
        var (a, b) = (a, b)
        let isSameSource = a.source.isSame(as: b.source) && a.source.path == b.source.path
        b.source = a.source
        (a.parts, b.parts) = ([], [])
        (a.isCompleting, b.isCompleting) = (false, false)
        return isSameSource && a == b
    }
}
