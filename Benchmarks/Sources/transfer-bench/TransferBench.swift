import ObjectTransfer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Makes one transfer with the library and prints how long it took, so that it can be measured as a process.
@main
struct TransferBench {
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        do {
            guard let options = try Options(Array(CommandLine.arguments.dropFirst()), environment: variable) else {
                print(Options.help)
                return
            }
            print(try await run(options).text(full: options.isVerbose))
        } catch let error as UsageError {
            fail("\(error); --help tells more", status: 2)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private static func run(_ options: Options) async throws -> Outcome {
        switch options.dialect {
        case .oss:
            let client = try options.ossClient()
            return try await Job(options, over: OSSBackend(client)).run(ending: client.shutdown)
        case .tos:
            let client = try options.tosClient()
            return try await Job(options, over: TOSBackend(client)).run(ending: client.shutdown)
        case .s3:
            let client = try options.s3Client()
            return try await Job(options, over: S3Backend(client)).run(ending: client.shutdown)
        }
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func fail(_ message: String, status: Int32) -> Never {
        let line = "transfer-bench: " + message.split(separator: "\n").joined(separator: " ") + "\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        exit(status)
    }
}
