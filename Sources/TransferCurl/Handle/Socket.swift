#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Bytes that were written to `socket` and that its peer has not confirmed; -1 when that cannot be told.
func unsentBytes(_ socket: Int32) -> Int32 {
    guard socket >= 0 else { return -1 }
    var count: Int32 = -1
    #if os(Linux)
        return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? count : -1
    #else
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, SO_NWRITE, &count, &length) == 0 ? count : -1
    #endif
}
