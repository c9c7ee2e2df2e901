import Testing

@testable import TransferCore

/// What the grace does when it runs out before what is in flight has ended.
@Suite struct MachineGraceTests {
    @Test func cutsThePartsOfAPausedTransfer() {
        var rig = MachineStages.transferring.rig()
        rig.send(.stop(.pause))
        rig.runToEnd(graceExpires: true)
        #expect(rig.takeTrace() == "!stopping(paused); grace; cut parts; !cut(1); !cut(2); flush; = paused")
    }

    @Test func withoutACheckpointThePauseSaysThatThePartsAreGone() {
        var rig = MachineStages.transferring.rig(keeps: false)
        rig.send(.stop(.pause))
        rig.runToEnd(graceExpires: true)
        #expect(
            rig.outcome?.error?.message
                == "paused without a checkpoint: the parts were given up, a later call begins again")
        #expect(rig.outcome?.error?.uploadID == nil)
    }

    @Test func aPauseBeforeThePartsIsNoneOfParts() {
        for keeps in [true, false] {
            var rig = MachineStages.claiming.rig(keeps: keeps)
            rig.send(.stop(.pause))
            rig.runToEnd()
            #expect(rig.outcome?.error?.message == "paused before it began")
        }
    }

    @Test func keepsWhatEndedWithinIt() {
        var rig = MachineStages.transferring.rig()
        rig.send(.stop(.pause))
        rig.answer(.part(2))
        rig.runToEnd(graceExpires: true)
        #expect(
            rig.takeTrace()
                == "!stopping(paused); grace; record 2; !done(2); !progress(10); cut parts; !cut(1); flush; = paused")
        #expect(rig.outcome?.error?.message == "paused with 1 of 3 parts stored")
        #expect(rig.outcome?.error?.uploadID == "u2")
    }

    @Test func cutsACreation() {
        var rig = MachineStages.creating.rig()
        rig.send(.stop(.pause))
        rig.runToEnd(graceExpires: true)
        #expect(rig.takeTrace() == "!stopping(paused); grace; cut request; flush; = paused")
    }

    @Test func cutsThePartsAfterAFailure() {
        var rig = MachineStages.transferring.rig()
        rig.send(.partFailed(1, TransferError(.refused, "no")))
        rig.runToEnd(graceExpires: true)
        #expect(
            rig.takeTrace()
                == "!failed(1 refused); !stopping(refused); grace; cut parts; !cut(2); flush; = refused")
    }

    @Test func aLateGraceChangesNothing() {
        for stage in MachineStages.allCases where ![.draining, .idle].contains(stage) {
            var rig = stage.rig()
            rig.send(.graceExpired)
            #expect(rig.takeTrace() == "", "\(stage)")
            #expect(rig.stage == stage.stage)
        }
    }
}
