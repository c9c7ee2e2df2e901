internal import Dispatch

/// Runs pieces of work one at a time, in their order, on a thread of its own: a seam at which a simulation decides when.
package protocol SerialQueue: Sendable {
    func async(_ work: @escaping @Sendable () -> Void)
}

/// A queue of the machine.
package struct DispatchSerialQueue: SerialQueue {
    private let queue: DispatchQueue

    package init(label: String) { queue = DispatchQueue(label: label) }

    package func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
