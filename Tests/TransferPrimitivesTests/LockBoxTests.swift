import Foundation
import Testing
import TransferPrimitives

@Suite struct LockBoxTests {
    private struct Refused: Error, Equatable {}

    /// Threads, not tasks: more of them than there are cores, all at once on one box.
    @Test func noUpdateIsLostUnderContention() async {
        let box = LockBox((count: 0, highest: 0))
        let threads = 8
        let rounds = 5000
        await withCheckedContinuation { continuation in
            let running = LockBox(threads)
            for _ in 0..<threads {
                Thread {
                    for _ in 0..<rounds {
                        box.withLock { value in
                            value.count += 1
                            value.highest = max(value.highest, value.count)
                        }
                    }
                    let left = running.withLock { running in
                        running -= 1
                        return running
                    }
                    if left == 0 { continuation.resume() }
                }.start()
            }
        }
        #expect(box.withLock { $0.count } == threads * rounds)
        #expect(box.withLock { $0.highest } == threads * rounds)
    }

    @Test func aThrowingBodyReleasesTheLock() {
        let box = LockBox(1)
        #expect(throws: Refused.self) {
            try box.withLock { value in
                value = 2
                throw Refused()
            }
        }
        #expect(box.withLock { $0 } == 2)
    }

    @Test func releasesItsValue() {
        final class Guarded: Sendable {}
        weak var weakly: Guarded?
        do {
            let guarded = Guarded()
            weakly = guarded
            let box = LockBox<Guarded?>(guarded)
            #expect(box.withLock { $0 != nil })
        }
        #expect(weakly == nil)
    }
}
