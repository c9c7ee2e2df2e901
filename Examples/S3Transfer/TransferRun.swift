import ExampleSupport
import ObjectTransfer

/// One transfer on a service that the options name.
enum TransferRun {
    static func run(_ options: Options.Transfer) async -> ExitStatus {
        do {
            let client = try S3Client(configuration: options.service.configuration)
            let status = await run(options, client)
            await client.shutdown()
            return status
        } catch {
            Terminal.printError("failed: \(error)")
            return .failed
        }
    }

    private static func run(_ options: Options.Transfer, _ client: S3Client) async -> ExitStatus {
        let hook = TransferCancelHook()
        let interrupt = Interrupt {
            Terminal.printError("pausing; interrupt again to end at once")
            hook.cancel()
        }
        defer { withExtendedLifetime(interrupt) {} }
        let start = ContinuousClock.now
        do {
            let transfer = try client.start(options.way, try options.transferOptions(hook))
            var display = TransferDisplay(options.events)
            var moved = 0
            for await event in transfer.events {
                if case .partCompleted = event {
                    moved += 1
                    if moved == options.pauseAfterParts { hook.cancel() }
                    if moved == options.abortAfterParts { hook.cancel(abort: true) }
                }
                display.show(event)
            }
            display.end()
            let receipt = try await transfer.value
            if options.events == .human {
                Terminal.print(
                    """
                    done        \(options.way.target) in \(Units.seconds(ContinuousClock.now - start)), \(moved) parts moved by this run
                    etag        \(receipt.etag)
                    verified    \(receipt.verification)
                    """)
            }
            return .done
        } catch let error as TransferError where error.code == .paused {
            let next = options.keepsCheckpoint ? "; run the same command again to resume" : ""
            Terminal.printError("\(error.message)\(next)")
            return .paused
        } catch let error as TransferError where error.code == .aborted {
            Terminal.printError("aborted: what was moved is given up and its checkpoint removed")
            return .aborted
        } catch {
            Terminal.printError("failed: \(error)")
            return .failed
        }
    }
}

extension S3Client {
    /// Starts what the command line asks for.
    func start(_ way: Options.Way, _ options: TransferOptions) throws -> TransferHandle {
        switch way {
        case .upload(let file, let target): try startUploadFile(file, to: target, options: options)
        case .download(let source, let file): try startDownloadFile(source, to: file, options: options)
        case .copy(let source, let target): try startResumableCopyObject(from: source, to: target, options: options)
        }
    }
}

extension Options.Way {
    /// For people.
    var target: String {
        switch self {
        case .upload(_, let target), .copy(_, let target): "s3://\(target)"
        case .download(_, let file): file
        }
    }
}

extension Options.Transfer {
    fileprivate func transferOptions(_ hook: TransferCancelHook) throws -> TransferOptions {
        var policy = TransferOptions.CheckpointPolicy.none
        if keepsCheckpoint {
            policy = .store(try checkpoint.map { FileCheckpointStore(path: $0) } ?? FileCheckpointStore.default())
        }
        return TransferOptions(partSize: partSize, concurrency: parallel, checkpoint: policy, cancelHook: hook)
    }
}
