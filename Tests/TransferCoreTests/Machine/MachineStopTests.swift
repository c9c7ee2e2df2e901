import Testing

@testable import TransferCore

/// What every wish to stop, and the loss of the claim, does in every stage: the whole history from the wish to the end, where
/// everything under way is answered as it would be. The rows are the table in `TransferMachine`'s documentation.
@Suite struct MachineStopTests {
    /// Histories by wish. `@` is the code that is announced and `#` the outcome, as they differ between the three wishes
    /// that pause.
    struct Row: Sendable, CustomTestStringConvertible {
        let stage: MachineStages
        let pause: String
        let abort: String
        let lost: String?
        let escalated: String

        init(_ stage: MachineStages, pause: String, abort: String, lost: String?, escalated: String) {
            self.stage = stage
            self.pause = pause
            self.abort = abort
            self.lost = lost
            self.escalated = escalated
        }

        var testDescription: String { stage.rawValue }
    }

    static let recorded = [
        Row(
            .idle,
            pause: "!stopping(@); = #",
            abort: "!stopping(aborted); = aborted",
            lost: nil,
            escalated: "!stopping(aborted); = aborted"),
        Row(
            .claiming,
            pause: "!stopping(@); flush; = #",
            abort: "!stopping(aborted); abort u1; remove; = aborted",
            lost: "!stopping(checkpointLost); = checkpointLost",
            escalated: "!stopping(paused); abort u1; remove; = aborted"),
        Row(
            .inspecting,
            pause: "!stopping(@); cut request; flush; = #",
            abort: "!stopping(aborted); cut request; abort u1; remove; = aborted",
            lost: "!stopping(checkpointLost); cut request; = checkpointLost",
            escalated: "!stopping(paused); cut request; cut request; abort u1; remove; = aborted"),
        Row(
            .listing,
            pause: "!stopping(@); cut request; flush; = #",
            abort: "!stopping(aborted); cut request; abort u1; remove; = aborted",
            lost: "!stopping(checkpointLost); cut request; = checkpointLost",
            escalated: "!stopping(paused); cut request; cut request; abort u1; remove; = aborted"),
        Row(
            .checkingLocal,
            pause: "!stopping(@); cut request; flush; = #",
            abort: "!stopping(aborted); cut request; abort u1; remove; = aborted",
            lost: "!stopping(checkpointLost); cut request; = checkpointLost",
            escalated: "!stopping(paused); cut request; cut request; abort u1; remove; = aborted"),
        Row(
            .abortingStale,
            pause: "!stopping(@); flush; = #",
            abort: "!stopping(aborted); remove; = aborted",
            lost: "!stopping(checkpointLost); = checkpointLost",
            escalated: "!stopping(paused); remove; = aborted"),
        Row(
            .creating,
            pause: "!stopping(@); grace; begin u2; !created(u2); flush; = #",
            abort: "!stopping(aborted); grace; !created(u2); abort u2; remove; = aborted",
            lost: "!stopping(checkpointLost); cut request; = checkpointLost",
            escalated: "!stopping(paused); grace; !created(u2); abort u2; remove; = aborted"),
        Row(
            .beginning,
            pause: "!stopping(@); !created(u2); flush; = #",
            abort: "!stopping(aborted); !created(u2); abort u2; remove; = aborted",
            lost: "!stopping(checkpointLost); !created(u2); = checkpointLost",
            escalated: "!stopping(paused); !created(u2); abort u2; remove; = aborted"),
        Row(
            .transferring,
            pause:
                "!stopping(@); grace; record 1; !done(1); !progress(10); record 2; !done(2); !progress(20); flush; = #",
            abort: "!stopping(aborted); cut parts; !cut(1); !cut(2); abort u2; remove; = aborted",
            lost: "!stopping(checkpointLost); cut parts; !cut(1); !cut(2); = checkpointLost",
            escalated: "!stopping(paused); grace; cut parts; !cut(1); !cut(2); abort u2; remove; = aborted"),
        Row(
            .draining,
            pause: "record 2; !done(2); !progress(10); flush; = refused",
            abort: "cut parts; !cut(2); abort u2; remove; = aborted",
            lost: "cut parts; !cut(2); = checkpointLost",
            escalated: "cut parts; !cut(2); abort u2; remove; = aborted"),
        Row(
            .rechecking,
            pause: "!stopping(@); cut request; flush; = #",
            abort: "!stopping(aborted); cut request; abort u2; remove; = aborted",
            lost: "!stopping(checkpointLost); cut request; = checkpointLost",
            escalated: "!stopping(paused); cut request; cut request; abort u2; remove; = aborted"),
        Row(
            .marking,
            pause: "!stopping(@); flush; = #",
            abort: "!stopping(aborted); abort u2; remove; = aborted",
            lost: "!stopping(checkpointLost); = checkpointLost",
            escalated: "!stopping(paused); abort u2; remove; = aborted"),
        Row(
            .completing,
            pause: "remove; !progress(25 end); !completed; = success crc64",
            abort: "remove; !progress(25 end); !completed; = success crc64",
            lost: "!progress(25 end); !completed; = success crc64",
            escalated: "remove; !progress(25 end); !completed; = success crc64"),
        Row(
            .transferringWhole,
            pause: "remove; !progress(25 end); !completed; = success crc64",
            abort: "remove; !progress(25 end); !completed; = success crc64",
            lost: "!progress(25 end); !completed; = success crc64",
            escalated: "remove; !progress(25 end); !completed; = success crc64"),
        Row(
            .checkingTarget,
            pause: "remove; !progress(25 end); !completed; = success sizeOnly",
            abort: "remove; !progress(25 end); !completed; = success sizeOnly",
            lost: "!progress(25 end); !completed; = success sizeOnly",
            escalated: "remove; !progress(25 end); !completed; = success sizeOnly"),
        Row(
            .flushing,
            pause: "= paused",
            abort: "abort u2; remove; = aborted",
            lost: "= checkpointLost",
            escalated: "abort u2; remove; = aborted"),
        Row(
            .abortingUpload,
            pause: "remove; = aborted",
            abort: "remove; = aborted",
            lost: "= checkpointLost",
            escalated: "remove; = aborted"),
        Row(
            .removing,
            pause: "!progress(25 end); !completed; = success crc64",
            abort: "!progress(25 end); !completed; = success crc64",
            lost: "!progress(25 end); !completed; = success crc64",
            escalated: "!progress(25 end); !completed; = success crc64"),
    ]

