import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import Testing
import TransferPrimitives

/// The table of spec section 6.8: pause and abort at every stage.
@Suite("TOS specification 11.2, check 5: events and checkpoint in each row of 6.8")
struct CopyCancelTests {
    private let twelve = 12 * UInt64(CopyFixture.partSize)

    // MARK: Pause

    @Test func `a pause keeps checkpoint and parts, and the next call copies only the rest`() async throws {
        let fixture = try await CopyFixture(size: twelve)
        let hook = TOSCancelHook()
        let events = EventLog()
        var input = fixture.input(events)
        input.taskNum = 3
        input.pauseGrace = .seconds(20)
        input.cancelHook = hook
        // Called from inside the listener.
        input.copyEventListener = { event in
            events.append(event)
            if event.copyPartInfo?.partNumber == 5 { hook.cancel() }
        }
        let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(error?.code == .paused)
        #expect(error?.uploadID == fixture.server.storage.uploads.first?.id)
        #expect(events.turns == [1, 5])
        let done = fixture.storedParts.count
        #expect(done >= 5 && done < 12)
        let pending = try await FileCheckpointStore(path: fixture.checkpoint).pending()
        #expect(pending.first?.partsDone == done)
        #expect(pending.first?.uploadID == error?.uploadID)
        #expect(fixture.server.wireLog.count(of: .abortMultipartUpload) == 0)

        let again = EventLog()
        let client = try CopyFixture.client(of: fixture.server)
        let output = try await client.resumableCopyObject(fixture.input(again))
        #expect(output.uploadID == error?.uploadID)
        #expect(again.types == Array(repeating: 3, count: 12 - done) + [6])
        #expect(again.all.allSatisfy { $0.uploadID == error?.uploadID })
        #expect(fixture.storedParts.values.allSatisfy { $0 == 1 })
        #expect(fixture.server.wireLog.count(of: .createMultipartUpload) == 1)
        #expect(fixture.isCopied)
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `without grace a pause cuts what is under way at once`() async throws {
        let fixture = try await CopyFixture(size: 16 * UInt64(CopyFixture.partSize))
        let held = fixture.server.faults.add(.on(.uploadPartCopy), .hold)
        let hook = TOSCancelHook()
        let events = EventLog()
        var input = fixture.input(events)
        input.taskNum = 16
        input.cancelHook = hook
        let copy = try fixture.client.startResumableCopyObject(input)
        try await held.waitUntilHeld(16)
        hook.cancel()
        let error = await failure { _ = try await copy.value }
        #expect(error?.code == .paused)
        #expect(held.heldCount <= 16)
        #expect(events.types == [1, 5])
        #expect(fixture.hasCheckpoint)
        held.remove()

        _ = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(fixture.isCopied)
        #expect(fixture.server.wireLog.count(of: .createMultipartUpload) == 1)
    }

    @Test func `parts that end within the grace are recorded`() async throws {
        let fixture = try await CopyFixture(size: twelve)
        let held = fixture.server.faults.add(.on(.uploadPartCopy), .hold)
        let hook = TOSCancelHook()
        let events = EventLog()
        var input = fixture.input(events)
        input.taskNum = 4
        input.pauseGrace = .seconds(20)
        input.cancelHook = hook
        input.copyEventListener = { event in
            events.append(event)
            if event.type == .uploadPartCopyAborted { held.release() }
        }
        let copy = try fixture.client.startResumableCopyObject(input)
        try await held.waitUntilHeld(4)
        hook.cancel()
        let error = await failure { _ = try await copy.value }
        #expect(error?.code == .paused)
        #expect(events.types.sorted() == [1, 3, 3, 3, 3, 5])
        #expect(fixture.storedParts.count == 4)
        let pending = try await FileCheckpointStore(path: fixture.checkpoint).pending()
        #expect(pending.first?.partsDone == 4)
    }

    @Test func `a pause without a checkpoint leaves nothing behind`() async throws {
        let fixture = try await CopyFixture(size: twelve)
        let hook = TOSCancelHook()
        let events = EventLog()
        var input = fixture.input(events)
        input.enableCheckpoint = false
        input.cancelHook = hook
        input.copyEventListener = { event in
            events.append(event)
            if event.copyPartInfo?.partNumber == 2 { hook.cancel() }
        }
        let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(error?.code == .paused)
        #expect(fixture.server.storage.uploads.isEmpty)
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `cancelling the task pauses, and is a cancellation`() async throws {
        let fixture = try await CopyFixture(size: twelve)
        let stalled = fixture.stall(part: 3)
        let input = fixture.input()
        let task = Task { try await fixture.client.resumableCopyObject(input) }
        try await fixture.waitForPart(3)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(fixture.hasCheckpoint)
        stalled.remove()
        _ = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(fixture.isCopied)
        #expect(fixture.storedParts.values.allSatisfy { $0 == 1 })
    }

    @Test func `pausing and going on many times copies every part once`() async throws {
        let fixture = try await CopyFixture(size: twelve)
        var calls = 0
        while !fixture.isCopied, calls < 20 {
            calls += 1
            let hook = TOSCancelHook()
            var input = fixture.input()
            input.taskNum = 2
            input.pauseGrace = .seconds(20)
            input.cancelHook = hook
            input.copyEventListener = { if $0.type == .uploadPartCopySucceed { hook.cancel() } }
            do {
                _ = try await fixture.client.resumableCopyObject(input)
            } catch let error as TransferError {
                #expect(error.code == .paused)
            }
        }
        #expect(fixture.isCopied)
        #expect(calls > 2)
        #expect(fixture.storedParts.count == 12)
        #expect(fixture.storedParts.values.allSatisfy { $0 == 1 })
        #expect(fixture.server.wireLog.count(of: .createMultipartUpload) == 1)
        #expect(fixture.server.wireLog.count(of: .completeMultipartUpload) == 1)
    }

    // MARK: Abort

    @Test func `an abort leaves nothing behind, and the next call begins anew`() async throws {
        let fixture = try await CopyFixture(size: twelve)
        let hook = TOSCancelHook()
        let events = EventLog()
        var input = fixture.input(events)
        input.taskNum = 2
        input.cancelHook = hook
        input.copyEventListener = { event in
            events.append(event)
            if event.copyPartInfo?.partNumber == 4 { hook.cancel(abort: true) }
        }
        let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(error?.code == .aborted)
        #expect(events.turns == [1, 5])
        #expect(fixture.server.storage.uploads.isEmpty)
        #expect(!fixture.hasCheckpoint)
        #expect(fixture.server.wireLog.count(of: .abortMultipartUpload) >= 1)

        let again = EventLog()
        _ = try await fixture.client.resumableCopyObject(fixture.input(again))
        #expect(again.turns == [1, 6])
        #expect(fixture.isCopied)
    }

    @Test func `an abort after a pause still counts while the call ends`() async throws {
        let fixture = try await CopyFixture(size: twelve)
        let held = fixture.server.faults.add(.on(.uploadPartCopy), .hold)
        let hook = TOSCancelHook()
        let events = EventLog()
        var input = fixture.input(events)
        input.pauseGrace = .seconds(20)
        input.cancelHook = hook
        let copy = try fixture.client.startResumableCopyObject(input)
        try await held.waitUntilHeld()
        hook.cancel()
        hook.cancel(abort: true)
        hook.cancel()
        let error = await failure { _ = try await copy.value }
        #expect(error?.code == .aborted)
        #expect(events.types == [1, 5])
        #expect(fixture.server.storage.uploads.isEmpty)
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `a part that lands behind the abort does not keep the upload`() async throws {
        let fixture = try await CopyFixture(size: twelve)
        let held = fixture.server.faults.add(.on(.uploadPartCopy).part(2), .hold)
        let aborts = fixture.server.faults.add(.on(.abortMultipartUpload).first(1), .holdAnswer)
        let copy = try fixture.client.startResumableCopyObject(fixture.input())
        try await held.waitUntilHeld()
        copy.cancel(abort: true)
        try await aborts.waitUntilHeld()
        held.release()
        aborts.release()
        let error = await failure { _ = try await copy.value }
        #expect(error?.code == .aborted)
        #expect(fixture.server.storage.uploads.isEmpty)
    }

    @Test func `an abort of a paused copy by a later call discards what was recorded`() async throws {
        let fixture = try await CopyFixture(size: twelve)
        let pause = TOSCancelHook()
        var input = fixture.input()
        input.cancelHook = pause
        input.copyEventListener = { if $0.type == .uploadPartCopySucceed { pause.cancel() } }
        _ = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(fixture.hasCheckpoint)

        let held = fixture.server.faults.add(.on(.headObject), .hold)
        let copy = try fixture.client.startResumableCopyObject(fixture.input())
        try await held.waitUntilHeld()
        copy.cancel(abort: true)
        let error = await failure { _ = try await copy.value }
        #expect(error?.code == .aborted)
        #expect(!fixture.hasCheckpoint)
        #expect(fixture.server.storage.uploads.isEmpty)
    }

    // MARK: Other stages

    @Test(arguments: [StoreOperation.headObject, .createMultipartUpload], [false, true])
    func `before the first part there is nothing to keep`(stage: StoreOperation, abort: Bool) async throws {
        let fixture = try await CopyFixture()
        fixture.server.faults.add(.on(stage), .stall)
        let events = EventLog()
        let copy = try fixture.client.startResumableCopyObject(fixture.input(events))
        try await fixture.server.wireLog.waitFor(operation: stage)
        copy.cancel(abort: abort)
        let error = await failure { _ = try await copy.value }
        #expect(error?.code == (abort ? .aborted : .paused))
        #expect(events.types == [5])
        #expect(fixture.server.storage.uploads.isEmpty)

        fixture.server.faults.removeAll()
        let again = EventLog()
        _ = try await fixture.client.resumableCopyObject(fixture.input(again))
        #expect(again.turns == [1, 6])
        #expect(fixture.isCopied)
        #expect(!fixture.hasCheckpoint)
    }

    @Test(arguments: [StoreOperation.headObject, .listParts], [false, true])
    func `while a record is looked at, a pause keeps it and an abort clears it`(
        stage: StoreOperation, abort: Bool
    ) async throws {
        let fixture = try await CopyFixture(size: twelve)
        let stalled = fixture.stall(part: 3)
        let first = try fixture.client.startResumableCopyObject(fixture.input())
        try await fixture.waitForPart(3)
        first.cancel()
        _ = await failure { _ = try await first.value }
        stalled.remove()

        let seen = fixture.server.wireLog.count(of: stage)
        fixture.server.faults.add(.on(stage).first(1), .stall)
        let second = try fixture.client.startResumableCopyObject(fixture.input())
        try await fixture.server.wireLog.waitFor(count: seen + 1, operation: stage)
        second.cancel(abort: abort)
        let error = await failure { _ = try await second.value }
        #expect(error?.code == (abort ? .aborted : .paused))
        #expect(fixture.hasCheckpoint == !abort)
        #expect(fixture.server.storage.uploads.isEmpty == abort)

        _ = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(fixture.isCopied)
        #expect(fixture.server.wireLog.count(of: .createMultipartUpload) == (abort ? 2 : 1))
    }

    // MARK: Too early, too late

    @Test(arguments: [false, true])
    func `once Complete is on its way its outcome decides`(abort: Bool) async throws {
        let fixture = try await CopyFixture()
        let held = fixture.server.faults.add(.on(.completeMultipartUpload), .holdAnswer)
        let events = EventLog()
        let copy = try fixture.client.startResumableCopyObject(fixture.input(events))
        try await held.waitUntilHeld()
        copy.cancel(abort: abort)
        held.release()
        let output = try await copy.value
        #expect(output.verification == .crc64)
        #expect(events.turns == [1, 6])
        #expect(fixture.server.wireLog.count(of: .abortMultipartUpload) == 0)
        #expect(fixture.isCopied)
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `a wish that comes before the start ends the call without a request`() async throws {
        let fixture = try await CopyFixture()
        for abort in [false, true] {
            let hook = TOSCancelHook()
            hook.cancel(abort: abort)
            var input = fixture.input()
            input.cancelHook = hook
            let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
            #expect(error?.code == (abort ? .aborted : .paused))
        }
        #expect(fixture.operations.isEmpty)
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `a wish that comes after the end does nothing, and the hook is used up`() async throws {
        let fixture = try await CopyFixture()
        let hook = TOSCancelHook()
        var input = fixture.input()
        input.cancelHook = hook
        _ = try await fixture.client.resumableCopyObject(input)
        hook.cancel(abort: true)
        #expect(fixture.isCopied)
        let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(error?.code == .cancelHookUsed)
    }

    @Test func `a thousand wishes from many threads end the call once`() async throws {
        let fixture = try await CopyFixture(size: twelve)
        let held = fixture.server.faults.add(.on(.uploadPartCopy), .hold)
        let hook = TOSCancelHook()
        let events = EventLog()
        var input = fixture.input(events)
        input.cancelHook = hook
        let copy = try fixture.client.startResumableCopyObject(input)
        try await held.waitUntilHeld()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1000 { group.addTask { hook.cancel(abort: number % 7 == 3) } }
        }
        let error = await failure { _ = try await copy.value }
        #expect(error?.code == .aborted)
        #expect(events.types == [1, 5])
        #expect(fixture.server.storage.uploads.isEmpty)
    }

    // MARK: The client's end

    @Test func `a shutdown ends running copies once, and keeps what was done`() async throws {
        let fixture = try await CopyFixture(size: twelve)
        let stalled = fixture.stall(part: 3)
        let events = EventLog()
        let copy = try fixture.client.startResumableCopyObject(fixture.input(events))
        try await fixture.waitForPart(3)
        await fixture.client.shutdown()
        let count = events.all.count
        let error = await failure { _ = try await copy.value }
        #expect(error?.code == .disposed)
        #expect(events.types == [1, 3, 3, 5])
        #expect(events.all.count == count)
        #expect(fixture.hasCheckpoint)
        stalled.remove()

        let client = try CopyFixture.client(of: fixture.server)
        _ = try await client.resumableCopyObject(fixture.input())
        #expect(fixture.isCopied)
        #expect(fixture.storedParts.values.allSatisfy { $0 == 1 })
    }

    @Test func `a copy goes on when its client is let go of`() async throws {
        let fixture = try await CopyFixture()
        let copy = try CopyFixture.client(of: fixture.server).startResumableCopyObject(fixture.input())
        _ = try await copy.value
        #expect(fixture.isCopied)
    }
}
