extension DifferenceList {
    /// One difference, where it is, and why it is right.
    struct Entry {
        let title: String
        /// nil for every request.
        let operations: Set<String>?
        /// nil for every flow.
        let flows: Set<String>?
        let aspect: String
        private(set) var ours: String??
        private(set) var theirs: String??
        private(set) var reason = ""
    }
}

extension DifferenceList.Entry {
    init(title: String) throws(DifferenceList.Malformed) {
        guard let colon = title.firstRange(of: ": ") else { throw DifferenceList.Malformed(line: title) }
        let scope = title[..<colon.lowerBound]
        let of = scope.firstRange(of: " of ")
        let operations = scope[..<(of?.lowerBound ?? scope.endIndex)]
        self.title = title
        self.operations = operations == "every request" ? nil : Self.names(operations)
        flows = of.map { Self.names(scope[$0.upperBound...]) }
        aspect = String(title[colon.upperBound...])
    }

    private static func names(_ list: Substring) -> Set<String> {
        Set(list.split(separator: ",").map { String($0.drop { $0 == " " }) })
    }

    mutating func read(_ line: String) throws(DifferenceList.Malformed) {
        if line.hasPrefix("- ours: ") {
            ours = .some(try Self.value(line.dropFirst("- ours: ".count)))
        } else if line.hasPrefix("- theirs: ") {
            theirs = .some(try Self.value(line.dropFirst("- theirs: ".count)))
        } else {
            reason += line
        }
    }

    /// A value stands between backquotes; without one there is `nothing`.
    private static func value(_ text: Substring) throws(DifferenceList.Malformed) -> String? {
        if text == "nothing" { return nil }
        guard text.count > 1, text.first == "`", text.last == "`" else {
            throw DifferenceList.Malformed(line: String(text))
        }
        return String(text.dropFirst().dropLast())
    }

    private func covers(_ operation: String, _ flow: String) -> Bool {
        operations?.contains(operation) != false && flows?.contains(flow) != false
    }

    func explains(_ difference: WireDifference, _ flow: String) -> Bool {
        covers(difference.operation, flow) && aspect == difference.aspect
            && Self.fits(ours, difference.ours) && Self.fits(theirs, difference.theirs)
    }

    /// The operations and flows that it names in vain.
    func idleNames(_ comparisons: [(flow: String, comparison: WireComparison)]) -> [String] {
        let explained = comparisons.flatMap { flow, comparison in
            comparison.differences.filter { explains($0, flow) }.flatMap { [$0.operation, flow, "every request"] }
        }
        return (operations ?? ["every request"]).union(flows ?? []).subtracting(explained).sorted()
    }

    /// The requests of both clients that the entry speaks of and that do not differ so.
    func exceptions(in comparison: WireComparison, _ flow: String) -> [String] {
        guard aspect != "request" else { return [] }
        let differing = Set(comparison.differences.filter { explains($0, flow) }.map(\.request))
        return comparison.pairs.filter { covers($0.operation, flow) && !differing.contains($0.request) }.map(\.request)
    }

    /// Whether a value is what the entry says; one that the entry does not state at all never is.
    private static func fits(_ stated: String??, _ value: String?) -> Bool {
        switch (stated, value) {
        case (.some(nil), nil): true
        case (.some(let pattern?), let value?): value.matches(pattern)
        default: false
        }
    }
}

extension WireDifference {
    var text: String {
        "\(request): \(aspect), ours \(ours.map { "`\($0)`" } ?? "nothing"), theirs \(theirs.map { "`\($0)`" } ?? "nothing")"
    }
}

extension String {
    /// Whether it is the pattern, in which `*` stands for any text.
    fileprivate func matches(_ pattern: String) -> Bool {
        let pieces = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard pieces.count > 1 else { return self == pattern }
        var rest = self[...]
        guard rest.hasPrefix(pieces[0]) else { return false }
        rest = rest.dropFirst(pieces[0].count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(pieces[pieces.count - 1])
    }
}
