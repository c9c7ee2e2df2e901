internal import TransferCore

/// A copy, an upload or a download that runs.
protocol RunningTransfer: Sendable {
    associatedtype Output: Sendable

    var value: Output { get async throws }
    func cancel(abort: Bool)
}

extension TOSCopyHandle: RunningTransfer {}
extension TOSUploadHandle: RunningTransfer {}
extension TOSDownloadHandle: RunningTransfer {}

extension TOSTask {
    /// The task of an `async` operation, which `cancel` cancels.
    convenience init(
        _ completion: TOSCompletion<Output>?, _ operation: @escaping @Sendable () async throws -> Output
    ) {
        self.init()
        if let completion { notify(completion) }
        let running = Task { await self.run(operation) }
        runs { _ in running.cancel() }
    }

    /// The task of a transfer, which `cancel` pauses or aborts. One that cannot be started is a task that has failed.
    convenience init<Transfer: RunningTransfer>(
        _ completion: TOSCompletion<Output>?, starting start: () throws -> Transfer
    ) where Transfer.Output == Output {
        self.init()
        if let completion { notify(completion) }
        do {
            let transfer = try start()
            runs { transfer.cancel(abort: $0 == .abort) }
            Task { await self.run { try await transfer.value } }
        } catch {
            settle(.failure(error))
        }
    }

    private func run(_ operation: @Sendable () async throws -> Output) async {
        do {
            settle(.success(try await operation()))
        } catch {
            settle(.failure(error))
        }
    }
}
