/// The explained differences of a dialect: `differences.md` beside its recordings.
///
///     ## UploadPart, ListParts of resumable-upload: header content-md5
///
///     - ours: nothing
///     - theirs: `*`
///
///     Why that is right.
///
/// An entry speaks of the requests of these operations, or of `every request`, in these flows or in all. It claims the
/// difference for each of them that both clients send. `*` in a value stands for any text.
struct DifferenceList {
    struct Malformed: Error {
        let line: String
    }

    private(set) var entries: [Entry] = []

    init(_ text: String) throws(Malformed) {
        for line in text.split(separator: "\n").map(String.init) {
            if line.hasPrefix("## ") {
                entries.append(try Entry(title: String(line.dropFirst(3))))
            } else if !entries.isEmpty {
                try entries[entries.count - 1].read(line)
            }
        }
    }

    /// What is wrong with the list: differences that it does not explain, and entries that are not, or no longer, true.
    func problems(_ comparisons: [(flow: String, comparison: WireComparison)]) -> [String] {
        var problems = entries.filter { $0.reason.isEmpty }.map { "\($0.title): gives no reason" }
        for (flow, comparison) in comparisons {
            for difference in comparison.differences {
                let count = entries.count { $0.explains(difference, flow) }
                guard count != 1 else { continue }
                problems.append("\(flow): \(difference.text) is explained \(count) times")
            }
        }
        for entry in entries {
            problems += entry.idleNames(comparisons).map { "\(entry.title): explains no difference of \($0)" }
            for (flow, comparison) in comparisons {
                problems += entry.exceptions(in: comparison, flow).map { "\(entry.title): not so for \($0) of \(flow)" }
            }
        }
        return problems
    }
}
