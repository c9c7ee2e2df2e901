internal import TransferCore
internal import TransferPrimitives

extension Requirement {
    static let cancellation: [Requirement] = [
        Requirement("cancellation: a task that is cancelled already begins nothing") { bench in
            let content = GeneratedSource(seed: 1, length: 100)
            let object = bench.location("never")
            let upload = try await bench.create(at: bench.location("upload"))
            let backend = bench.backend
            let steps: [(String, @Sendable () async throws -> Void)] = [
                ("HEAD", { _ = try await backend.headObject(object) }),
                ("a put", { _ = try await bench.put(content, at: object) }),
                (
                    "Create",
                    { bench.note(try await backend.createMultipartUpload(at: object, options: ObjectOptions())) }
                ),
                ("a part", { _ = try await backend.uploadPart(1, of: upload, body: PartBody(content)) }),
                ("a listing", { _ = try await backend.listParts(of: upload) }),
            ]
            for (name, step) in steps {
                try await expectCancellation(of: "\(name) in a task that is cancelled") {
                    try await Task {
                        withUnsafeCurrentTask { $0?.cancel() }
                        try await step()
                    }.value
                }
            }
            try await bench.expectMissing(object, "whose task was cancelled")
            try expectEqual(try await bench.list(upload), [], "the list of parts, of which one was cancelled,")
        },
        Requirement("cancellation: a put under way ends, and stores nothing") { bench in
            let object = bench.location("cut")
            try await bench.expectCut("a put") { body in
                _ = try await bench.backend.putObject(body, at: object, options: ObjectOptions())
            }
            try await bench.expectMissing(object, "whose put was cancelled")
        },
        Requirement("cancellation: a part under way ends, and the upload goes on") { bench in
            let object = bench.location("cut")
            let upload = try await bench.create(at: object)
            try await bench.expectCut("a part") { body in
                _ = try await bench.backend.uploadPart(1, of: upload, body: body)
            }
            let content = bench.content(wholeParts: 0)
            let part = try await bench.send(1, of: upload, content)
            _ = try await bench.backend.completeMultipartUpload(upload, parts: [part])
            try await bench.expectObject(at: object, is: content)
        },
        Requirement("cancellation: a read under way ends", needs: .isReadable) { bench in
            // What is on its way may come in one piece before the backend notices: an end that came too soon is tried again with
            // more than any buffer holds.
            for size in [1 << 20, 16 << 20, 128 << 20] as [UInt64] {
                if try await bench.isCut(size: size) { return }
            }
            throw Unmet(reason: "a read whose task was cancelled at its first bytes should throw CancellationError")
        },
    ]
}

extension Bench {
    /// Expects a request to end that is cancelled at the first byte it reads. From then on it gets one byte at a time, so
    /// that it cannot come to its end before it has noticed.
    fileprivate func expectCut(
        _ what: String, _ request: @escaping @Sendable (PartBody) async throws -> Void
    ) async throws {
        let trigger = CancelTrigger()
        let content = GeneratedSource(
            seed: 1, length: min(backend.capabilities.largestPut, limits.maximumSize, 512 << 10))
        let source = AwkwardSource(content: content, stride: 1) { _ in trigger.pull() }
        try await expectCancellation(of: "\(what) whose task was cancelled at its first byte") {
            try await trigger.run { try await request(PartBody(source)) }
        }
    }

    /// Whether a read that is cancelled at its first bytes ends with `CancellationError`; false where it brings all bytes.
    fileprivate func isCut(size: UInt64) async throws -> Bool {
        let object = location("cut-\(size)")
        let content = GeneratedSource(seed: 2, length: min(backend.capabilities.largestPut, size))
        try await put(content, at: object)
        let trigger = CancelTrigger()
        let sink = HookedSink { trigger.pull() }
        do {
            try await trigger.run { _ = try await reading().getObject(object, range: nil, ifMatch: nil, into: sink) }
            return false
        } catch is CancellationError {
            return true
        }
    }
}

/// Cancels a task from within what it does.
private final class CancelTrigger: Sendable {
    private struct State {
        var task: Task<Void, any Error>?
        var isPulled = false
    }

    private let state = LockBox(State())

    /// Runs `body` in a task of its own.
    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task(operation: body)
        let isPulled = state.withLock { state in
            state.task = task
            return state.isPulled
        }
        if isPulled { task.cancel() }
        try await task.value
    }

    /// Only the first pull counts.
    func pull() {
        let task = state.withLock { state -> Task<Void, any Error>? in
            if state.isPulled { return nil }
            state.isPulled = true
            return state.task
        }
        task?.cancel()
    }
}
