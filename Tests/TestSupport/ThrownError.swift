package import TransferCore

/// The `TransferError` that `body` throws; nil when it throws none, or another error.
package func transferError<Value>(of body: () throws -> Value) -> TransferError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? TransferError
    }
}

/// The `TransferError` that `body` throws; nil when it throws none, or another error.
package func transferError<Value>(
    isolation: isolated (any Actor)? = #isolation, of body: () async throws -> Value
) async -> TransferError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? TransferError
    }
}
