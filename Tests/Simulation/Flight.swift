import TransferCore
import TransferPrimitives

/// What becomes of one request: when the service performs it, if it does, and what its sender hears, if anything.
struct Flight {
    /// Nil: it never reaches the service.
    var performed: Duration?
    var answered: Duration
    /// Nil: the service's answer arrives.
    var failure: TransferError?
    var damages = false

    /// Whether the sender has to reckon with the service having acted on it.
    var mayHaveActed: Bool {
        failure.map { ![.hostNotFound, .throttled, .accessDenied].contains($0.code) } ?? false
    }

    init(of request: ServiceRequest, in world: World, traits: ServiceTraits) {
        let way = world.random.chance(85) ? world.random.milliseconds(0...40) : world.random.milliseconds(0...4_000)
        let back = world.random.milliseconds(0...40)
        performed = way
        answered = way + back
        guard world.random.chance(world.troubles.request) else { return }
        switch Int.random(in: 0..<13, using: &world.random) {
        case 0:
            lose(.hostNotFound, .unreachable, in: world)
        case 1:
            lose(.connectionFailed, .requestLost, in: world)
        case 2, 3:
            fail(.connectionFailed, .answerLost, in: world)
        case 4:
            fail(.timedOut, .appliedLate, in: world)
            performed = answered + world.random.milliseconds(1...20_000)
        case 5:
            lose(.serviceUnavailable, .refused, in: world)
        case 6:
            fail(.serviceUnavailable, .performedAndRefused, in: world)
        case 7:
            lose(.throttled, .throttled, in: world)
        case 8:
            fail(.malformedResponse, .garbledAnswer, in: world)
        case 9:
            fail(.timedOut, .silence, in: world)
            answered += .seconds(60)
            if world.random.chance(50) { performed = nil }
        case 10:
            guard Self.canBeDamaged(request, traits) else { return }
            world.note(.damagedBody)
            damages = true
        case 11:
            guard request.partNumber != nil, world.random.chance(30) else { return }
            lose(.accessDenied, .denied, in: world)
        default:
            // A request that only waits long.
            answered += world.random.milliseconds(0...15_000)
        }
    }

    private mutating func fail(_ code: TransferError.Code, _ fault: Fault, in world: World) {
        world.note(fault)
        failure = TransferError(code, fault.rawValue, retry: .backoff)
    }

    private mutating func lose(_ code: TransferError.Code, _ fault: Fault, in world: World) {
        fail(code, fault, in: world)
        if code == .accessDenied { failure?.retry = .never }
        performed = nil
    }

    /// Where the service tells a checksum, damage is found out.
    private static func canBeDamaged(_ request: ServiceRequest, _ traits: ServiceTraits) -> Bool {
        switch request {
        case .part(_, _, let bytes): !bytes.isEmpty && traits.tellsPartChecksums
        case .get: traits.tellsChecksums
        default: false
        }
    }
}
