#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the system tells of this process. Linux alone knows these; elsewhere they are zero.
enum ProcessFigures {
    /// Lowers the limit on open files, hard and soft, for the rest of the process's life.
    static func limitDescriptors(to count: UInt64) -> Bool {
        var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: rlim_t(count))
        #if canImport(Glibc)
            return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        #else
            return setrlimit(RLIMIT_NOFILE, &limit) == 0
        #endif
    }

    /// The most memory that was resident at once, in KiB.
    static var peakMemory: Int { status("VmHWM:") }

    /// The memory that is resident, in KiB.
    static var memory: Int { status("VmRSS:") }

    static var threads: Int { status("Threads:") }

    /// What each open descriptor leads to, without that of the look itself.
    static var descriptors: [String] {
        let directory = "/proc/self/fd"
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var found: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") || Int32(name) == dirfd(stream) { continue }
            var target = [UInt8](repeating: 0, count: 4_096)
            let length = target.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map {
                    readlink("\(directory)/\(name)", $0.assumingMemoryBound(to: CChar.self), buffer.count)
                } ?? 0
            }
            if length > 0 { found.append(String(decoding: target[..<length], as: UTF8.self)) }
        }
        return found
    }

    /// Seconds of processor time, of the program and of the system for it.
    static var processorTime: Double {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// Whether SIGPIPE ends the process, as it does in a program that never touched it, in this thread and the next.
    static var brokenPipeIsDeadly: Bool {
        var action = sigaction()
        var mask = sigset_t()
        sigaction(SIGPIPE, nil, &action)
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return handler == nil && sigismember(&mask, SIGPIPE) == 0
    }

    private static func status(_ field: String) -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8_192)
        let count = fread(&bytes, 1, bytes.count, file)
        for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") where line.hasPrefix(field)
        {
            return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
        }
        return 0
    }
}
