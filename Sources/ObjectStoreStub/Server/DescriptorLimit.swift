#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Raises the process's soft limit of open files as far as its hard limit allows, and at most to `wanted`.
///
/// A usual soft limit is 1,024, which a thousand connections exceed. A refusal changes nothing: connections beyond the
/// limit then wait in the backlog.
func raiseDescriptorLimit(to wanted: UInt64 = 16_384) {
    var limit = rlimit()
    #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(wanted))
    _ = setrlimit(resource, &limit)
}
