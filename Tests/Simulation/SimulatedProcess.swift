/// One process of a history. When it dies, all that its tasks still do is without effect: whatever they ask of the disk, the
/// network or the clock fails at once.
final class SimulatedProcess: @unchecked Sendable {
    enum Death { case kill, powerCut }

    let number: Int
    private(set) var isDead = false
    private let world: World
    private var parked: [Int: @Sendable () -> Void] = [:]
    private var mourners: [@Sendable (Death) -> Void] = []

    init(number: Int, world: World) {
        self.number = number
        self.world = world
    }

    /// Keeps what waits for the world, so that it ends with the process.
    func park(_ id: Int, _ end: @escaping @Sendable () -> Void) { parked[id] = end }

    func unpark(_ id: Int) { parked[id] = nil }

    func onDeath(_ mourner: @escaping @Sendable (Death) -> Void) { mourners.append(mourner) }

    func die(_ death: Death) {
        guard !isDead else { return }
        isDead = true
        world.trace("process \(number) dies: \(death)")
        for mourner in mourners { mourner(death) }
        mourners = []
        for (_, end) in parked.sorted(by: { $0.key < $1.key }) { end() }
        parked = [:]
    }
}
