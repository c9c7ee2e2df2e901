import TestSupport
import Testing
import TransferCore
import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite struct TransferCancelHookTests {
    /// A hook whose task notes what it is told.
    private func attached(_ hook: TransferCancelHook = TransferCancelHook()) throws
        -> (hook: TransferCancelHook, heard: LockBox<[CancelMode]>, registration: CancelRegistration)
    {
        let heard = LockBox([CancelMode]())
        let registration = try hook.attach { mode in heard.withLock { $0.append(mode) } }
        return (hook, heard, registration)
    }

    @Test func tellsTheTaskOnceAndEscalatesOnce() throws {
        let (hook, heard, _) = try attached()
        hook.cancel()
        hook.cancel()
        #expect(heard.withLock { $0 } == [.pause])
        hook.cancel(abort: true)
        hook.cancel(abort: true)
        hook.cancel()
        #expect(heard.withLock { $0 } == [.pause, .abort])
    }

    @Test func anAbortIsNotTakenBack() throws {
        let (hook, heard, _) = try attached()
        hook.cancel(abort: true)
        hook.cancel()
        #expect(heard.withLock { $0 } == [.abort])
    }

    @Test func aWishBeforeTheTaskIsHeardAtOnce() throws {
        for (wishes, mode) in [
            ([false], CancelMode.pause), ([true], .abort), ([false, true], .abort), ([true, false], .abort),
        ] {
            let hook = TransferCancelHook()
            for wish in wishes { hook.cancel(abort: wish) }
            let (_, heard, _) = try attached(hook)
            #expect(heard.withLock { $0 } == [mode])
        }
    }

    @Test func lateWishesDoNothing() throws {
        let (hook, heard, registration) = try attached()
        registration.end()
        hook.cancel()
        hook.cancel(abort: true)
        #expect(heard.withLock { $0 }.isEmpty)
    }

    @Test func servesOneTask() throws {
        let (hook, _, registration) = try attached()
        let during = transferError { try hook.attach { _ in } }
        #expect(during?.code == .cancelHookUsed)
        #expect(during?.field == "cancelHook")
        registration.end()
        #expect(transferError { try hook.attach { _ in } }?.code == .cancelHookUsed)
        hook.cancel()
        #expect(transferError { try hook.attach { _ in } }?.code == .cancelHookUsed)
    }

    /// FR-026: a thousand calls from ten threads, mixed. Each wish is told at most once, the abort last.
    @Test(arguments: 0..<20 as Range<UInt64>) func manyThreadsAtOnce(_ seed: UInt64) throws {
        let (hook, heard, _) = try attached()
        runThreads(10) { thread in
            var random = SeededRandom(seed: seed &* 100 &+ UInt64(thread))
            for call in 0..<100 { hook.cancel(abort: call == 50 || random.chance(20)) }
        }
        let modes = heard.withLock { $0 }
        #expect(modes.count { $0 == .abort } == 1)
        #expect(modes.count { $0 == .pause } <= 1)
    }

    /// A wish that comes while the task attaches is neither lost nor stuck.
    @Test func attachingRacesWithCancelling() throws {
        for _ in 0..<200 {
            let hook = TransferCancelHook()
            let heard = LockBox([CancelMode]())
            runThreads(3) { thread in
                if thread == 0 {
                    _ = try? hook.attach { mode in heard.withLock { $0.append(mode) } }
                } else {
                    hook.cancel(abort: thread == 1)
                }
            }
            #expect(heard.withLock { $0 }.contains(.abort))
        }
    }

    @Test func aHandlerMayCallTheHook() throws {
        let hook = TransferCancelHook()
        let heard = LockBox([CancelMode]())
        let registration = try hook.attach { mode in
            heard.withLock { $0.append(mode) }
            hook.cancel(abort: true)
        }
        hook.cancel()
        #expect(heard.withLock { $0 } == [.pause, .abort])
        registration.end()
    }
}
