import Foundation
import Testing

/// What `make test-outside` has prepared: programs that others wrote, and a place for what a run shows of them.
enum OutsideEnvironment {
    /// The directory that the Makefile names; nil in an ordinary run of the tests, which installs nothing.
    static let directory = ProcessInfo.processInfo.environment["OBJECT_TRANSFER_OUTSIDE"]

    /// The Python in whose environment the official clients are.
    static var python: String { (directory ?? "") + "/clients/bin/python" }

    /// Where each ``Observation`` is kept.
    static var observations: String { (directory ?? "") + "/observations" }

    /// The drivers of the clients.
    static let drivers = URL(filePath: #filePath).deletingLastPathComponent().path + "/../OutsideClients"
}

extension Trait where Self == ConditionTrait {
    /// Leaves tests out where the programs are not there.
    static var needsOutside: Self {
        .enabled(if: OutsideEnvironment.directory != nil, "needs make test-outside")
    }
}