    static let unrecorded = [
        Row(
            .idle,
            pause: "!stopping(@); = #",
            abort: "!stopping(aborted); = aborted",
            lost: nil,
            escalated: "!stopping(aborted); = aborted"),
        Row(
            .claiming,
            pause: "!stopping(@); remove; = #",
            abort: "!stopping(aborted); remove; = aborted",
            lost: "!stopping(checkpointLost); = checkpointLost",
            escalated: "!stopping(paused); remove; = aborted"),
        Row(
            .inspecting,
            pause: "!stopping(@); cut request; remove; = #",
            abort: "!stopping(aborted); cut request; remove; = aborted",
            lost: "!stopping(checkpointLost); cut request; = checkpointLost",
            escalated: "!stopping(paused); cut request; cut request; remove; = aborted"),
        Row(
            .creating,
            pause: "!stopping(@); grace; !created(u2); abort u2; remove; = #",
            abort: "!stopping(aborted); grace; !created(u2); abort u2; remove; = aborted",
            lost: "!stopping(checkpointLost); cut request; = checkpointLost",
            escalated: "!stopping(paused); grace; !created(u2); abort u2; remove; = aborted"),
        Row(
            .beginning,
            pause: "!stopping(@); !created(u2); abort u2; remove; = #",
            abort: "!stopping(aborted); !created(u2); abort u2; remove; = aborted",
            lost: "!stopping(checkpointLost); !created(u2); = checkpointLost",
            escalated: "!stopping(paused); !created(u2); abort u2; remove; = aborted"),
        Row(
            .transferring,
            pause:
                "!stopping(@); grace; record 1; !done(1); !progress(10); record 2; !done(2); !progress(20); abort u2; remove; = #",
            abort: "!stopping(aborted); cut parts; !cut(1); !cut(2); abort u2; remove; = aborted",
            lost: "!stopping(checkpointLost); cut parts; !cut(1); !cut(2); = checkpointLost",
            escalated: "!stopping(paused); grace; cut parts; !cut(1); !cut(2); abort u2; remove; = aborted"),
        Row(
            .draining,
            pause: "record 2; !done(2); !progress(10); abort u2; remove; = refused",
            abort: "cut parts; !cut(2); abort u2; remove; = aborted",
            lost: "cut parts; !cut(2); = checkpointLost",
            escalated: "cut parts; !cut(2); abort u2; remove; = aborted"),
        Row(
            .rechecking,
            pause: "!stopping(@); cut request; abort u2; remove; = #",
            abort: "!stopping(aborted); cut request; abort u2; remove; = aborted",
            lost: "!stopping(checkpointLost); cut request; = checkpointLost",
            escalated: "!stopping(paused); cut request; cut request; abort u2; remove; = aborted"),
        Row(
            .marking,
            pause: "!stopping(@); abort u2; remove; = #",
            abort: "!stopping(aborted); abort u2; remove; = aborted",
            lost: "!stopping(checkpointLost); = checkpointLost",
            escalated: "!stopping(paused); abort u2; remove; = aborted"),
        Row(
            .completing,
            pause: "remove; !progress(25 end); !completed; = success crc64",
            abort: "remove; !progress(25 end); !completed; = success crc64",
            lost: "!progress(25 end); !completed; = success crc64",
            escalated: "remove; !progress(25 end); !completed; = success crc64"),
        Row(
            .transferringWhole,
            pause: "remove; !progress(25 end); !completed; = success crc64",
            abort: "remove; !progress(25 end); !completed; = success crc64",
            lost: "!progress(25 end); !completed; = success crc64",
            escalated: "remove; !progress(25 end); !completed; = success crc64"),
        Row(
            .checkingTarget,
            pause: "remove; !progress(25 end); !completed; = success sizeOnly",
            abort: "remove; !progress(25 end); !completed; = success sizeOnly",
            lost: "!progress(25 end); !completed; = success sizeOnly",
            escalated: "remove; !progress(25 end); !completed; = success sizeOnly"),
        Row(
            .abortingUpload,
            pause: "remove; = aborted",
            abort: "remove; = aborted",
            lost: "= checkpointLost",
            escalated: "remove; = aborted"),
        Row(
            .removing,
            pause: "!progress(25 end); !completed; = success crc64",
            abort: "!progress(25 end); !completed; = success crc64",
            lost: "!progress(25 end); !completed; = success crc64",
            escalated: "!progress(25 end); !completed; = success crc64"),
    ]

