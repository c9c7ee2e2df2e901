import Dispatch
import TestSupport
import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunVOD

@Suite struct CallbackTests {
    /// What a callback was told, with the chance to wait for it.
    private final class Calls: Sendable {
        private let state = LockBox<[Result<VODUploadResult, VODUploadError>]>([])
        private let first = Gate()

        var all: [Result<VODUploadResult, VODUploadError>] { state.withLock { $0 } }
        var count: Int { all.count }
        var codes: [String?] {
            all.map { if case .failure(let error) = $0 { error.errorCode } else { nil } }
        }

        func add(_ result: Result<VODUploadResult, VODUploadError>) {
            state.withLock { $0.append(result) }
            first.open()
        }

        func arrived() async { await first.wait() }
    }

    /// Parts that hang until they are cut.
    private static func hanging(_ started: Tally) -> FakeOSS {
        FakeOSS { seen, _ in
            guard seen.operation == "UploadPart" else { return nil }
            started.add()
            try await waitForCancellation()
            return nil
        }
    }

    @Test func localUploaderLosesNoCallback() async throws {
        let fixture = try Fixture()
        let path = try fixture.file(count: 3 * Fixture.partSize)
        let calls = Calls()
        func begin() throws {
            let uploader = try fixture.uploader()
            uploader.uploadFile(path) { calls.add($0) }
        }
        try begin()
        await calls.arrived()
        guard case .success(let result)? = calls.all.first else {
            Issue.record("the upload failed: \(calls.all)")
            return
        }
        #expect(result.videoId == "video-1")
    }

    @Test func everyCallHasOneCallback() async throws {
        let attempts = LockBox<[String: Int]>([:])
        let oss = FakeOSS { seen, _ in
            guard seen.operation == "UploadPart" else { return nil }
            let count = attempts.withLock { attempts in
                attempts["\(seen.object) \(seen.part ?? 0)", default: 0] += 1
                return attempts["\(seen.object) \(seen.part ?? 0)"] ?? 0
            }
            return count <= 2 ? try .refusal(500, "InternalError") : nil
        }
        let fixture = try Fixture(oss: oss)
        let uploader = try fixture.uploader()
        let counts = LockBox<[Int: Int]>([:])
        let all = Tally(100)
        for number in 1...100 {
            let path =
                number.isMultiple(of: 4)
                ? "/nowhere/\(number).mp4" : try fixture.file("\(number).mp4", count: 2 * Fixture.partSize)
            uploader.uploadFile(path) { _ in
                counts.withLock { $0[number, default: 0] += 1 }
                all.add()
            }
        }
        await all.reached()
        await uploader.shutdown()
        #expect(counts.withLock { $0.values.allSatisfy { $0 == 1 } })
        #expect(counts.withLock { $0.count } == 100)
    }

    @Test func failureCallsBackOutsideOfTheCall() async throws {
        let fixture = try Fixture()
        let isInside = LockBox(true)
        let wasInside = LockBox<Bool?>(nil)
        let done = Gate()
        let begun = DispatchSemaphore(value: 0)
        try fixture.uploader().uploadFile("/nowhere") { _ in
            begun.wait()
            wasInside.withLock { $0 = isInside.withLock { $0 } }
            done.open()
        }
        isInside.withLock { $0 = false }
        begun.signal()
        await done.wait()
        #expect(wasInside.withLock { $0 } == false)
    }

    // MARK: Cancelling

    @Test func cancelPauses() async throws {
        let started = Tally(4)
        let fixture = try Fixture(oss: Self.hanging(started))
        let calls = Calls()
        let task = try fixture.uploader().uploadFile(try fixture.file(count: 8 * Fixture.partSize)) { calls.add($0) }
        await started.reached()
        task.cancel()
        task.cancel()
        await calls.arrived()
        task.cancel()
        #expect(calls.codes == ["FileAlreadyCancel"])
        #expect(fixture.records.count == 1)
        #expect(fixture.oss.count("AbortMultipartUpload") == 0)
    }

    @Test func cancelledTaskPausesAndThrowsCancellation() async throws {
        let started = Tally(1)
        let fixture = try Fixture(oss: Self.hanging(started))
        let path = try fixture.file(count: 8 * Fixture.partSize)
        let uploader = try fixture.uploader()
        let task = Task { try await uploader.uploadFile(path) }
        await started.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(fixture.records.count == 1)
    }

