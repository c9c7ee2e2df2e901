import Testing

@testable import TransferCurl

@Suite struct DescriptorLimitTests {
    @Test(
        arguments: [
            // soft, hard, wanted → connections, raised
            (1024, 4096, nil, 896, nil), (1_048_576, 1_048_576, nil, 1024, nil), (64, 64, nil, 40, nil),
            (10, 10, nil, 1, nil), (Int.max, Int.max, nil, 1024, nil),
            (1024, 4096, 100, 100, nil), (1024, 4096, 896, 896, nil), (1024, 4096, 1000, 1000, 1143),
            (1024, 1_048_576, 10_000, 10_000, 11_429), (64, 128, 50, 50, 74),
        ] as [(Int, Int, Int?, Int, Int?)])
    func plans(_ soft: Int, _ hard: Int, _ wanted: Int?, _ connections: Int, _ raised: Int?) throws {
        let plan = try #require(DescriptorLimit(soft: soft, hard: hard).plan(wanted))
        #expect(plan.connections == connections)
        #expect(plan.raised == raised)
        if let raised { #expect(DescriptorLimit(soft: raised, hard: hard).room(below: raised) >= connections) }
    }

    @Test(arguments: [(1024, 1024, 1000), (1024, 4096, 4000), (64, 64, Int.max), (Int.max, Int.max, Int.max)])
    func refuses(_ soft: Int, _ hard: Int, _ wanted: Int) {
        #expect(DescriptorLimit(soft: soft, hard: hard).plan(wanted) == nil)
    }

    @Test func theProcessHasALimit() {
        let limit = DescriptorLimit.current()
        #expect(limit.soft > 0 && limit.hard >= limit.soft)
    }
}
