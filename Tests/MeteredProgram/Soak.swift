import ObjectTransfer

/// Uploads of one file to keys of their own, so many at a time, by one client, for as long as asked for. Some are paused, some given
/// up; the server fails others. After each lap, when none runs, the figures of the process are printed:
///
///     lap NUMBER files COUNT sockets COUNT threads COUNT memory KIB done COUNT CODE COUNT…
///
/// At last each is brought to its end, the client is shut down, and `left` tells how many descriptors and threads there are more than
/// before the client was made.
struct Soak {
    let file: String
    let records: String
    let uploads: Int
    let client: OSSClient

    /// How long uploads are begun anew before the figures are taken.
    private static let lapTime = Duration.seconds(5)

    init(directory: String, uploads: Int) throws {
        file = directory + "/film"
        records = directory + "/records/"
        self.uploads = uploads
        client = try MeteredProgram.client {
            $0.transport.idleTimeout = .milliseconds(500)
            $0.copyIdleTimeout = .milliseconds(500)
            $0.retryPolicy.maxDelay = .milliseconds(50)
        }
    }

    static func run(directory: String, seconds: Int, uploads: Int) async throws {
        // What the language's runtime and libraries make once is made before the measurement.
        let first = try Soak(directory: directory, uploads: uploads)
        _ = await first.lap()
        try await first.finish()
        await first.client.shutdown()
        let (descriptors, threads) = (ProcessFigures.descriptors.count, ProcessFigures.threads)

        let soak = try Soak(directory: directory, uploads: uploads)
        let end = ContinuousClock.now + .seconds(seconds)
        for number in 1... {
            guard ContinuousClock.now < end else { break }
            let outcomes = await soak.lap()
            try await soak.settle()
            let open = ProcessFigures.descriptors
            MeteredProgram.say(
                "lap",
                "\(number) files \(open.count { $0.hasPrefix(directory) }) sockets \(open.count { $0.hasPrefix("socket:") })"
                    + " threads \(ProcessFigures.threads) memory \(ProcessFigures.memory) "
                    + outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " "))
        }
        try await soak.finish()
        await soak.client.shutdown()
        // Threads end by themselves, a moment later.
        try await waitUntil { ProcessFigures.threads <= threads && ProcessFigures.descriptors.count <= descriptors }
        MeteredProgram.say(
            "left", max(0, ProcessFigures.threads - threads) + max(0, ProcessFigures.descriptors.count - descriptors))
    }

    /// Counts of how uploads ended, by their codes.
    private func lap() async -> [String: Int] {
        let end = ContinuousClock.now + Self.lapTime
        return await withTaskGroup(of: [String: Int].self) { group in
            for lane in 0..<uploads {
                group.addTask {
                    var outcomes: [String: Int] = [:]
                    while ContinuousClock.now < end { outcomes[await upload(lane, disturbed: true), default: 0] += 1 }
                    return outcomes
                }
            }
            return await group.reduce(into: [:]) { all, outcomes in all.merge(outcomes, uniquingKeysWith: +) }
        }
    }

    /// Uploads what is not yet there, however often that takes.
    private func finish() async throws {
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<uploads {
                group.addTask { while await upload(lane, disturbed: false) != "done" {} }
            }
        }
        try await settle()
    }

    /// The task behind a transfer lets go of its file as it ends, which is a moment after its result is there.
    private func settle() async throws {
        try await Self.waitUntil {
            !ProcessFigures.descriptors.contains { $0.hasPrefix(file) || $0.hasPrefix(records) }
        }
    }

    /// Gives up after ten seconds: the figures then tell what has not gone.
    private static func waitUntil(_ isGone: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(10)
        while !isGone(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
    }

    private func upload(_ lane: Int, disturbed: Bool) async -> String {
        let hook = TransferCancelHook()
        var input = OSSUploadFileInput(bucket: MeteredProgram.bucket, key: "lane-\(lane)", filePath: file)
        input.partSize = 100 << 10
        input.parallel = 3
        input.enableCheckpoint = true
        input.checkpointFile = records
        input.maxRetryCount = 2
        input.cancelHook = hook
        if disturbed {
            // Of ten uploads two are paused and one is given up, after so many parts.
            let (fate, moment) = (Int.random(in: 0..<10), Int.random(in: 1...20))
            let parts = PartCounter()
            input.onEvent = { event in
                guard case .partCompleted = event, parts.next() == moment else { return }
                switch fate {
                case 0, 1: hook.cancel()
                case 2: hook.cancel(abort: true)
                default: break
                }
            }
        }
        do {
            _ = try await client.uploadFile(input)
            return "done"
        } catch let error as TransferError {
            return error.code.rawValue
        } catch {
            return "other"
        }
    }
}

/// Sendable by hand: the listener of a transfer is called once at a time.
private final class PartCounter: @unchecked Sendable {
    private var count = 0
    func next() -> Int {
        count += 1
        return count
    }
}
