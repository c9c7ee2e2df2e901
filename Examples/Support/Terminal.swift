#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard output and error, written at once and unbuffered.
package enum Terminal {
    package static let isInteractive = isatty(STDOUT_FILENO) == 1

    /// To be called before anything else: lets no file or connection come under the number of a standard stream that the
    /// caller closed, and has a reader that goes away cost a line of output, not the process.
    package static func prepare() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is this one.
            _ = open("/dev/null", O_RDWR)
        }
        signal(SIGPIPE, SIG_IGN)
    }

    package static func print(_ text: String, terminator: String = "\n") { write(text + terminator, to: STDOUT_FILENO) }

    package static func printError(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    package static func exit(_ status: ExitStatus) -> Never {
        #if canImport(Glibc)
            Glibc.exit(status.rawValue)
        #elseif canImport(Musl)
            Musl.exit(status.rawValue)
        #else
            Darwin.exit(status.rawValue)
        #endif
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            // A reader that is gone is no reason to stop the transfer.
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
