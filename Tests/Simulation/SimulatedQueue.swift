import TransferPrimitives

/// A queue whose work comes in its order, each piece when chance has it come.
final class SimulatedQueue: SerialQueue, @unchecked Sendable {
    private let world: World
    private var waiting: [@Sendable () -> Void] = []
    private var isBusy = false

    init(world: World) { self.world = world }

    func async(_ work: @escaping @Sendable () -> Void) {
        waiting.append(work)
        if !isBusy { next() }
    }

    private func next() {
        isBusy = !waiting.isEmpty
        guard isBusy else { return }
        let work = waiting.removeFirst()
        let pause =
            switch Int.random(in: 0..<4, using: &world.random) {
            case 0, 1: Duration.zero
            case 2: world.random.milliseconds(0...30)
            default: world.random.milliseconds(0...600)
            }
        let run: @Sendable () -> Void = {
            work()
            self.next()
        }
        if pause == .zero { world.scheduler.perform(run) } else { world.scheduler.after(pause, run) }
    }
}
