import Simulation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Plays histories one after the other, on one thread, and says what it has seen.
///
///     simulate --first 1 --count 5000          5,000 histories, from the seed 1 on
///     simulate --first 77 --count 1 --print    one, step by step
///
/// The status is 1 when a history broke a promise; its seed is then the last line.
@main
struct SimulationProgram {
    static func main() {
        makeHashingDeterministic()
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            print("usage: simulate --first SEED --count N [--print] [--hashes] [--all]")
            exit(2)
        }
        Scheduler.takeOver()
        let isFine = Run(options: options).play()
        exit(isFine ? 0 : 1)
    }

    /// Sets and dictionaries are walked in an order that the process chooses, unless this is set when it starts.
    private static func makeHashingDeterministic() {
        guard getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        #if os(Linux)
            execv("/proc/self/exe", CommandLine.unsafeArgv)
        #else
            execvp(CommandLine.arguments[0], CommandLine.unsafeArgv)
        #endif
        perror("simulate: cannot start again with deterministic hashing")
        exit(2)
    }
}
