internal import TransferCore

/// An expectation that the backend did not meet.
struct Unmet: Error {
    let reason: String
}

/// A check that cannot tell, for a reason that the backend's capabilities allow.
struct Undecided: Error {
    let reason: String
}

func expect(_ holds: Bool, _ reason: @autoclosure () -> String) throws(Unmet) {
    if !holds { throw Unmet(reason: reason()) }
}

func expectEqual<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws(Unmet) {
    try expect(found == wanted, "\(what) is \(found), and should be \(wanted)")
}

/// Expects `body` to throw a `TransferError` with one of `codes`, which is returned.
@discardableResult
func expectError(
    _ codes: TransferError.Code..., of what: String, _ body: () async throws -> some Any
) async throws -> TransferError {
    let wanted = codes.map { ".\($0)" }.joined(separator: " or ")
    do {
        _ = try await body()
    } catch let error as TransferError {
        try expect(codes.contains(error.code), "\(what) should throw \(wanted), and threw \(error)")
        return error
    } catch {
        throw Unmet(
            reason: "\(what) should throw a TransferError with \(wanted), and threw \(type(of: error)): \(error)")
    }
    throw Unmet(reason: "\(what) should throw \(wanted), and succeeded")
}

/// Expects `body` to throw `CancellationError`.
func expectCancellation(of what: String, _ body: () async throws -> some Any) async throws {
    do {
        _ = try await body()
    } catch is CancellationError {
        return
    } catch {
        throw Unmet(reason: "\(what) should throw CancellationError, and threw \(error)")
    }
    throw Unmet(reason: "\(what) should throw CancellationError, and succeeded")
}
