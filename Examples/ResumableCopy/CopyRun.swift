import ExampleSupport
import ObjectTransfer

/// One copy on a service that the options name.
enum CopyRun {
    static func run(_ options: Options.Copy) async -> ExitStatus {
        do {
            let client = try TOSClient(configuration: configuration(options))
            let status = await run(options, client)
            await client.shutdown()
            return status
        } catch {
            Terminal.printError("failed: \(error)")
            return .failed
        }
    }

    private static func configuration(_ options: Options.Copy) -> TOSClientConfiguration {
        var configuration = options.service.configuration
        configuration.maxRetryCount = options.maxRetry
        return configuration
    }

    private static func run(_ options: Options.Copy, _ client: TOSClient) async -> ExitStatus {
        let hook = TOSCancelHook()
        var input = TOSResumableCopyObjectInput(
            srcBucket: options.sourceBucket, srcKey: options.sourceKey, srcVersionID: options.sourceVersion,
            bucket: options.bucket, key: options.key)
        input.partSize = options.partSize
        input.taskNum = options.taskNum
        input.maxRetryCount = options.maxRetry
        input.enableCheckpoint = options.keepsCheckpoint
        input.checkpointFile = options.checkpoint
        input.cancelHook = hook

        let interrupt = Interrupt {
            Terminal.printError("pausing; interrupt again to end at once")
            hook.cancel()
        }
        defer { withExtendedLifetime(interrupt) {} }
        let start = ContinuousClock.now
        do {
            let copy = try client.startResumableCopyObject(input)
            var display = TransferDisplay(options.events)
            var copied = 0
            for await event in copy.events {
                if case .partCompleted = event {
                    copied += 1
                    if copied == options.pauseAfterParts { hook.cancel() }
                    if copied == options.abortAfterParts { hook.cancel(abort: true) }
                }
                display.show(event)
            }
            display.end()
            let output = try await copy.value
            if options.events == .human {
                Terminal.print(
                    """
                    done        \(output.bucket)/\(output.key) in \(Units.seconds(ContinuousClock.now - start)), \(copied) parts copied by this run
                    etag        \(output.eTag)
                    crc64       \(output.hashCrc64ecma.map(String.init) ?? "not told")
                    verified    \(output.verification)
                    """)
            }
            return .done
        } catch let error as TransferError where error.code == .paused {
            let next = options.keepsCheckpoint ? "; run the same command again to resume" : ""
            Terminal.printError("\(error.message)\(next)")
            return .paused
        } catch let error as TransferError where error.code == .aborted {
            Terminal.printError("aborted: the upload is given up and its checkpoint removed")
            return .aborted
        } catch {
            Terminal.printError("failed: \(error)")
            return .failed
        }
    }
}
