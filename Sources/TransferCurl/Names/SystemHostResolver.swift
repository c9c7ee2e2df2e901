#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system's resolver, `getaddrinfo`, on a thread of its own for every look-up: it can block for many seconds.
public struct SystemHostResolver: HostResolver {
    /// There is nothing to set.
    public init() {}

    public func addresses(of host: String) async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            let lookup = Unmanaged.passRetained(Lookup(host: host, continuation: continuation))
            guard startDetachedThread(runLookup, lookup.toOpaque()) else {
                lookup.release()
                continuation.resume(throwing: HostResolutionError(host: host, message: "no thread could be started"))
                return
            }
        }
    }
}

private final class Lookup: Sendable {
    let host: String
    let continuation: CheckedContinuation<[String], any Error>

    init(host: String, continuation: CheckedContinuation<[String], any Error>) {
        self.host = host
        self.continuation = continuation
    }
}

private func runLookup(_ context: ThreadContext) -> UnsafeMutableRawPointer? {
    if let lookup: Lookup = takeContext(context) {
        lookup.continuation.resume(with: Result { try resolve(lookup.host) })
    }
    return nil
}

private func resolve(_ host: String) throws -> [String] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
        hints.ai_socktype = SOCK_STREAM
    #endif
    hints.ai_flags = AI_ADDRCONFIG
    var list: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, nil, &hints, &list)
    guard result == 0 else { throw HostResolutionError(host: host, message: String(cString: gai_strerror(result))) }
    defer { freeaddrinfo(list) }

    var addresses: [String] = []
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var next = list
    while let entry = next?.pointee {
        next = entry.ai_next
        let length = socklen_t(text.count)
        guard getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, length, nil, 0, NI_NUMERICHOST) == 0 else { continue }
        let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // A scope, as in fe80::1%eth0, cannot be handed on to libcurl.
        if !address.contains("%"), !addresses.contains(address) { addresses.append(address) }
    }
    guard !addresses.isEmpty else { throw HostResolutionError(host: host, message: "no usable address") }
    return addresses
}
