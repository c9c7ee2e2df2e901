package import ObjectTransfer
internal import TransferPrimitives

/// The events of a copy, in the order in which they came.
package final class EventLog: Sendable {
    private let log = LockBox<[TOSCopyEvent]>([])

    package init() {}

    package func append(_ event: TOSCopyEvent) { log.withLock { $0.append(event) } }

    package var all: [TOSCopyEvent] { log.withLock { $0 } }
    package var types: [Int] { all.map(\.type.rawValue) }
    /// The types without the parts that went well.
    package var turns: [Int] { types.filter { $0 != 3 } }
}
