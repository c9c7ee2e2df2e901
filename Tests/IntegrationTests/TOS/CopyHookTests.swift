import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Contract 4: hooks that meet the end of a copy, and hooks that were used.
@Suite struct CopyHookTests {
    @Test func `an abort that races Complete leaves a whole object or nothing`() async throws {
        for round in 0..<20 {
            let fixture = try await CopyFixture(size: 2 * UInt64(CopyFixture.partSize))
            let hook = TOSCancelHook()
            let events = EventLog()
            var input = fixture.input()
            input.cancelHook = hook
            input.copyEventListener = { event in
                events.append(event)
                guard event.copyPartInfo?.partNumber == 2 else { return }
                // Another moment in each round, from before the mark in the journal to after the answer.
                usleep(UInt32(round) * 200)
                hook.cancel(abort: true)
            }
            do {
                _ = try await fixture.client.resumableCopyObject(input)
                #expect(fixture.isCopied)
                #expect(events.types == [1, 3, 3, 6])
            } catch let error as TransferError {
                #expect(error.code == .aborted)
                #expect(fixture.target == nil)
                #expect(events.types == [1, 3, 3, 5])
            }
            #expect(fixture.server.storage.uploads.isEmpty)
            #expect(!fixture.hasCheckpoint)
        }
    }

    @Test(arguments: [false, true]) func `a Complete that has not been done yet decides all the same`(
        abort: Bool
    ) async throws {
        let fixture = try await CopyFixture()
        let held = fixture.server.faults.add(.on(.completeMultipartUpload), .hold)
        let copy = try fixture.client.startResumableCopyObject(fixture.input())
        try await held.waitUntilHeld()
        copy.cancel(abort: abort)
        held.release()
        #expect(try await copy.value.verification == .crc64)
        #expect(fixture.isCopied)
        #expect(fixture.server.wireLog.count(of: .abortMultipartUpload) == 0)
    }

    @Test(arguments: [false, true]) func `the hook of a call that was stopped is refused, a new one is not`(
        abort: Bool
    ) async throws {
        let fixture = try await CopyFixture()
        let used = TOSCancelHook()
        var input = fixture.input()
        input.cancelHook = used
        input.taskNum = 1
        let stall = fixture.stall(part: 3)
        let copy = try fixture.client.startResumableCopyObject(input)
        // Nothing that is cut comes to the server later.
        try await fixture.waitForPart(3)
        used.cancel(abort: abort)
        let stopped = await failure { _ = try await copy.value }
        #expect(stopped?.code == (abort ? .aborted : .paused))
        stall.remove()

        let seen = fixture.server.wireLog.entries.count
        let refused = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(refused?.code == .cancelHookUsed)
        #expect(fixture.server.wireLog.entries.count == seen)
        #expect(fixture.hasCheckpoint == !abort)

        input.cancelHook = TOSCancelHook()
        let output = try await fixture.client.resumableCopyObject(input)
        #expect(abort ? output.uploadID != stopped?.uploadID : output.uploadID == stopped?.uploadID)
        #expect(fixture.isCopied)
    }
}
