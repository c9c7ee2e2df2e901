internal import Dispatch

/// Where an uploader takes credentials from: a closure of the application, or `.openAPI(client)`.
///
/// Upload credentials come from three operations of the VOD OpenAPI, which need an access key. An application calls them on
/// its own backend and hands the answers on; a trusted server may call them by itself.
public struct VODGetAuth: Sendable {
    let body: @Sendable (VODAuthContext) async throws -> any VODAuthAnswer

    /// Credentials from an asynchronous closure.
    ///
    /// - Parameter body: Returns the answer of the operation that `context.kind` names, unchanged. What it throws ends the upload;
    ///   its description becomes part of the error; it is not asked again, and the error's advice is `.never`, unless it throws a
    ///   `TransferError` with another. It is cancelled when the upload stops, or after `authTimeout`; an answer
    ///   that comes later is dropped.
    public init(_ body: @escaping @Sendable (_ context: VODAuthContext) async throws -> any VODAuthAnswer) {
        self.body = body
    }

    /// Credentials from a closure that calls back.
    ///
    /// - Parameter body: Calls what it is given once, on any thread. It runs on a queue of its own, so it may block. Otherwise
    ///   as above.
    public init(
        completion body:
            @escaping @Sendable (
                _ context: VODAuthContext,
                _ completion: @escaping @Sendable (Result<any VODAuthAnswer, any Error>) -> Void
            ) -> Void
    ) {
        self.body = { context in
            let answer = OneShot<any VODAuthAnswer>()
            DispatchQueue(label: "object-transfer.getAuth").async {
                body(context) { answer.resolve($0) }
            }
            return try await answer.value()
        }
    }
}
