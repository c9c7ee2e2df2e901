import TestSupport
import Testing
import TransferCore

/// How an object is cut, as pure arithmetic.
@Suite struct PartPlanTests {
    static let mebibyte: UInt64 = 1 << 20
    /// The limits of TOS.
    static let limits = BackendCapabilities.PartLimits(
        minimumSize: 5 * mebibyte, maximumSize: 5 << 30, maximumCount: 10_000, defaultSize: 20 * mebibyte)

    private func plan(_ size: UInt64, _ requested: UInt64? = nil) throws -> PartPlan {
        try PartPlan(size: size, requested: requested, limits: Self.limits)
    }

    @Test func smallObjectsAreOnePart() throws {
        for size in [0, 1, Self.limits.defaultSize - 1, Self.limits.defaultSize] {
            let plan = try plan(size)
            #expect(plan.count == 1)
            #expect(plan.part(1)?.range == ByteRange(offset: 0, length: size))
            #expect(plan.part(0) == nil && plan.part(2) == nil && plan.part(-1) == nil && plan.part(.max) == nil)
        }
    }

    @Test func aMultipleHasNoEmptyPartAtItsEnd() throws {
        let size = Self.limits.defaultSize
        for (bytes, count, last) in [(3 * size - 1, 3, size - 1), (3 * size, 3, size), (3 * size + 1, 4, 1)] {
            let plan = try plan(bytes)
            #expect(plan.count == count)
            #expect(plan.part(count)?.range.length == last)
        }
    }

    @Test func anUnsetSizeAndZeroAreTheDefault() throws {
        #expect(try plan(1000).partSize == Self.limits.defaultSize)
        #expect(try plan(1000, 0) == plan(1000))
    }

    @Test func theDefaultGrowsWhenThereWouldBeTooManyParts() throws {
        let full = Self.limits.defaultSize * 10_000
        #expect(try plan(full).partSize == Self.limits.defaultSize)
        #expect(try plan(full).count == 10_000)
        let grown = try plan(full + 1)
        #expect(grown.partSize == 21 * Self.mebibyte, "the next whole MiB")
        #expect(grown.count == 9524)
        #expect(try plan(full + 1, 0) == grown)
        #expect(try plan(1 << 40).partSize == 105 * Self.mebibyte)
    }

    @Test func theLargestObjectsFitToTheByte() throws {
        let most = (5 << 30) as UInt64 * 10_000
        #expect(try plan(most).count == 10_000)
        #expect(try plan(most, 5 << 30).count == 10_000)
        for requested in [nil, 5 << 30] as [UInt64?] {
            #expect(transferError { try plan(most + 1, requested) }?.code == .tooLarge)
            #expect(transferError { try plan(.max, requested) }?.code == .tooLarge)
        }
    }

    /// A largest part that is no whole number of MiB can still be reached.
    @Test func growthStopsAtTheLargestPart() throws {
        let limits = BackendCapabilities.PartLimits(
            minimumSize: 1, maximumSize: Self.mebibyte + 500, maximumCount: 10, defaultSize: 100)
        let plan = try PartPlan(size: limits.maximumSize * 10, requested: nil, limits: limits)
        #expect(plan.partSize == limits.maximumSize)
        #expect(plan.count == 10)
        let error = transferError { try PartPlan(size: limits.maximumSize * 10 + 1, requested: nil, limits: limits) }
        #expect(error?.code == .tooLarge)
    }

    @Test func anExplicitSizeOutsideTheLimitsIsRefused() throws {
        let sizes: [UInt64] = [1, 5 * Self.mebibyte - 1, (5 << 30) + 1, .max]
        for requested in sizes {
            let error = transferError { try plan(1000, requested) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.field == "partSize")
            #expect(error?.message.contains("5242880…5368709120") == true)
        }
        #expect(try plan(1000, 5 * Self.mebibyte).partSize == 5 * Self.mebibyte)
        #expect(try plan(1000, 5 << 30).partSize == 5 << 30)
    }

    @Test func anExplicitSizeThatNeedsTooManyPartsIsRefusedWithTheRange() throws {
        let requested = 5 * Self.mebibyte
        #expect(try plan(requested * 10_000, requested).count == 10_000)
        let error = transferError { try plan(requested * 10_000 + 1, requested) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.field == "partSize")
        #expect(error?.message.contains("10001 parts") == true)
        #expect(error?.message.contains("\(6 * Self.mebibyte)…5368709120") == true)
    }

    /// What a resume plans depends on nothing but the size.
    @Test func growthDependsOnSizeAlone() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            let size = UInt64.random(in: 0...(5 << 30) * 10_000, using: &random)
            let plan = try plan(size)
            #expect(try self.plan(size) == plan)
            #expect(try self.plan(size, plan.partSize) == plan, "the planned size asked for is the same plan")
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>) func partsTileTheObject(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let count = Int.random(in: 1...200, using: &random)
            let magnitude = UInt64(1) << UInt64.random(in: 0..<63, using: &random)
            let limits = BackendCapabilities.PartLimits(
                minimumSize: 1, maximumSize: .max, maximumCount: count,
                defaultSize: UInt64.random(in: 1...magnitude, using: &random))
            let size = UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0..<64, using: &random)
            let plan = try PartPlan(size: size, requested: nil, limits: limits)
            #expect(plan.count >= 1 && plan.count <= count)
            var end: UInt64 = 0
            for number in 1...plan.count {
                let part = try #require(plan.part(number))
                #expect(part.number == number)
                #expect(part.range.offset == end)
                #expect(number == plan.count || part.range.length == plan.partSize)
                #expect(part.range.length > 0 || size == 0)
                end = part.range.end
            }
            #expect(end == size)
        }
    }

    @Test func sizesAtTheEndOfTheTypeDoNotOverflow() throws {
        let limits = BackendCapabilities.PartLimits(
            minimumSize: 1, maximumSize: .max, maximumCount: 10_000, defaultSize: 1)
        for size in [UInt64.max, UInt64.max - 1, UInt64.max / 2] {
            let plan = try PartPlan(size: size, requested: nil, limits: limits)
            #expect(plan.part(plan.count)?.range.end == size)
        }
        let whole = try PartPlan(size: .max, requested: .max, limits: limits)
        #expect(whole.count == 1)
        #expect(whole.part(1)?.range == ByteRange(offset: 0, length: .max))
    }

    /// A backend of somebody's own may state any limits; they must not bring its process down.
    @Test func senselessLimitsAreMet() throws {
        for limits in [
            BackendCapabilities.PartLimits(minimumSize: 0, maximumSize: 0, maximumCount: 0, defaultSize: 0),
            .init(minimumSize: 0, maximumSize: 100, maximumCount: -5, defaultSize: 0),
            .init(minimumSize: 50, maximumSize: 10, maximumCount: 3, defaultSize: 7),
            .init(minimumSize: 50, maximumSize: 100, maximumCount: 3, defaultSize: 7),
            .init(minimumSize: 1, maximumSize: 100, maximumCount: .max, defaultSize: 900),
        ] {
            let sizes: [UInt64] = [0, 1, 99, 100, 1000, .max]
            for size in sizes {
                guard let plan = try? PartPlan(size: size, requested: nil, limits: limits) else { continue }
                #expect(plan.part(plan.count)?.range.end == size)
                #expect(plan.partSize >= 1)
            }
        }
        let small = BackendCapabilities.PartLimits(minimumSize: 50, maximumSize: 100, maximumCount: 3, defaultSize: 7)
        #expect(try PartPlan(size: 60, requested: nil, limits: small).partSize == 50, "never below the minimum")
    }
}
