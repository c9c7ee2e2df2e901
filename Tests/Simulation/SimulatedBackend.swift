import TransferCore
import TransferHTTP
import TransferPrimitives

/// The backend of one call: its attempts, and the credentials that its process keeps.
///
/// It repeats as the HTTP layers do: a few times, between pauses that a stop ends, with fresh credentials where they were refused.
struct SimulatedBackend: CopyBackend, ReadableBackend {
    let service: SimulatedService
    let process: SimulatedProcess
    let clock: SimulatedClock
    let cache: AccessCache
    let access: SimulatedAccess
    let checks: CallChecks
    let maxAttempts: Int

    let provider = "simulated"
    var capabilities: BackendCapabilities {
        BackendCapabilities(
            parts: .init(minimumSize: 1, maximumSize: 64, maximumCount: 60, defaultSize: 4),
            largestPut: 1 << 20, largestCopy: 1 << 20, checksums: service.traits.tellsChecksums ? [.crc64] : [],
            mayDenyHead: service.traits.deniesHead, mayDenyListParts: service.traits.deniesListing,
            honoursCopyPreconditions: service.traits.honoursPreconditions)
    }

    private var world: World { service.world }

    // MARK: The steps

    func headObject(_ object: ObjectLocation) async throws -> ObjectInfo {
        guard case .info(let info) = try await repeating({ .head(object) }) else { throw Self.unexpected }
        return info
    }

    func putObject(
        _ body: PartBody, at target: ObjectLocation, options: ObjectOptions
    ) async throws -> TransferReceipt {
        let sent = Sent()
        let answer = try await repeating {
            let bytes = try await read(body, part: 1)
            sent.bytes = bytes
            return .put(target, bytes)
        }
        guard case .receipt(var receipt) = answer else { throw Self.unexpected }
        receipt.verification = SimulatedService.checksums(sent.bytes) == receipt.checksums ? .crc64 : .none
        return receipt
    }

