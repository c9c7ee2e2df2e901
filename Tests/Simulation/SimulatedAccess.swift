import TransferHTTP
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Hands out keys that end, over the library's own cache of them; sees to it that nobody asks for what is there.
final class SimulatedAccess: AccessProvider, @unchecked Sendable {
    private let service: SimulatedService
    private let process: SimulatedProcess
    private let clock: SimulatedClock
    private var isAsked = false
    /// What was handed out last, and was not refused.
    private var given: (key: String, renews: Duration)?

    init(service: SimulatedService, process: SimulatedProcess) {
        self.service = service
        self.process = process
        clock = SimulatedClock(world: service.world, process: process)
    }

    /// The service refused a key.
    func refused(_ key: String) { if given?.key == key { given = nil } }

    func access() async throws -> ServiceAccess {
        let world = service.world
        if !process.isDead {
            if isAsked { world.violation("credentials are asked for while they are being asked for") }
            if let given, world.now < given.renews {
                world.violation("credentials are asked for while \(given.key) is good and was not refused")
            }
        }
        isAsked = true
        defer { isAsked = false }
        try await clock.sleep(for: world.random.milliseconds(0...200))
        let strikes = world.random.chance(world.troubles.credentials)
        if strikes, world.random.chance(50) {
            world.note(.credentialsRefused)
            throw Failure.refused
        }
        let life = Duration.seconds(Int.random(in: 5...60, using: &world.random))
        let key = service.newKey(life: life)
        let handedOut = world.now
        try await clock.sleep(for: world.random.milliseconds(0...200))
        if strikes {
            world.note(.credentialsLost)
            throw Failure.lost
        }
        let end = clock.now.addingTimeInterval((handedOut + life - world.now) / .seconds(1))
        let rest = handedOut + life - world.now
        given = (key, world.now + rest - min(.seconds(60), rest / 10) - .milliseconds(1))
        let endpoint = try HTTPEndpoint(parsing: "http://service.invalid")
        return ServiceAccess(
            credentials: Credentials(accessKey: key, secretKey: "secret", securityToken: "token", expiration: end),
            endpoint: endpoint)
    }

    private enum Failure: Error { case refused, lost }
}
