import Testing

@testable import TransferCore

/// What becomes of a record: continued, replaced, or given up.
@Suite struct MachineResumeTests {
    /// Everything after a fresh creation, up to the end.
    static let fresh = """
        create; begin u2; !created(u2); start 1 of u2; start 2 of u2; record 1; !done(1); !progress(10); start 3 of u2; \
        record 2; !done(2); !progress(20); record 3; !done(3); !progress(24); mark; complete u2 with 1,2,3; remove; \
        !progress(25 end); !completed; = success crc64
        """

    private func rig(
        _ saved: TransferCheckpoint, listed: [Int] = [], acceptsUnrecorded: Bool = false
    ) -> MachineRig {
        var world = MachineRig.World()
        world.saved = saved
        world.listed = listed.map { Sample.part($0) }
        var rig = MachineRig(Sample.settings(rechecks: false, acceptsUnrecorded: acceptsUnrecorded), world)
        rig.send(.start)
        return rig
    }

    @Test func goesOnWithWhatTheServiceStillHas() {
        var rig = rig(Sample.checkpoint(parts: [1, 2]), listed: [1, 2])
        rig.runToEnd()
        #expect(
            rig.takeTrace() == """
                claim; inspect; list u1; !resumed(u1 2 20); !progress(20); start 3 of u1; record 3; !done(3); \
                !progress(24); mark; complete u1 with 1,2,3; remove; !progress(25 end); !completed; = success crc64
                """)
    }

    @Test func goesStraightToCompleteWhenAllIsThere() {
        var rig = rig(Sample.checkpoint(parts: [1, 2, 3]), listed: [1, 2, 3])
        rig.runToEnd()
        #expect(
            rig.takeTrace() == """
                claim; inspect; list u1; !resumed(u1 3 25); !progress(24); mark; complete u1 with 1,2,3; remove; \
                !progress(25 end); !completed; = success crc64
                """)
    }

    @Test func sendsAgainWhatTheServiceLostOrHasOtherwise() {
        var rig = rig(Sample.checkpoint(parts: [1, 2, 3]))
        var other = Sample.part(2)
        other.etag = ETag("other")
        var short = Sample.part(3)
        short.size = 4
        rig.world.listed = [Sample.part(1), other, short]
        rig.run(until: .transferring)
        #expect(rig.open == [.part(2), .part(3)])
    }

    /// FR-002: an upload without a single one of the recorded parts is not one to go on with.
    @Test func anUploadThatLostEveryPartBeginsAgain() {
        var rig = rig(Sample.checkpoint(parts: [1, 2]))
        rig.runToEnd()
        #expect(
            rig.takeTrace() == "claim; inspect; list u1; !restarted(partsLost); abort u1; " + Self.fresh)
    }

    /// Nothing was recorded, so nothing is missed.
    @Test func anUploadWithoutPartsGoesOn() {
        var rig = rig(Sample.checkpoint(parts: []))
        rig.run(until: .transferring)
        #expect(rig.open == [.part(1), .part(2)])
        #expect(!rig.takeTrace().contains("restarted"))
    }

    @Test func takesUnrecordedPartsOnlyWhereTheyCannotStemFromAnotherSource() {
        var trusting = rig(Sample.checkpoint(parts: [1]), listed: [1, 3], acceptsUnrecorded: true)
        trusting.run(until: .transferring)
        #expect(trusting.open == [.part(2)])
        #expect(trusting.takeTrace().contains("record 3; start 2 of u1"), "the record learns of them")

        var doubting = rig(Sample.checkpoint(parts: [1]), listed: [1, 3])
        doubting.run(until: .transferring)
        #expect(doubting.open == [.part(2), .part(3)])

        // Without a tag of the source no part carried a precondition.
        var untied = rig(Sample.checkpoint(parts: [1]), listed: [1, 3], acceptsUnrecorded: true)
        untied.world.inspection = Sample.inspection(hasPrecondition: false)
        untied.run(until: .transferring)
        #expect(untied.open == [.part(2), .part(3)])
    }

    @Test func looksAtAnUntiedSourceAgainBeforeComplete() {
        var world = MachineRig.World()
        world.inspection = Sample.inspection(hasPrecondition: false)
        var rig = MachineRig(Sample.settings(rechecks: false), world)
        rig.send(.start)
        rig.runToEnd()
        #expect(rig.takeTrace().contains("recheck; mark; complete"))
    }

    @Test func trustsTheRecordWhereListingIsDenied() {
        var rig = rig(Sample.checkpoint(parts: [1, 3]))
        rig.run(until: .listing)
        rig.send(.listingFailed(TransferError(.accessDenied, "403")))
        #expect(rig.open == [.part(2)])
        rig.runToEnd()
        #expect(rig.outcome?.label == "success crc64")
    }

    /// FR-008: an outage is no reason to throw a record away.
    @Test func keepsTheRecordWhenListingFails() {
        for code in [
            TransferError.Code.serviceUnavailable, .connectionFailed, .timedOut, .credentialsExpired, .throttled,
        ] {
            var rig = rig(Sample.checkpoint(parts: [1, 3]))
            rig.run(until: .listing)
            _ = rig.takeTrace()
            rig.send(.listingFailed(TransferError(code, "later")))
            rig.runToEnd()
            #expect(rig.takeTrace() == "!stopping(\(code)); flush; = \(code)")
        }
    }

    @Test func beginsAgainOnceWhenTheUploadIsGone() {
        var rig = rig(Sample.checkpoint(parts: [1]))
        rig.run(until: .listing)
        _ = rig.takeTrace()
        rig.send(.listingFailed(TransferError(.uploadNotFound, "404")))
        rig.runToEnd()
        #expect(rig.takeTrace() == "!restarted(uploadNotFound); " + Self.fresh)
    }

    @Test func doesNotBeginAgainTwice() {
        var rig = rig(Sample.checkpoint(parts: [1]))
        rig.run(until: .listing)
        rig.send(.listingFailed(TransferError(.uploadNotFound, "404")))
        rig.run(until: .transferring)
        _ = rig.takeTrace()
        rig.send(.partFailed(1, TransferError(.uploadNotFound, "404")))
        rig.runToEnd(graceExpires: true)
        #expect(
            rig.takeTrace() == """
                !failed(1 uploadNotFound); !stopping(uploadNotFound); grace; cut parts; !cut(2); abort u2; remove; \
                = uploadNotFound
                """)
    }

    @Test func aPartThatMeetsALostUploadBeginsAgain() {
        var rig = MachineStages.transferring.rig()
        rig.send(.partFailed(1, TransferError(.uploadNotFound, "404")))
        rig.runToEnd()
        #expect(
            rig.takeTrace().hasPrefix(
                "!failed(1 uploadNotFound); cut parts; !cut(2); !restarted(uploadNotFound); create; begin u3"))
        #expect(rig.outcome?.label == "success crc64")
        #expect(rig.completedParts == [[1, 2, 3]])
    }

    /// A pause between the loss of an upload and its replacement is announced like any other.
    @Test func aPauseDuringTheLossOfAnUploadIsAnnounced() {
        for (wish, tail) in [
            (TransferMachine.StopRequest.pause, "!stopping(paused); !cut(2); flush; = paused"),
            (.abort, "!stopping(aborted); cut parts; !cut(2); abort u2; remove; = aborted"),
        ] {
            var rig = MachineStages.transferring.rig()
            rig.send(.partFailed(1, TransferError(.uploadNotFound, "404")))
            _ = rig.takeTrace()
            rig.send(.stop(wish))
            rig.runToEnd()
            #expect(rig.takeTrace() == tail)
        }
    }

    @Test func followsATargetThatMovedOnce() {
        var rig = MachineStages.transferring.rig()
        rig.send(.partFailed(1, TransferError(.targetMoved, "new address")))
        rig.run(until: .creating)
        #expect(
            rig.takeTrace()
                == "!failed(1 targetMoved); cut parts; !cut(2); !restarted(targetChanged); !left(u2); create")
        let moved = ObjectLocation(bucket: "b2", key: "k2")
        rig.send(.created(uploadID: "u3", target: moved))
        #expect(rig.begun.last?.target == moved)
        rig.run(until: .transferring)
        _ = rig.takeTrace()
        rig.send(.partFailed(1, TransferError(.targetMoved, "and again")))
        rig.runToEnd()
        #expect(rig.takeTrace().hasSuffix("abort u3; remove; = targetMoved"))
    }

    /// Credentials may lead elsewhere at any request, not only with a part.
    @Test func followsATargetThatMovesAtTheListingOrAtTheEnd() {
        var listing = MachineStages.listing.rig()
        listing.send(.listingFailed(TransferError(.targetMoved, "new address")))
        listing.run(until: .transferring)
        #expect(
            listing.takeTrace().hasPrefix("!restarted(targetChanged); !left(u1); create; begin u2; !created(u2)"))

        var completing = MachineStages.completing.rig()
        completing.send(.completionFailed(TransferError(.targetMoved, "new address")))
        completing.run(until: .transferring)
        #expect(
            completing.takeTrace().hasPrefix(
                "!completionFailed(targetMoved); !restarted(targetChanged); !left(u2); create; begin u3"))
        completing.run(until: .completing)
        _ = completing.takeTrace()
        completing.send(.completionFailed(TransferError(.targetMoved, "and again")))
        completing.runToEnd()
        #expect(completing.outcome?.label == "targetMoved")
    }

    struct Difference: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: RestartReason
        let change: @Sendable (inout TransferCheckpoint) -> Void

        init(_ name: String, _ reason: RestartReason, _ change: @escaping @Sendable (inout TransferCheckpoint) -> Void)
        {
            testDescription = name
            self.reason = reason
            self.change = change
        }
    }

    static let differences = [
        Difference("kind", .targetChanged) { $0.kind = .upload },
        Difference("target key", .targetChanged) { $0.target.key = "other" },
        Difference("target bucket", .targetChanged) { $0.target.bucket = "other" },
        Difference("source size", .sourceChanged) { $0.source.size = 24 },
        Difference("source etag", .sourceChanged) { $0.source.etag = ETag("other") },
        Difference("source object", .sourceChanged) { $0.source.object?.key = "other" },
        Difference("source version", .sourceChanged) { $0.source.object?.versionID = "2" },
        Difference("source checksum", .sourceChanged) { $0.source.checksums = Checksums(crc64: 1) },
        Difference("options", .optionsChanged) { $0.optionsDigest = "other" },
        Difference("part size", .partSizeChanged) { $0.partSize = 11 },
        Difference("part count", .recordInvalid) { $0.partCount = 4 },
        Difference("part out of range", .recordInvalid) { $0.parts = [CompletedPart(number: 4, etag: ETag("e"))] },
        Difference("part number 0", .recordInvalid) { $0.parts = [CompletedPart(number: 0, etag: ETag("e"))] },
        Difference("part without a tag", .recordInvalid) { $0.parts = [CompletedPart(number: 1, etag: ETag("\"\""))] },
        Difference("part of another size", .recordInvalid) {
            $0.parts = [CompletedPart(number: 1, etag: ETag("e"), size: 9)]
        },
    ]

    @Test(arguments: differences) func aDifferenceIsAFreshStart(_ difference: Difference) {
        var saved = Sample.checkpoint(parts: [1])
        difference.change(&saved)
        var rig = rig(saved)
        rig.runToEnd()
        #expect(
            rig.takeTrace() == "claim; inspect; !restarted(\(difference.reason)); abort u1; " + Self.fresh)
        // A restart replaces the record before its first part.
        #expect(rig.begun.map(\.uploadID) == ["u2"])
        #expect(rig.begun.first?.parts.isEmpty == true)
    }

    /// An empty id in a request to abort names no upload at all, and some services take it for the object.
    @Test func anUploadWithoutAnIDIsNeverAborted() {
        var resumed = rig(Sample.checkpoint(parts: [1], uploadID: ""))
        resumed.runToEnd()
        #expect(resumed.takeTrace() == "claim; inspect; !restarted(recordInvalid); " + Self.fresh)

        var aborted = rig(Sample.checkpoint(parts: [1], uploadID: ""))
        aborted.run(until: .inspecting)
        aborted.send(.stop(.abort))
        aborted.runToEnd()
        #expect(aborted.takeTrace() == "claim; inspect; !stopping(aborted); cut request; remove; = aborted")
    }

    /// The upload of another service is not aborted at this one, where its id means nothing or something else.
    @Test func anotherServicesUploadIsReportedNotAborted() {
        var saved = Sample.checkpoint(parts: [1])
        saved.provider = "other"
        var rig = rig(saved)
        rig.runToEnd()
        #expect(rig.takeTrace() == "claim; inspect; !restarted(targetChanged); !left(u1); " + Self.fresh)
    }

    @Test func oneRequestReplacesARecordOfParts() {
        var rig = rig(Sample.checkpoint(parts: [1]))
        rig.world.inspection = Sample.wholeInspection
        rig.runToEnd()
        #expect(
            rig.takeTrace() == """
                claim; inspect; !restarted(targetChanged); abort u1; whole; remove; !progress(25 end); !completed; \
                = success crc64
                """)
    }

    @Test func runsWithoutARecordThatAnotherTaskHolds() {
        var rig = MachineRig()
        rig.send(.start)
        rig.send(.claimedElsewhere(TransferError(.checkpointInUse, "held")))
        rig.run(until: .transferring)
        rig.send(.stop(.pause))
        rig.runToEnd(graceExpires: true)
        let trace = rig.takeTrace()
        #expect(trace.hasPrefix("claim; !unrecorded(checkpointInUse); inspect; create"))
        // It could not be resumed, so it leaves nothing.
        #expect(trace.hasSuffix("cut parts; !cut(1); !cut(2); abort u2; remove; = paused"))
    }

    @Test func localBytesDecideAboutPartsOfAnEarlierCall() {
        var world = MachineRig.World()
        world.saved = Sample.checkpoint(parts: [1, 2])
        world.listed = [Sample.part(1), Sample.part(2)]
        var rig = MachineRig(Sample.settings(checksLocal: true), world)
        rig.send(.start)
        rig.run(until: .checkingLocal)
        #expect(rig.open == [.local([1, 2])])
        rig.send(.localChecked([Sample.part(2)]))
        #expect(rig.open == [.part(1), .part(3)])
        #expect(rig.takeTrace().hasSuffix("!resumed(u1 1 10); !progress(10); start 1 of u1; start 3 of u1"))
    }
}
