import ExampleSupport
import ObjectTransfer

/// Moves objects between files and a service that speaks S3, and inside it: pausable, resumable, verified. Without arguments it
/// shows itself against a local server.
@main
struct S3Transfer {
    static func main() async {
        Terminal.prepare()
        let options: Options
        do {
            options = try Options(arguments: Array(CommandLine.arguments.dropFirst()), environment: Environment.value)
        } catch {
            Terminal.printError("S3Transfer: \(error)\nTry --help.")
            Terminal.exit(.usage)
        }
        switch options.action {
        case .help:
            Terminal.print(Options.help)
            Terminal.exit(.done)
        case .demo: Terminal.exit(await Demo.run())
        case .transfer(let transfer): Terminal.exit(await TransferRun.run(transfer))
        }
    }
}
