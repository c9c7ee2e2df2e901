import TransferCore

extension FuzzTarget {
    /// Size, part size and limits as five numbers; any may be nonsense.
    static let partPlans = FuzzTarget(name: "plan") { bytes in
        var input = FuzzInput(bytes)
        let size = input.number()
        let asked = input.number()
        let limits = BackendCapabilities.PartLimits(
            minimumSize: input.number(), maximumSize: input.number(),
            maximumCount: Int(truncatingIfNeeded: input.number()), defaultSize: input.number())
        let requested: UInt64? = input.byte() & 1 == 0 ? asked : nil
        guard let plan = try? PartPlan(size: size, requested: requested, limits: limits) else { return }

        require(plan.size == size && plan.count >= 1, "another object")
        require(plan.count <= max(1, limits.maximumCount), "\(plan.count) parts, more than allowed")
        let behind = plan.count == .max ? nil : plan.part(plan.count + 1)
        require(plan.part(0) == nil && behind == nil, "a part outside the plan")
        if let requested, requested > 0 { require(plan.partSize == requested, "another part size than requested") }
        for number in numbers(upTo: plan.count, near: Int(truncatingIfNeeded: input.number() >> 1)) {
            let part = required(plan.part(number), "part \(number) of \(plan.count) is missing")
            require(part.number == number, "part \(number) has another number")
            if number == 1 { require(part.range.offset == 0, "the first part begins inside") }
            if number < plan.count {
                let next = required(plan.part(number + 1), "part \(number + 1) of \(plan.count) is missing")
                require(part.range.length == plan.partSize, "part \(number) is no whole one")
                require(part.range.end == next.range.offset, "parts \(number) and \(number + 1) do not meet")
            } else {
                require(part.range.end == size, "the last part does not end with the object")
                require(!part.range.isEmpty || size == 0, "the last part is empty")
            }
            check(part.range)
        }
    }

    /// Both ends, and some between.
    private static func numbers(upTo count: Int, near place: Int) -> Set<Int> {
        Set([1, 2, count - 1, count, 1 + place % count].filter { (1...count).contains($0) })
    }

    private static func check(_ range: ByteRange) {
        guard let value = range.httpValue else {
            require(range.isEmpty, "no header for a range")
            return
        }
        require(value == "bytes=\(range.offset)-\(range.offset + (range.length - 1))", "a wrong header for a range")
    }
}
