import TransferPrimitives

extension ServiceClient {
    /// The retry layer: one attempt after the other, with repairs and pauses between them.
    func retrying<Output: Sendable>(
        _ operation: ServiceOperation, _ attempts: inout Int, _ build: @Sendable (ServiceAccess) throws -> HTTPRequest,
        _ decode: @Sendable (HTTPResponse) throws -> Output
    ) async throws -> Output {
        var state = RetryState(policy, isIdempotent: operation.isIdempotent)
        var attempt = Attempt(operation: operation)
        defer { attempts = attempt.number }
        /// What the last attempt came to: the answer to everybody who does not want another.
        var last: (any Error)?
        while true {
            do {
                return try await limited(&attempt, build, decode)
            } catch {
                switch try step(after: error, &state, &attempt, &last) {
                case .fail: throw attempt.numbered(error)
                case .wait(let pause):
                    do {
                        try await StopSignal.waiting { [clock] in try await clock.sleep(for: pause) }
                    } catch {
                        throw Task.isCancelled ? error : last ?? error
                    }
                case .reconnect: attempt.needsFreshConnection = true
                case .adjustClock: break
                case .refreshCredentials:
                    guard let lease = attempt.lease else { throw attempt.numbered(error) }
                    access.invalidate(lease.generation)
                    // The same credentials would be refused again. What the service said tells more than that there are no
                    // others.
                    guard try await renewed(lease) else { throw attempt.numbered(error) }
                }
                try Task.checkCancellation()
            }
        }
    }

    /// What comes after an attempt that ended with `error`; throws where nothing can.
    ///
    /// Apart from the loop, so that a task keeps no room for it while its request runs.
    @inline(never) private func step(
        after error: any Error, _ state: inout RetryState, _ attempt: inout Attempt, _ last: inout (any Error)?
    ) throws -> RetryState.Step {
        guard let failure = attempt.facts(of: error) else { throw Task.isCancelled ? error : last ?? error }
        attempt.mayHaveActed = attempt.mayHaveActed || failure.mayHaveActed
        last = attempt.numbered(error)
        let step = state.step(after: failure, at: clock.uptime, random: random)
        switch step {
        case .fail:
            // A corrected clock that the service refuses too was corrected wrongly.
            if failure.advice == .adjustClock { clock.forget() }
        case .adjustClock:
            // Also when the clock turns out to be right: the request may have taken long to arrive, or have met one server
            // of many whose own is wrong. Where no time was told, another request may have learnt it.
            let isTold = (error as? ServiceFailure)?.serverTime.map { clock.learn($0) } ?? false
            return isTold || abs(clock.ahead - attempt.ahead) >= 1 ? step : .fail
        case .wait, .reconnect, .refreshCredentials: break
        }
        return step
    }

    /// Whether there are other credentials now than those of `lease`.
    private func renewed(_ lease: AccessCache.Lease) async throws -> Bool {
        do {
            return try await StopSignal.waiting { [access] in try await access.access() }.access != lease.access
        } catch CredentialsFailure.exhausted {
            return false
        }
    }

    /// The limit layer: holds a permit while an attempt runs, and tells the limiter how the service copes.
    private func limited<Output: Sendable>(
        _ attempt: inout Attempt, _ build: @Sendable (ServiceAccess) throws -> HTTPRequest,
        _ decode: @Sendable (HTTPResponse) throws -> Output
    ) async throws -> Output {
        let permit = try await StopSignal.waiting(unless: limiter.tryAcquire()) { [limiter] in
            try await limiter.acquire()
        }
        do {
            let output = try await perform(&attempt, build, decode)
            limiter.release(permit, .succeeded)
            return output
        } catch {
            throw released(permit, after: error)
        }
    }

    @inline(never) private func released(_ permit: ConcurrencyLimiter.Permit, after error: any Error) -> any Error {
        var error = error
        // Some services have no better word for crowding. What this client's own requests did to each other is no fault of
        // any of them, and fewer at once can help.
        if var failure = error as? ServiceFailure, failure.status == 503, failure.retry == .backoff,
            limiter.wasShared(permit)
        {
            failure.retry = .throttled
            error = failure
        }
        limiter.release(permit, (error as? ServiceFailure)?.retry == .throttled ? .throttled : .unknown)
        return error
    }
}
