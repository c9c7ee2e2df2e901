internal import TransferCore

/// Plans an object and looks at all of its parts.
enum PlanStep {
    static func sumOfLengths() throws -> UInt64 {
        let limits = BackendCapabilities.PartLimits(
            minimumSize: 5 << 20, maximumSize: 5 << 30, maximumCount: 10_000, defaultSize: 8 << 20)
        let plan = try PartPlan(size: 1 << 40, requested: nil, limits: limits)
        return (1...plan.count).reduce(0) { $0 + (plan.part($1)?.range.length ?? 0) }
    }
}
