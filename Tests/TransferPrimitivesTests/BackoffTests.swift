import Testing
import TransferPrimitives

@Suite struct BackoffTests {
    private struct Fixed: RandomSource {
        let value: UInt64
        func next() -> UInt64 { value }
    }

    private let backoff = Backoff(base: .milliseconds(100), cap: .seconds(10))

    @Test func doublesUpToTheCap() {
        #expect(backoff.ceiling(retry: 0) == .milliseconds(100))
        #expect(backoff.ceiling(retry: 1) == .milliseconds(200))
        #expect(backoff.ceiling(retry: 6) == .milliseconds(6400))
        #expect(backoff.ceiling(retry: 7) == .seconds(10))
        #expect(backoff.ceiling(retry: Int.max) == .seconds(10))
        #expect(backoff.ceiling(retry: -1) == .milliseconds(100))
    }

    @Test func jitterSpansZeroToTheCeiling() {
        #expect(backoff.delay(retry: 3, random: Fixed(value: 0)) == .zero)
        #expect(backoff.delay(retry: 3, random: Fixed(value: 1 << 63)) == .milliseconds(400))
        let longest = backoff.delay(retry: 3, random: Fixed(value: .max))
        #expect(longest <= .milliseconds(800))
        #expect(longest > .milliseconds(799))
    }

    @Test func floorIsHonouredInFullAndJittered() {
        #expect(backoff.delay(retry: 0, floor: .seconds(451), random: Fixed(value: 0)) == .seconds(451))
        let longest = backoff.delay(retry: 0, floor: .seconds(451), random: Fixed(value: .max))
        #expect(longest > .seconds(451))
        #expect(longest <= .milliseconds(451_100))
        #expect(backoff.delay(retry: 0, floor: .seconds(-5), random: Fixed(value: 0)) == .zero)
    }

    @Test func oddSettingsDoNotTrap() {
        let huge = Duration.seconds(Int64.max)
        #expect(Backoff(base: huge, cap: huge).ceiling(retry: 5) == .seconds(86_400))
        #expect(Backoff(base: huge, cap: .seconds(1)).ceiling(retry: 0) == .seconds(1))
        #expect(Backoff(base: .seconds(-1), cap: .seconds(-1)).delay(retry: .max, random: Fixed(value: .max)) == .zero)
        #expect(Backoff(base: .zero, cap: .seconds(1)).ceiling(retry: .max) == .zero)
        #expect(backoff.delay(retry: 0, floor: huge, random: Fixed(value: .max)) >= huge)
    }

    @Test func systemRandomnessStaysInBounds() {
        for retry in 0..<200 {
            let delay = backoff.delay(retry: retry, random: SystemRandomSource())
            #expect(delay >= .zero && delay <= backoff.ceiling(retry: retry))
        }
    }
}
