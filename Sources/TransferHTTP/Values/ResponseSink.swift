/// Takes the body of an answer as it arrives. Called on the transport's thread, one call at a time, and must not block
/// for longer than a disk does; a slower sink asks for a pause.
///
///     final class CountingSink: ResponseSink {
///         private let count = LockBox(0)
///         func begin(status: Int, headers: HTTPHeaders, flow: any ResponseFlow) { count.withLock { $0 = 0 } }
///         func receive(_ bytes: UnsafeRawBufferPointer) -> ResponseDemand {
///             count.withLock { $0 += bytes.count }
///             return .more
///         }
///     }
package protocol ResponseSink: Sendable {
    /// A 2xx answer has begun. Called again, from the first byte on, when an attempt is repeated.
    func begin(status: Int, headers: HTTPHeaders, flow: any ResponseFlow) throws
    /// Takes all of `bytes`, which are only valid during the call. A throw ends the request with that error.
    func receive(_ bytes: UnsafeRawBufferPointer) throws -> ResponseDemand
}

/// What a sink wants next.
package enum ResponseDemand: Sendable {
    case more
    /// Nothing until `ResponseFlow.resume()`. The idle timer stands still meanwhile.
    case pause
}

/// Lets a paused answer go on. May be called from any thread, at any time, also after the answer has ended.
package protocol ResponseFlow: Sendable {
    func resume()
}
