import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A port of this machine that refuses every connection: it is taken, so that no server of another test can have it, and nobody
/// listens on it.
package final class ClosedPort: Sendable {
    package let number: UInt16
    private let descriptor: Int32

    package init() throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw SystemCallError(call: "socket", path: "", number: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = descriptor
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 ? getsockname(socket, $0, &length) : -1
            }
        }
        let number = errno
        self.number = UInt16(bigEndian: address.sin_port)
        guard result == 0 else { throw SystemCallError(call: "bind", path: "", number: number) }
    }

    deinit { close(descriptor) }
}
