import Testing

@testable import TransferCore

/// A worker whose record was taken over writes nothing more, neither there nor at the service (FR-107).
@Suite struct MachineClaimLostTests {
    static let lost = TransferError(.checkpointLost, "lost")

    @Test func aWriteThatMeetsTheLossEndsLikeItsSignal() {
        for (stage, input, history) in [
            (
                MachineStages.beginning, TransferMachine.Input.beginFailed(Self.lost),
                "!left(u2); !stopping(checkpointLost); = checkpointLost"
            ),
            (
                .transferring, .recordFailed(Self.lost),
                "!stopping(checkpointLost); cut parts; !cut(1); !cut(2); = checkpointLost"
            ),
            (.draining, .recordFailed(Self.lost), "cut parts; !cut(2); = checkpointLost"),
            (.rechecking, .recordFailed(Self.lost), "!stopping(checkpointLost); cut request; = checkpointLost"),
            (.marking, .markFailed(Self.lost), "!stopping(checkpointLost); = checkpointLost"),
            (.flushing, .flushed(Self.lost), "= checkpointLost"),
        ] {
            var rig = stage.rig()
            rig.send(input)
            rig.runToEnd()
            #expect(rig.takeTrace() == history)
        }
    }

    /// Parts that end after the loss are not written down.
    @Test func nothingIsRecordedAfterTheLoss() {
        var rig = MachineStages.transferring.rig()
        rig.send(.claimLost)
        _ = rig.takeTrace()
        rig.send(.partDone(Sample.part(1)))
        rig.send(.partDone(Sample.part(2)))
        #expect(rig.takeTrace() == "!done(1); !progress(10); !done(2); !progress(20); = checkpointLost")
    }

    /// An upload that the record never named is unknown to whoever took over.
    @Test func anUnrecordedUploadIsReported() {
        var creating = MachineStages.creating.rig()
        creating.send(.claimLost)
        _ = creating.takeTrace()
        creating.send(.created(uploadID: "u2"))
        #expect(creating.takeTrace() == "!created(u2); !left(u2); = checkpointLost")

        var beginning = MachineStages.beginning.rig()
        beginning.send(.claimLost)
        _ = beginning.takeTrace()
        beginning.send(.beginFailed(TransferError(.checkpointUnusable, "disk")))
        #expect(beginning.takeTrace() == "!left(u2); = checkpointLost")
    }

    /// The object that stands is a success all the same; only its success is.
    @Test func whileTheOutcomeIsOpenOnlySuccessCounts() {
        let failures: [(TransferMachine.Input, Result<ObjectInfo, TransferError>)] = [
            (.completionFailed(TransferError(.refused, "no")), .success(Sample.info)),
            (.completionFailed(TransferError(.invalidPart, "no")), .success(Sample.info)),
            (.completionFailed(TransferError(.uploadNotFound, "no")), .failure(TransferError(.notFound, "no"))),
            (.completionFailed(TransferError(.uploadNotFound, "no")), .failure(TransferError(.timedOut, "no"))),
            (.completionFailed(TransferError(.timedOut, "no")), .failure(TransferError(.notFound, "no"))),
            (.completionFailed(TransferError(.serviceUnavailable, "no")), .failure(TransferError(.notFound, "no"))),
        ]
        for (input, look) in failures {
            var rig = MachineStages.completing.rig()
            rig.send(.claimLost)
            rig.world.target = look
            rig.send(input)
            rig.runToEnd()
            let trace = rig.takeTrace()
            #expect(trace.hasSuffix("!stopping(checkpointLost); = checkpointLost"), "\(trace)")
            for action in ["abort", "remove", "flush", "record", "begin", "mark", "list", "create", "start"] {
                #expect(!trace.split(separator: "; ").contains { $0.hasPrefix(action) }, "\(action) in \(trace)")
            }
        }
        var callback = MachineStages.completing.rig()
        callback.send(.claimLost)
        callback.send(.completionFailed(TransferError(.storedCallbackFailed, "203")))
        #expect(
            callback.takeTrace()
                == "!completionFailed(storedCallbackFailed); !stopping(storedCallbackFailed); = storedCallbackFailed")
    }

    @Test func theLossOutlastsEveryWish() {
        for stage in MachineStages.allCases where ![.idle, .removing].contains(stage) {
            var rig = stage.rig()
            rig.send(.stop(.abort))
            rig.send(.claimLost)
            _ = rig.takeTrace()
            rig.runToEnd()
            let trace = rig.takeTrace()
            #expect(
                !trace.split(separator: "; ").contains { $0.hasPrefix("abort") || $0 == "remove" }, "\(stage): \(trace)"
            )
        }
    }
}
