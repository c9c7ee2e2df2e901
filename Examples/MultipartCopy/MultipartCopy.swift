import ExampleSupport
import ObjectTransfer

/// Copies an object inside TOS by hand, in the three steps of the vendor's guide: open an upload, copy the parts, complete it.
/// Without arguments it does so against a server in this process.
///
/// `resumableCopyObject` does the same with checkpoints, repeats and verification; this shows what it is made of.
@main
struct MultipartCopy {
    static func main() async {
        Terminal.prepare()
        do {
            let options = try Options(
                arguments: Array(CommandLine.arguments.dropFirst()), environment: Environment.value)
            switch options.action {
            case .help:
                Terminal.print(Options.help)
                Terminal.exit(.done)
            case .demo: try await LocalServer.run()
            case .copy(let copy): try await run(copy.steps, copy.service.configuration)
            }
            Terminal.exit(.done)
        } catch let error as UsageError {
            Terminal.printError("MultipartCopy: \(error)\nTry --help.")
            Terminal.exit(.usage)
        } catch {
            Terminal.printError("failed: \(error)")
            Terminal.exit(.failed)
        }
    }

    /// Makes the copy with a client of its own.
    static func run(_ steps: CopySteps, _ configuration: TOSClientConfiguration) async throws {
        let client = try TOSClient(configuration: configuration)
        do {
            try await steps.run(client)
        } catch {
            await client.shutdown()
            throw error
        }
        await client.shutdown()
    }
}
