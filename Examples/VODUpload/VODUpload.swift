import ExampleSupport

/// Uploads files to ApsaraVideo VOD, several at once: resumable, with progress. Without a service to talk to it starts one in
/// this process.
@main
struct VODUpload {
    static func main() async {
        Terminal.prepare()
        let options: Options
        do {
            options = try Options(arguments: Array(CommandLine.arguments.dropFirst()), environment: Environment.value)
        } catch {
            Terminal.printError("VODUpload: \(error)\nTry --help.")
            Terminal.exit(.usage)
        }
        if options.showsHelp {
            Terminal.print(Options.help)
            Terminal.exit(.done)
        }
        do {
            Terminal.exit(try await UploadRun(options).run())
        } catch {
            Terminal.printError("failed: \(error)")
            Terminal.exit(.failed)
        }
    }
}
