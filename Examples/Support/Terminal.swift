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
