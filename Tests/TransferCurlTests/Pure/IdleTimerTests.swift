import Testing

@testable import TransferCurl

@Suite struct IdleTimerTests {
    private let nothing = IdleTimer.Counters()

    @Test func expiresAfterTheLimit() {
        var timer = IdleTimer(limit: 100, now: 1000)
        #expect(timer.firstCheck == 1025)
        #expect(timer.check(at: 1025, nothing) == .check(at: 1050))
        #expect(timer.check(at: 1050, nothing) == .check(at: 1075))
        #expect(timer.check(at: 1099, nothing) == .check(at: 1100))
        #expect(timer.check(at: 1100, nothing) == .expired)
    }

    @Test func everyMoveStartsItAnew() {
        var timer = IdleTimer(limit: 100, now: 0)
        timer.moved(at: 90)
        #expect(timer.check(at: 120, nothing) == .check(at: 145))
        #expect(timer.check(at: 189, nothing) == .check(at: 190))
        #expect(timer.check(at: 190, nothing) == .expired)
    }

    @Test func countersThatChangeAreMoves() {
        var timer = IdleTimer(limit: 100, now: 0)
        #expect(timer.check(at: 80, .init(sent: 1)) == .check(at: 105))
        #expect(timer.check(at: 105, .init(sent: 1)) == .check(at: 130))
        #expect(timer.check(at: 170, .init(sent: 1, received: 1)) == .check(at: 195))
        #expect(timer.check(at: 270, .init(sent: 1, received: 1)) == .expired)
    }

    @Test func limitsOfAnySizeAreFine() {
        var none = IdleTimer(limit: 0, now: 5)
        #expect(none.check(at: 5, nothing) == .expired)
        var endless = IdleTimer(limit: LoopTime.nanoseconds(.seconds(Int64.max)), now: 1 << 60)
        guard case .check = endless.check(at: 1 << 61, nothing) else { return #expect(Bool(false)) }
        #expect(LoopTime.nanoseconds(.zero - .seconds(1)) == 0)
        #expect(LoopTime.nanoseconds(.milliseconds(1500)) == 1_500_000_000)
    }
}
