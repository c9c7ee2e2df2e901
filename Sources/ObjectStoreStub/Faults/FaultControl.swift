import TransferPrimitives

/// The faults of one server. Rules are tried in the order in which they were added, and each one that fits acts.
public final class FaultControl: Sendable {
    final class Rule: Sendable {
        let id: Int
        let match: RequestMatch
        let faults: [Fault]
        let gate = HoldGate()

        init(id: Int, match: RequestMatch, faults: [Fault]) {
            self.id = id
            self.match = match
            self.faults = faults
        }
    }

    /// A fault that meets a request, with the gate of its rule.
    struct Active: Sendable {
        let fault: Fault
        let gate: HoldGate
    }

    private struct State {
        var nextID = 0
        var rules: [Rule] = []
        /// How many requests have fitted each rule, by rule and, where it counts so, by part.
        var fitted: [Int: [String: Int]] = [:]
        var hits: [Int: Int] = [:]
    }

    private let state = LockBox(State())

    init() {}

    /// Lets `faults` meet the requests that `match` describes, from now on.
    @discardableResult
    public func add(_ match: RequestMatch, _ faults: Fault...) -> FaultHandle {
        let rule = state.withLock { state in
            state.nextID += 1
            let rule = Rule(id: state.nextID, match: match, faults: faults)
            state.rules.append(rule)
            return rule
        }
        return FaultHandle(control: self, rule: rule)
    }

    /// Takes every fault away and releases what is held.
    public func removeAll() {
        let rules = state.withLock { state in
            defer {
                state.rules = []
                state.fitted = [:]
            }
            return state.rules
        }
        for rule in rules { rule.gate.open() }
    }

    func remove(_ rule: Rule) {
        state.withLock { state in
            state.rules.removeAll { $0.id == rule.id }
            state.fitted[rule.id] = nil
        }
        rule.gate.open()
    }

    func hits(of rule: Rule) -> Int { state.withLock { $0.hits[rule.id] ?? 0 } }

    /// The faults that meet `request`, counted.
    func meet(_ request: StoreRequest) -> [Active] {
        let rules = state.withLock { $0.rules }
        // Conditions are code of the test: they run outside the lock.
        let fitting = rules.filter { $0.match.fits(request) }
        guard !fitting.isEmpty else { return [] }
        return state.withLock { state in
            var active: [Active] = []
            for rule in fitting {
                let group = rule.match.countsEachPart ? Self.group(request) : ""
                let number = (state.fitted[rule.id]?[group] ?? 0) + 1
                state.fitted[rule.id, default: [:]][group] = number
                guard rule.match.takes(number) else { continue }
                state.hits[rule.id, default: 0] += 1
                active += rule.faults.map { Active(fault: $0, gate: rule.gate) }
            }
            return active
        }
    }

    private static func group(_ request: StoreRequest) -> String {
        let names = [request.operation.rawValue, request.bucket ?? "", request.key ?? "", request.uploadID ?? ""]
        return (names + [request.partNumber.map { String($0) } ?? ""]).joined(separator: "\u{0}")
    }
}

/// One rule that was added: what it has met, and the release of what it holds.
public struct FaultHandle: Sendable {
    let control: FaultControl
    let rule: FaultControl.Rule

    /// How many requests the rule has met.
    public var hits: Int { control.hits(of: rule) }

    /// How many requests it holds at this moment.
    public var heldCount: Int { rule.gate.heldCount }

    /// Waits until `count` requests have been held since the rule was added, those released again included.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitUntilHeld(_ count: Int = 1) async throws { try await rule.gate.waitUntilHeld(count) }

    /// Lets `count` held requests go on, the longest held first; those still to come for what is left of the count.
    public func release(_ count: Int) { rule.gate.release(count) }

    /// Lets every held request go on, and every later one pass.
    public func release() { rule.gate.open() }

    /// Takes the rule away and releases what it holds.
    public func remove() { control.remove(rule) }
}