    @Test func taskThatIsCancelledAlreadySendsNothing() async throws {
        let fixture = try Fixture()
        let path = try fixture.file(count: 10)
        let uploader = try fixture.uploader()
        let task = Task {
            try? await waitForCancellation()
            return try await uploader.uploadFile(path)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(fixture.vod.asked.isEmpty)
    }

    @Test func hookAbortsAndLeavesNothing() async throws {
        let started = Tally(4)
        let fixture = try Fixture(oss: Self.hanging(started))
        let hook = TransferCancelHook()
        let task = try fixture.uploader().uploadTask(
            try fixture.file(count: 8 * Fixture.partSize), options: VODUploadOptions(cancelHook: hook))
        await started.reached()
        hook.cancel(abort: true)
        let error = await uploadError { _ = try await task.value }
        #expect(error?.errorCode == "FileAlreadyCancel")
        #expect(error?.underlying.code == .aborted)
        #expect(fixture.oss.openUploads.isEmpty)
        #expect(fixture.records.isEmpty)
    }

    @Test func cancelMayGiveTheUploadUp() async throws {
        let started = Tally(4)
        let fixture = try Fixture(oss: Self.hanging(started))
        let task = try fixture.uploader().uploadTask(try fixture.file(count: 8 * Fixture.partSize))
        await started.reached()
        task.cancel()
        task.cancel(abort: true)
        let error = await uploadError { _ = try await task.value }
        #expect(error?.errorCode == "FileAlreadyCancel")
        #expect(error?.underlying.code == .aborted)
        #expect(fixture.oss.openUploads.isEmpty)
        #expect(fixture.records.isEmpty)
    }

    @Test func hookServesOneUpload() async throws {
        let fixture = try Fixture()
        let hook = TransferCancelHook()
        let path = try fixture.file(count: 10)
        let uploader = try fixture.uploader()
        _ = try await uploader.uploadFile(path, options: VODUploadOptions(cancelHook: hook))
        let error = await uploadError {
            _ = try await uploader.uploadFile(path, options: VODUploadOptions(cancelHook: hook))
        }
        #expect(error?.errorCode == "InvalidArgument")
        #expect(error?.underlying.code == .cancelHookUsed)
        #expect(fixture.vod.asked.count == 1)
    }

    @Test func cancelFromOnProgress() async throws {
        let fixture = try Fixture()
        let task = Lazy<VODUploadTask>()
        let isSet = DispatchSemaphore(value: 0)
        let calls = Calls()
        let options = VODUploadOptions(onProgress: { percent, _, _ in
            guard percent < 1 else { return }
            isSet.wait()
            isSet.signal()
            task.value?.cancel()
        })
        let uploader = try fixture.uploader { $0.parallel = 1 }
        task.set(
            uploader.uploadFile(try fixture.file(count: 50 * Fixture.partSize), options: options) { calls.add($0) })
        isSet.signal()
        await calls.arrived()
        #expect(calls.count == 1)
    }

    // MARK: Disposing

    @Test func disposeEndsEveryUploadOnceBeforeItReturns() async throws {
        let started = Tally(40)
        let fixture = try Fixture(oss: Self.hanging(started))
        let uploader = try fixture.uploader()
        let all = (1...10).map { _ in Calls() }
        for (number, calls) in all.enumerated() {
            uploader.uploadFile(try fixture.file("\(number).mp4", count: 8 * Fixture.partSize)) { calls.add($0) }
        }
        await started.reached()
        uploader.dispose()
        #expect(all.allSatisfy { $0.codes == ["FileAlreadyCancel"] })
        await uploader.shutdown()
        #expect(all.allSatisfy { $0.count == 1 })
        #expect(fixture.records.count == 10)
        #expect(fixture.oss.state.withLock { $0.isShutDown })
    }

    @Test func noProgressAfterDispose() async throws {
        let isDisposed = LockBox(false)
        let late = LockBox(0)
        let first = Gate()
        let fixture = try Fixture()
        let options = VODUploadOptions(onProgress: { _, _, _ in
            first.open()
            if isDisposed.withLock({ $0 }) { late.withLock { $0 += 1 } }
        })
        let uploader = try fixture.uploader { $0.parallel = 1 }
        for number in 1...5 {
            uploader.uploadFile(
                try fixture.file("\(number).mp4", count: 40 * Fixture.partSize), options: options
            ) { _ in if isDisposed.withLock({ $0 }) { late.withLock { $0 += 1 } } }
        }
        await first.wait()
        uploader.dispose()
        isDisposed.withLock { $0 = true }
        await uploader.shutdown()
        #expect(late.withLock { $0 } == 0)
    }

    @Test func disposeInsideACallback() async throws {
        let started = Tally(4)
        let hanging = Self.hanging(started)
        let fixture = try Fixture(oss: hanging)
        let uploader = try fixture.uploader()
        let other = Calls()
        uploader.uploadFile(try fixture.file("other.mp4", count: 8 * Fixture.partSize)) { other.add($0) }
        await started.reached()
        let done = Gate()
        let othersInside = LockBox(-1)
        uploader.uploadFile(try fixture.file("small.mp4", count: 10)) { _ in
            uploader.dispose()
            uploader.dispose()
            othersInside.withLock { $0 = other.count }
            done.open()
        }
        await done.wait()
        #expect(othersInside.withLock { $0 } == 1)
        await uploader.shutdown()
        #expect(other.codes == ["FileAlreadyCancel"])
    }

    @Test func disposeInsideOnProgress() async throws {
        let fixture = try Fixture()
        let uploader = try fixture.uploader { $0.parallel = 1 }
        let calls = Calls()
        let inside = LockBox<[Int]>([])
        let options = VODUploadOptions(onProgress: { _, _, _ in
            uploader.dispose()
            inside.withLock { $0.append(calls.count) }
        })
        uploader.uploadFile(try fixture.file(count: 50 * Fixture.partSize), options: options) { calls.add($0) }
        await calls.arrived()
        await uploader.shutdown()
        #expect(calls.count == 1)
        // Told inside of dispose, which came back; and no progress after it.
        #expect(inside.withLock { $0 } == [1])
    }

    @Test func twoCallbacksDisposeAtTheSameTime() async throws {
        let fixture = try Fixture()
        let uploader = try fixture.uploader()
        let both = DispatchSemaphore(value: 0)
        let inside = Tally(2)
        let done = Tally(2)
        for name in ["1.mp4", "2.mp4"] {
            uploader.uploadFile(try fixture.file(name, count: 10)) { _ in
                // Each waits until the other is inside its callback, too.
                if inside.add() == 2 { both.signal() } else { both.wait() }
                uploader.dispose()
                done.add()
            }
        }
        await done.reached()
        #expect(done.value == 2)
    }

    @Test func disposeWaitsForACallbackThatRuns() async throws {
        let fixture = try Fixture()
        let uploader = try fixture.uploader()
        let running = Gate()
        let release = DispatchSemaphore(value: 0)
        let hasReturned = LockBox(false)
        uploader.uploadFile(try fixture.file(count: 10)) { _ in
            running.open()
            release.wait()
            hasReturned.withLock { $0 = true }
        }
        await running.wait()
        let disposed = OneResult<Bool>()
        DispatchQueue.global().async {
            uploader.dispose()
            disposed.set(hasReturned.withLock { $0 })
        }
        release.signal()
        #expect(await disposed.value())
    }

    /// A call beside `dispose` is one that came before it, or one that came after: told once in either case.
    @Test func disposeWhileUploadsBegin() async throws {
        let fixture = try Fixture()
        let uploader = try fixture.uploader()
        let path = try fixture.file(count: 10)
        let counts = LockBox<[Int: Int]>([:])
        let all = Tally(60)
        await withTaskGroup(of: Void.self) { group in
            for number in 1...60 {
                group.addTask {
                    uploader.uploadFile(path) { _ in
                        counts.withLock { $0[number, default: 0] += 1 }
                        all.add()
                    }
                }
                if number == 30 { group.addTask { uploader.dispose() } }
            }
        }
        await all.reached()
        await uploader.shutdown()
        #expect(counts.withLock { $0.count } == 60)
        #expect(counts.withLock { $0.values.allSatisfy { $0 == 1 } })
        #expect(uploader.core.registry.running.isEmpty)
    }

    @Test func laterCallsFail() async throws {
        let fixture = try Fixture()
        let uploader = try fixture.uploader()
        uploader.dispose()
        let path = try fixture.file(count: 10)
        let error = await uploadError { _ = try await uploader.uploadFile(path) }
        #expect(error?.errorCode == "FileAlreadyCancel")
        #expect(error?.underlying.code == .disposed)
        let calls = Calls()
        uploader.uploadFile(path) { calls.add($0) }
        await calls.arrived()
        #expect(calls.codes == ["FileAlreadyCancel"])
        #expect(fixture.vod.asked.isEmpty)
    }

    @Test func shutdownWaitsForAnObjectThatIsBeingCompleted() async throws {
        let completing = Gate()
        let goOn = Gate()
        let oss = FakeOSS { seen, _ in
            guard seen.operation == "CompleteMultipartUpload" else { return nil }
            completing.open()
            await goOn.wait()
            return nil
        }
        let fixture = try Fixture(oss: oss)
        let uploader = try fixture.uploader()
        let task = uploader.uploadTask(try fixture.file(count: 3 * Fixture.partSize))
        await completing.wait()
        let shutdown = Task { await uploader.shutdown() }
        goOn.open()
        await shutdown.value
        #expect(try await task.value.videoId == "video-1")
    }
}

/// A value that comes once, awaited by one.
private final class OneResult<Value: Sendable>: Sendable {
    private let gate = Gate()
    private let box = LockBox<Value?>(nil)

    func set(_ value: Value) {
        box.withLock { $0 = value }
        gate.open()
    }

    func value() async -> Value {
        while true {
            await gate.wait()
            if let value = box.withLock({ $0 }) { return value }
        }
    }
}
