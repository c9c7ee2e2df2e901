import CFuzzer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `transfer-fuzz TARGET [OPTION…] [CORPUS…]`: libFuzzer with the target of that name. The options are libFuzzer's.
@main
enum Program {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let target = FuzzTarget.all.first(where: { $0.name == arguments[1] }) else {
            print("usage: transfer-fuzz TARGET [OPTION…] [CORPUS…]")
            for target in FuzzTarget.all { print("  \(target.name)") }
            exit(arguments.count > 1 ? 2 : 0)
        }
        chosen = target
        // The target's name takes the place of the program's.
        var count = CommandLine.argc - 1
        var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
        exit(LLVMFuzzerRunDriver(&count, &values, execute))
    }
}

/// Set once, before the first execution.
nonisolated(unsafe) private var chosen: FuzzTarget?

/// The most that one execution may hold of the heap at a time.
private let memoryLimit = 64 << 20

private func execute(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    fuzz_memory_begin()
    chosen?.check(Array(UnsafeBufferPointer(start: data, count: size)))
    let peak = fuzz_memory_peak()
    require(peak <= memoryLimit, "\(peak) bytes of memory")
    return 0
}
