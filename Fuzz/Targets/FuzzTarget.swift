/// Code that reads what comes from outside, and what must hold of it for any bytes.
struct FuzzTarget: Sendable {
    /// The name of its corpus, too.
    let name: String
    let check: @Sendable ([UInt8]) -> Void

    static let all = [
        xmlDocuments, jsonDocuments, uploadAuth, checkpointJournal, errorBodies, headerValues, endpoints, partPlans,
        percentEncoding,
    ]
}

/// Ends the process, and with it the search, when a property does not hold.
func require(
    _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
    if !condition { fatalError(message(), file: file, line: line) }
}

/// The same for a value that must be there.
func required<Value>(
    _ value: Value?, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Value {
    guard let value else { fatalError(message(), file: file, line: line) }
    return value
}
