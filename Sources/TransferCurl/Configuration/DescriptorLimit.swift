#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How many connections the limit on open files leaves room for. Arithmetic apart from the system calls.
struct DescriptorLimit {
    var soft: Int
    var hard: Int

    /// Most clients of one service never need more.
    static let automaticConnections = 1024

    /// What the limit leaves for connections, when a part is kept for files, pipes and the host's own sockets.
    func room(below limit: Int) -> Int { max(1, limit - max(24, limit / 8)) }

    /// The connections to allow, and the soft limit that they need when it must be raised; nil when the hard limit does
    /// not allow them.
    func plan(_ wanted: Int?) -> (connections: Int, raised: Int?)? {
        guard let wanted else { return (min(Self.automaticConnections, room(below: soft)), nil) }
        if wanted <= room(below: soft) { return (wanted, nil) }
        guard wanted <= room(below: hard) else { return nil }
        // The least limit that leaves room: an eighth, or 24, on top.
        let (seventh, overflow) = (wanted / 7).addingReportingOverflow(1)
        guard !overflow, wanted <= .max - max(24, seventh) else { return nil }
        return (wanted, min(hard, wanted + max(24, seventh)))
    }

    /// The most connections that can be allowed at all.
    var most: Int { room(below: hard) }
}

extension DescriptorLimit {
    /// The process's own; without any limit when the system does not tell.
    static func current() -> DescriptorLimit {
        var limit = rlimit()
        guard getrlimit(openFiles, &limit) == 0 else { return DescriptorLimit(soft: .max, hard: .max) }
        return DescriptorLimit(soft: Int(clamping: limit.rlim_cur), hard: Int(clamping: limit.rlim_max))
    }

    /// Raises the soft limit of the process; false when the system refused.
    static func raise(to soft: Int) -> Bool {
        var limit = rlimit()
        guard getrlimit(openFiles, &limit) == 0 else { return false }
        if limit.rlim_cur >= rlim_t(soft) { return true }
        limit.rlim_cur = rlim_t(soft)
        return setrlimit(openFiles, &limit) == 0
    }

    #if canImport(Glibc)
        private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let openFiles = RLIMIT_NOFILE
    #endif
}
