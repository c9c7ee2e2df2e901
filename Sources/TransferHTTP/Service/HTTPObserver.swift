/// Sees every operation and every attempt of a client: the seam for metrics and logs. Called on the request's task.
package protocol HTTPObserver: Sendable {
    /// One request and its answer, or its failure.
    func attemptEnded(_ record: HTTPAttemptRecord)
    /// All attempts of one operation.
    func operationEnded(_ record: HTTPOperationRecord)
}

/// How an attempt went.
package struct HTTPAttemptRecord: Sendable {
    package let operation: String
    /// From 1.
    package let attempt: Int
    package let host: String
    /// Nil without an answer.
    package let status: Int?
    package let duration: Duration
    /// Bytes.
    package let requestBodyLength: UInt64
    /// Nil for success.
    package let failure: (any Error)?
}

/// How an operation went.
package struct HTTPOperationRecord: Sendable {
    package let operation: String
    package let attempts: Int
    /// Waits between attempts included.
    package let duration: Duration
    /// Nil for success.
    package let failure: (any Error)?
}
