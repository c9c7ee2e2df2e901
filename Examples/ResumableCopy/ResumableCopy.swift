import ExampleSupport
import ObjectTransfer

/// Copies an object inside TOS in parts: pausable, resumable, verified. Without arguments it shows itself against a local
/// server.
@main
struct ResumableCopy {
    static func main() async {
        Terminal.prepare()
        let options: Options
        do {
            options = try Options(arguments: Array(CommandLine.arguments.dropFirst()), environment: Environment.value)
        } catch {
            Terminal.printError("ResumableCopy: \(error)\nTry --help.")
            Terminal.exit(.usage)
        }
        switch options.action {
        case .help:
            Terminal.print(Options.help)
            Terminal.exit(.done)
        case .demo: Terminal.exit(await Demo.run())
        case .copy(let copy): Terminal.exit(await CopyRun.run(copy))
        }
    }
}
