import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCurl

private final class CountingResolver: HostResolver {
    private let count = LockBox(0)
    var calls: Int { count.withLock { $0 } }
    func addresses(of host: String) async throws -> [String] {
        let call = count.withLock { count in
            count += 1
            return count
        }
        return ["10.0.0.\(call)"]
    }
}

@Suite struct HostCacheTests {
    private let resolver = CountingResolver()
    private let clock = ManualClock()

    private func cache() -> HostCache {
        HostCache(resolver, lifetime: .seconds(60), timeout: .seconds(10), clock: clock)
    }

    @Test func keepsAddressesForTheirTime() async throws {
        let cache = cache()
        #expect(try await cache.addresses(of: "h") == ["10.0.0.1"])
        clock.advance(by: .seconds(59))
        #expect(try await cache.addresses(of: "h") == ["10.0.0.1"])
        clock.advance(by: .seconds(1))
        #expect(try await cache.addresses(of: "h") == ["10.0.0.2"])
    }

    @Test func forgetsOnDemand() async throws {
        let cache = cache()
        #expect(try await cache.addresses(of: "h") == ["10.0.0.1"])
        cache.forget("h")
        #expect(try await cache.addresses(of: "h") == ["10.0.0.2"])
    }

    @Test func isBounded() async throws {
        let cache = cache()
        for number in 0..<1000 { _ = try await cache.addresses(of: "h\(number)") }
        #expect(resolver.calls == 1000)
        _ = try await cache.addresses(of: "h999")
        #expect(resolver.calls == 1000)
        #expect(cache.count <= 256)
    }
}
