import TransferCore

/// What stays the same over all calls of a history.
struct Setting {
    enum Store: CaseIterable { case journal, leases, none }

    static let source = ObjectLocation(bucket: "from", key: "source")
    static let target = ObjectLocation(bucket: "to", key: "target")
    static let sourcePath = "/data/source"
    static let targetPath = "/data/target"

    let kind: TransferCheckpoint.Kind
    let store: Store
    /// Whether who loses a lease is told at once.
    let signalsLoss: Bool
    let yieldsClaim: Bool
    let singleRequestLimit: UInt64
    let abortsOnDenial: Bool
    let checksLocalParts: Bool
    let maxAttempts: Int
    let traits: ServiceTraits
    let troubles: Troubles

    var keepsRecord: Bool { store != .none }

    init(random: inout TracedRandom) {
        kind = random.pick(.upload, .upload, .copy, .copy, .download)
        store = random.pick(.journal, .journal, .journal, .journal, .journal, .leases, .leases, .none)
        signalsLoss = random.chance(70)
        yieldsClaim = random.chance(10)
        singleRequestLimit = kind != .download && random.chance(15) ? 16 : 0
        abortsOnDenial = random.chance(30)
        checksLocalParts = kind != .upload || random.chance(90)
        maxAttempts = Int.random(in: 1...3, using: &random)
        var traits = ServiceTraits()
        traits.tellsChecksums = random.chance(75)
        traits.tellsPartChecksums = random.chance(80)
        traits.tagsAreDigests = random.chance(60)
        traits.honoursPreconditions = kind != .copy || random.chance(75)
        traits.deniesListing = kind == .upload && random.chance(15)
        traits.deniesHead = kind == .upload && random.chance(5)
        self.traits = traits
        troubles = Troubles(
            request: random.pick(0, 2, 6, 15, 30), disk: random.pick(0, 0, 0.5, 2, 6),
            credentials: random.pick(0, 5, 25), death: random.pick(0, 0, 0.2, 1))
    }
}