    func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, ifMatch: ETag?, options: ObjectOptions
    ) async throws -> TransferReceipt {
        guard case .receipt(let receipt) = try await repeating({ .copy(source, to: target, ifMatch: ifMatch) }) else {
            throw Self.unexpected
        }
        return receipt
    }

    func createMultipartUpload(
        at target: ObjectLocation, options: ObjectOptions
    ) async throws -> MultipartUpload {
        guard case .upload(let id) = try await repeating({ .create(target) }) else { throw Self.unexpected }
        return MultipartUpload(id: id, target: target, options: options)
    }

    func uploadPart(_ number: Int, of upload: MultipartUpload, body: PartBody) async throws -> CompletedPart {
        let sent = Sent()
        let answer = try await repeating {
            let bytes = try await read(body, part: number)
            sent.bytes = bytes
            return .part(number, upload: upload.id, bytes)
        }
        guard case .part(var part) = answer else { throw Self.unexpected }
        let own = SimulatedService.checksums(sent.bytes)
        if part.isConfirmed, part.checksums != own {
            throw TransferError(.checksumMismatch, "part \(number) arrived damaged")
        }
        part.checksums = own
        return part
    }

    func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange, ifMatch: ETag?
    ) async throws -> CompletedPart {
        let answer = try await repeating {
            .copyPart(number, upload: upload.id, from: source, range, ifMatch: ifMatch)
        }
        guard case .part(let part) = answer else { throw Self.unexpected }
        return part
    }

    func listParts(of upload: MultipartUpload) async throws -> [CompletedPart] {
        guard case .parts(let parts) = try await repeating({ .list(upload: upload.id) }) else { throw Self.unexpected }
        return parts
    }

    func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) async throws -> TransferReceipt {
        guard case .receipt(let receipt) = try await repeating({ .complete(upload: upload.id, parts) }) else {
            throw Self.unexpected
        }
        return receipt
    }

    func abortMultipartUpload(_ upload: MultipartUpload) async throws {
        do {
            _ = try await repeating { .abort(upload: upload.id) }
        } catch let error as TransferError where error.code == .uploadNotFound {
        }
    }

    func getObject(
        _ object: ObjectLocation, range: ByteRange?, ifMatch: ETag?, into sink: some PartSink
    ) async throws -> ObjectInfo {
        guard let range else { throw Self.unexpected }
        let answer = try await repeating {
            .get(object, range, ifMatch: ifMatch)
        } receiving: { answer in
            guard case .bytes(let bytes, _) = answer else { throw Self.unexpected }
            try await deliver(bytes, at: range.offset, into: sink)
        }
        guard case .bytes(_, let info) = answer else { throw Self.unexpected }
        return info
    }

    private static var unexpected: TransferError { TransferError(.malformedResponse, "another answer") }

    // MARK: Bodies

    /// What an attempt sent.
    private final class Sent: @unchecked Sendable {
        var bytes: [UInt8] = []
    }

    /// Reads a body piece by piece, as a transport does.
    private func read(_ body: PartBody, part: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while UInt64(bytes.count) < body.length {
            if world.random.chance(40) { try await clock.sleep(for: world.random.milliseconds(0...120)) }
            try Task.checkCancellation()
            var piece = [UInt8](repeating: 0, count: Int.random(in: 1...8, using: &world.random))
            checks.moves(part, to: min(body.length, UInt64(bytes.count + piece.count)))
            let count = try piece.withUnsafeMutableBytes { try body.read(at: UInt64(bytes.count), into: $0) }
            guard count > 0 else { throw TransferError(.lengthMismatch, "the body is shorter than it said") }
            bytes += piece[..<count]
        }
        return bytes
    }

    private func deliver(_ bytes: [UInt8], at offset: UInt64, into sink: some PartSink) async throws {
        let breaks = world.random.chance(world.troubles.request / 2)
        var done = 0
        while done < bytes.count {
            if world.random.chance(40) { try await clock.sleep(for: world.random.milliseconds(0...120)) }
            try Task.checkCancellation()
            if breaks, world.random.chance(30) {
                world.note(.bodyBroken)
                throw TransferError(.connectionFailed, "broken in mid-body", retry: .backoff)
            }
            let piece = bytes[done..<min(bytes.count, done + Int.random(in: 1...8, using: &world.random))]
            checks.receives(at: offset, to: UInt64(done + piece.count))
            try Array(piece).withUnsafeBytes { try sink.write($0, at: offset + UInt64(done)) }
            done += piece.count
        }
    }

    // MARK: Attempts

    private func repeating(
        _ build: @Sendable () async throws -> ServiceRequest,
        receiving: @Sendable (ServiceAnswer) async throws -> Void = { _ in }
    ) async throws -> ServiceAnswer {
        var attempts = 0
        var repairs = 0
        var mayHaveActed = false
        var isIdempotent = true
        var last: TransferError?
        while true {
            let lease: AccessCache.Lease
            do {
                lease = try await StopSignal.waiting(unless: cache.held()) { [cache] in try await cache.access() }
            } catch let failure as CredentialsFailure {
                var error = TransferError(.credentialsUnavailable, "\(failure)", attempts: attempts)
                error.isWithoutEffect = !mayHaveActed
                throw error
            } catch {
                throw Task.isCancelled ? error : last ?? error
            }
            attempts += 1
            do {
                let request = try await build()
                isIdempotent = request.isIdempotent
                let answer = try await send(request, key: lease.access.credentials.accessKey, &mayHaveActed)
                try await receiving(answer)
                return answer
            } catch var error as TransferError {
                error.attempts = attempts
                error.isWithoutEffect = !mayHaveActed
                if error.code == .credentialsExpired, repairs < 2 {
                    repairs += 1
                    last = error
                    access.refused(lease.access.credentials.accessKey)
                    cache.invalidate(lease.generation)
                    continue
                }
                guard error.retry == .backoff, attempts < maxAttempts, isIdempotent || !mayHaveActed else {
                    throw error
                }
                last = error
                let pause = world.random.milliseconds(1...1_500)
                do {
                    try await StopSignal.waiting { [clock] in try await clock.sleep(for: pause) }
                } catch let stopped {
                    throw Task.isCancelled ? stopped : error
                }
            }
        }
    }

    private func send(_ request: ServiceRequest, key: String, _ mayHaveActed: inout Bool) async throws -> ServiceAnswer
    {
        try Task.checkCancellation()
        let (world, service, checks) = (world, service, checks)
        if !process.isDead { checks.sends(request) }
        let flight = Flight(of: request, in: world, traits: service.traits)
        let revokes = world.random.chance(world.troubles.credentials / 4)
        // A refusal that arrives says that nothing was done.
        if flight.mayHaveActed { mayHaveActed = true }
        do {
            let answer: ServiceAnswer = try await world.wait(in: process) { resume in
                let outcome = Outcome()
                if let performed = flight.performed {
                    service.arrives(request, 1)
                    world.scheduler.after(performed) {
                        service.arrives(request, -1)
                        if revokes {
                            world.note(.credentialsRevoked)
                            service.revoke(key)
                        }
                        outcome.result = service.perform(
                            request, key: key, call: checks.number, damages: flight.damages)
                        world.trace("service performs \(request.label): \(outcome.label)")
                    }
                }
                world.scheduler.after(flight.answered) {
                    resume(flight.failure.map { .failure($0) } ?? outcome.answer)
                }
                return nil
            }
            checks.hears(answer, to: request)
            return answer
        } catch {
            checks.hears(error, to: request)
            throw error
        }
    }

    private final class Outcome: @unchecked Sendable {
        var result: Result<ServiceAnswer, TransferError>?
        var answer: Result<ServiceAnswer, any Error> {
            switch result {
            case .success(let answer)?: .success(answer)
            case .failure(let error)?: .failure(error)
            case nil: .failure(TransferError(.timedOut, "no answer", retry: .backoff))
            }
        }
        var label: String {
            switch result {
            case .success?: "done"
            case .failure(let error)?: "\(error.code)"
            case nil: "nothing"
            }
        }
    }
}