    @Test(arguments: recorded) func withACheckpoint(_ row: Row) { check(row, keeps: true) }

    @Test(arguments: unrecorded) func withoutACheckpoint(_ row: Row) { check(row, keeps: false) }

    @Test func everyStageHasItsRow() {
        #expect(Self.recorded.map(\.stage) == MachineStages.allCases)
    }

    private func check(_ row: Row, keeps: Bool) {
        func history(_ wishes: TransferMachine.Input...) -> String {
            var rig = row.stage.rig(keeps: keeps)
            for wish in wishes { rig.send(wish) }
            if row.stage == .idle { rig.send(.start) }
            rig.runToEnd()
            #expect(rig.machine.isEnded)
            return rig.takeTrace()
        }
        func pause(_ code: String, _ outcome: String) -> String {
            row.pause.replacing("@", with: code).replacing("#", with: outcome)
        }
        #expect(history(.stop(.pause)) == pause("paused", "paused"))
        #expect(history(.stop(.taskCancelled)) == pause("paused", "cancelled"))
        #expect(history(.stop(.disposed)) == pause("disposed", "disposed"))
        #expect(history(.stop(.abort)) == row.abort)
        #expect(history(.stop(.pause), .stop(.abort)) == row.escalated)
        // Again and again is once, and an abort does not turn back into a pause.
        #expect(history(.stop(.pause), .stop(.pause), .stop(.taskCancelled)) == pause("paused", "paused"))
        #expect(history(.stop(.abort), .stop(.pause), .stop(.disposed), .stop(.abort)) == row.abort)
        if let lost = row.lost {
            #expect(history(.claimLost) == lost)
            #expect(history(.claimLost, .stop(.abort), .stop(.pause), .claimLost) == lost)
        }
    }
}
