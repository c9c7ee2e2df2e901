import Testing

@testable import TransferCore

/// Every failure in every stage: the whole history from the failure to the end.
@Suite struct MachineFailureTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let stage: MachineStages
        let input: TransferMachine.Input
        let history: String
        var keeps = true

        init(_ stage: MachineStages, _ input: TransferMachine.Input, _ history: String, keeps: Bool = true) {
            self.stage = stage
            self.input = input
            self.history = history
            self.keeps = keeps
        }

        var testDescription: String { "\(stage) \(keeps)" }
    }

    static let refused = TransferError(.refused, "no")
    static let changed = TransferError(.sourceChanged, "changed")
    static let unusable = TransferError(.checkpointUnusable, "disk")

    static let rows = [
        Row(.claiming, .claimFailed(unusable), "!stopping(checkpointUnusable); = checkpointUnusable"),
        Row(.inspecting, .inspectionFailed(refused), "!stopping(refused); = refused"),
        Row(.listing, .listingFailed(refused), "!stopping(refused); flush; = refused"),
        Row(
            .checkingLocal, .localCheckFailed(TransferError(.fileUnreadable, "io")),
            "!stopping(fileUnreadable); flush; = fileUnreadable"),
        Row(
            .checkingLocal, .localCheckFailed(changed),
            "!stopping(sourceChanged); abort u1; remove; = sourceChanged"),
        // The next call would otherwise think that the stale upload is still open.
        Row(
            .abortingStale, .uploadAborted(refused),
            """
            !left(u1 refused); create; begin u2; !created(u2); start 1 of u2; start 2 of u2; record 1; !done(1); \
            !progress(10); start 3 of u2; record 2; !done(2); !progress(20); record 3; !done(3); !progress(24); recheck; \
            mark; complete u2 with 1,2,3; remove; !progress(25 end); !completed; = success crc64
            """),
        Row(.creating, .creationFailed(refused), "!creationFailed(refused); !stopping(refused); = refused"),
        Row(
            .creating, .created(uploadID: ""),
            "!creationFailed(malformedResponse); !stopping(malformedResponse); = malformedResponse"),
        Row(
            .beginning, .beginFailed(unusable),
            "!stopping(checkpointUnusable); abort u2; remove; = checkpointUnusable"),
        Row(
            .transferring, .partFailed(1, refused),
            "!failed(1 refused); !stopping(refused); grace; record 2; !done(2); !progress(10); flush; = refused"),
        Row(
            .transferring, .partFailed(1, refused),
            """
            !failed(1 refused); !stopping(refused); grace; record 2; !done(2); !progress(10); abort u2; remove; = refused
            """,
            keeps: false),
        Row(
            .transferring, .partFailed(1, changed),
            """
            !failed(1 sourceChanged); !stopping(sourceChanged); grace; record 2; !done(2); !progress(10); abort u2; \
            remove; = sourceChanged
            """),
        Row(
            .transferring, .recordFailed(unusable),
            """
            !stopping(checkpointUnusable); grace; record 1; !done(1); !progress(10); record 2; !done(2); !progress(20); \
            flush; = checkpointUnusable
            """),
        Row(.draining, .partFailed(2, refused), "!failed(2 refused); flush; = refused"),
        Row(.draining, .partFailed(2, TransferError(.cut, "cut")), "!cut(2); flush; = refused"),
        Row(.draining, .recordFailed(unusable), "record 2; !done(2); !progress(10); flush; = refused"),
        Row(.rechecking, .sourceCheckFailed(refused), "!stopping(refused); flush; = refused"),
        Row(.rechecking, .sourceCheckFailed(changed), "!stopping(sourceChanged); abort u2; remove; = sourceChanged"),
        Row(.marking, .markFailed(unusable), "!stopping(checkpointUnusable); flush; = checkpointUnusable"),
        Row(
            .marking, .markFailed(unusable), "!stopping(checkpointUnusable); abort u2; remove; = checkpointUnusable",
            keeps: false),
        Row(
            .completing, .completionFailed(refused),
            "!completionFailed(refused); !stopping(refused); flush; = refused"),
        Row(
            .completing, .completionFailed(refused),
            "!completionFailed(refused); !stopping(refused); abort u2; remove; = refused", keeps: false),
        Row(
            .transferringWhole, .completionFailed(refused),
            "!completionFailed(refused); !stopping(refused); remove; = refused"),
        Row(
            .transferringWhole, .completionFailed(TransferError(.storedCallbackFailed, "203")),
            "!completionFailed(storedCallbackFailed); !stopping(storedCallbackFailed); remove; = storedCallbackFailed"),
        // The object was confirmed; what a further look at it says is not needed.
        Row(
            .checkingTarget, .targetChecked(.failure(refused)),
            "remove; !progress(25 end); !completed; = success none"),
        Row(.flushing, .flushed(unusable), "= paused"),
        Row(.abortingUpload, .uploadAborted(refused), "!left(u2 refused); remove; = aborted"),
        Row(.removing, .checkpointRemoved(unusable), "!progress(25 end); !completed; = success crc64"),
    ]

    @Test(arguments: rows) func history(_ row: Row) {
        var rig = row.stage.rig(keeps: row.keeps)
        rig.send(row.input)
        rig.runToEnd()
        #expect(rig.takeTrace() == row.history)
    }

    @Test func aFailureThatKeepsTheUploadNamesIt() {
        for stage in [MachineStages.listing, .transferring, .rechecking, .marking, .completing] {
            var rig = stage.rig()
            let id = stage == .listing ? "u1" : "u2"
            switch stage {
            case .listing: rig.send(.listingFailed(Self.refused))
            case .transferring: rig.send(.partFailed(1, Self.refused))
            case .rechecking: rig.send(.sourceCheckFailed(Self.refused))
            case .marking: rig.send(.markFailed(Self.refused))
            default: rig.send(.completionFailed(Self.refused))
            }
            rig.runToEnd()
            #expect(rig.outcome?.error?.uploadID == id, "\(stage)")
        }
    }

    /// What went wrong while tidying up is told beneath what ended the call.
    @Test func failuresOfTheRecordAreToldUnderneath() {
        var flushing = MachineStages.flushing.rig()
        flushing.send(.flushed(Self.unusable))
        #expect((flushing.outcome?.error?.underlying as? TransferError)?.code == .checkpointUnusable)
        var aborting = MachineStages.abortingUpload.rig()
        aborting.answer(.abort("u2"))
        aborting.send(.checkpointRemoved(Self.unusable))
        #expect((aborting.outcome?.error?.underlying as? TransferError)?.code == .checkpointUnusable)
    }

    /// A record that could not begin cannot resume: whoever asked to stop meanwhile, the upload must not stay behind unknown.
    @Test func aRecordThatCannotBeginLeavesNoUploadWhoeverStops() {
        for (wish, outcome) in [
            (TransferMachine.StopRequest.pause, "checkpointUnusable"), (.abort, "aborted"),
            (.taskCancelled, "cancelled"),
            (.disposed, "disposed"),
        ] {
            var rig = MachineStages.beginning.rig()
            rig.send(.stop(wish))
            _ = rig.takeTrace()
            rig.send(.beginFailed(Self.unusable))
            rig.runToEnd()
            #expect(rig.takeTrace() == "abort u2; remove; = \(outcome)")
        }
    }

    @Test func aDenialAbortsWhereAsked() {
        for code in [TransferError.Code.accessDenied, .notFound, .methodNotAllowed] {
            for (aborts, tail) in [(true, "abort u2; remove"), (false, "flush")] {
                var rig = MachineRig(Sample.settings(abortsOnDenial: aborts))
                rig.send(.start)
                rig.run(until: .transferring)
                _ = rig.takeTrace()
                rig.send(.partFailed(1, TransferError(code, "no")))
                rig.runToEnd(graceExpires: true)
                #expect(
                    rig.takeTrace()
                        == "!failed(1 \(code)); !stopping(\(code)); grace; cut parts; !cut(2); \(tail); = \(code)")
            }
        }
    }

    /// Fresh credentials, a right clock or a restored source would cure these: a nearly finished copy is not thrown away.
    @Test func whatCanBeCuredIsNoDenial() {
        for code in [
            TransferError.Code.credentialsExpired, .credentialsInvalid, .signatureMismatch, .clockSkew, .sourceArchived,
            .throttled, .refused,
        ] {
            var rig = MachineRig(Sample.settings(abortsOnDenial: true))
            rig.send(.start)
            rig.run(until: .transferring)
            rig.send(.partFailed(1, TransferError(code, "no")))
            rig.runToEnd(graceExpires: true)
            #expect(rig.takeTrace().hasSuffix("flush; = \(code)"))
        }
    }

    /// Once a call has ended, nothing that comes late moves it.
    @Test func lateInputsAreIgnored() {
        let late: [TransferMachine.Input] = [
            .start, .claimed(nil), .claimFailed(Self.refused), .inspected(Sample.inspection()), .listed([]),
            .localChecked([]), .created(uploadID: "x"), .begun, .beginFailed(Self.refused), .partDone(Sample.part(1)),
            .partFailed(1, Self.refused), .recordFailed(Self.refused), .sourceUnchanged, .marked,
            .completed(Sample.receipt), .completionFailed(Self.refused), .targetChecked(.success(Sample.info)),
            .flushed(nil), .uploadAborted(nil), .checkpointRemoved(nil), .stop(.pause), .stop(.abort), .graceExpired,
            .claimLost,
        ]
        var ends: [MachineRig] = []
        for stage in MachineStages.allCases {
            var rig = stage.rig()
            if stage == .idle { rig.send(.start) }
            rig.runToEnd()
            ends.append(rig)
        }
        for var rig in ends {
            _ = rig.takeTrace()
            for input in late { rig.send(input) }
            #expect(rig.takeTrace() == "")
        }
    }

    /// An answer that belongs to another stage, as a late or doubled one does, moves nothing.
    @Test func answersThatDoNotFitTheStageAreIgnored() {
        var rig = MachineStages.transferring.rig()
        rig.answer(.part(1))
        _ = rig.takeTrace()
        for input in [
            TransferMachine.Input.partDone(Sample.part(1)), .partFailed(1, Self.refused),
            .partDone(CompletedPart(number: 9, etag: ETag("e"))),
            .partDone(CompletedPart(number: -1, etag: ETag("e"))), .marked, .completed(Sample.receipt), .listed([]),
            .claimed(nil), .begun, .uploadAborted(nil), .checkpointRemoved(nil), .start,
        ] {
            rig.send(input)
            #expect(rig.takeTrace() == "")
        }
    }
}
