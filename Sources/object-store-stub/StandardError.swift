#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes a line to standard error with one call, so that lines of several threads do not mix.
func printError(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    // Standard error may be closed; there is nowhere else to say so.
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
