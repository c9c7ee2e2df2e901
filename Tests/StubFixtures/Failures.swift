package import ObjectTransfer
package import Testing

/// The error that `body` throws; a success is an issue.
package func failure(
    _ body: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) async -> TransferError? {
    do {
        try await body()
        Issue.record("no error was thrown", sourceLocation: sourceLocation)
        return nil
    } catch let error as TransferError {
        return error
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
        return nil
    }
}

/// The error that an upload ends with; a success is an issue.
package func uploadFailure(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> VODUploadError? {
    do {
        try await body()
        Issue.record("no error was thrown", sourceLocation: sourceLocation)
        return nil
    } catch let error as VODUploadError {
        return error
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
        return nil
    }
}
