import Testing

@testable import TransferCore

/// Complete, its lost answers, and what the object itself then tells.
@Suite struct MachineCompletionTests {
    typealias Look = Result<ObjectInfo, TransferError>

    static let verifying: Look = .success(Sample.info)
    static let differing: Look = .success(
        ObjectInfo(size: Sample.size, etag: ETag("other"), checksums: Checksums(crc64: 1)))
    static let sameSizeOnly: Look = .success(ObjectInfo(size: Sample.size, etag: ETag("other")))
    static let missing: Look = .failure(TransferError(.notFound, "404"))
    static let denied: Look = .failure(TransferError(.accessDenied, "403"))
    static let unreachable: Look = .failure(TransferError(.connectionFailed, "down"))

    private func history(
        _ error: TransferError, _ look: Look, keeps: Bool = true, stop: TransferMachine.StopRequest? = nil
    ) -> MachineRig {
        var rig = MachineStages.completing.rig(keeps: keeps)
        if let stop { rig.send(.stop(stop)) }
        rig.send(.completionFailed(error))
        rig.world.target = look
        rig.runToEnd()
        return rig
    }

    /// Answers that were lost, or came from a service in trouble.
    static let silent: [TransferError.Code] = [
        .connectionFailed, .timedOut, .malformedResponse, .lengthMismatch, .outcomeUnknown, .cut, .hostNotFound,
        .tlsFailed,
        .proxyFailed, .disposed,
    ]
    static let troubled: [TransferError.Code] = [.serviceUnavailable, .throttled, .conflict]

    @Test(arguments: silent + troubled + [.uploadNotFound])
    func anObjectThatVerifiesIsASuccess(_ code: TransferError.Code) {
        for stop in [nil, TransferMachine.StopRequest.pause, .abort, .taskCancelled, .disposed] {
            var rig = history(TransferError(code, "?"), Self.verifying, stop: stop)
            #expect(rig.takeTrace() == "head; remove; !progress(25 end); !completed; = success crc64")
            #expect(rig.outcome?.receipt?.versionID == "v")
            #expect(rig.outcome?.receipt?.uploadID == "u2")
        }
    }

    /// What is not known is not called a failure, and an upload whose Complete may still be at work is not aborted.
    @Test(arguments: silent) func silenceAndNoObjectLeaveTheOutcomeOpen(_ code: TransferError.Code) {
        for look in [Self.missing, Self.differing, Self.sameSizeOnly, Self.denied, Self.unreachable] {
            var kept = history(TransferError(code, "?"), look)
            #expect(
                kept.takeTrace()
                    == "head; !completionFailed(outcomeUnknown); !stopping(outcomeUnknown); flush; = outcomeUnknown")
            #expect(kept.outcome?.error?.uploadID == "u2")
            #expect((kept.outcome?.error?.underlying as? TransferError)?.code == code)
            var bare = history(TransferError(code, "?"), look, keeps: false)
            #expect(
                bare.takeTrace() == """
                    head; !completionFailed(outcomeUnknown); !stopping(outcomeUnknown); !left(u2 outcomeUnknown); \
                    = outcomeUnknown
                    """)
        }
    }

    @Test func anOpenOutcomeOutlivesEveryWishToStop() {
        for (stop, outcome) in [
            (TransferMachine.StopRequest.pause, "outcomeUnknown"), (.abort, "outcomeUnknown"),
            (.taskCancelled, "cancelled"), (.disposed, "disposed"),
        ] {
            for keeps in [true, false] {
                var rig = history(TransferError(.timedOut, "?"), Self.unreachable, keeps: keeps, stop: stop)
                let trace = rig.takeTrace()
                #expect(!trace.contains("abort"), "\(stop)")
                #expect(!trace.contains("remove"))
                #expect(trace.hasSuffix("= \(outcome)"))
                #expect(rig.events.count { if case .stopping = $0 { true } else { false } } == 1)
            }
        }
        // Also one that comes while the record is being flushed.
        var rig = MachineStages.completing.rig()
        rig.send(.completionFailed(TransferError(.timedOut, "?")))
        rig.world.target = Self.unreachable
        rig.run(until: .flushing)
        rig.send(.stop(.abort))
        rig.send(.claimLost)
        _ = rig.takeTrace()
        rig.runToEnd()
        #expect(rig.takeTrace() == "= outcomeUnknown")
    }

    /// A service that answered has nothing under way any more: no object then means that Complete failed.
    @Test(arguments: troubled) func anAnswerAndNoObjectAreAFailure(_ code: TransferError.Code) {
        for look in [Self.missing, Self.differing] {
            var kept = history(TransferError(code, "?"), look)
            #expect(kept.takeTrace() == "head; !completionFailed(\(code)); !stopping(\(code)); flush; = \(code)")
            var bare = history(TransferError(code, "?"), look, keeps: false)
            #expect(
                bare.takeTrace() == "head; !completionFailed(\(code)); !stopping(\(code)); abort u2; remove; = \(code)")
            var aborted = history(TransferError(code, "?"), look, stop: .abort)
            #expect(
                aborted.takeTrace()
                    == "head; !completionFailed(\(code)); !stopping(aborted); abort u2; remove; = aborted")
        }
        var unknown = history(TransferError(code, "?"), Self.unreachable)
        #expect(unknown.takeTrace().hasSuffix("flush; = outcomeUnknown"))
    }

    /// An earlier attempt may have done what the last one was refused for, such as a ban on overwriting.
    @Test func aRefusalAfterSeveralAttemptsIsLookedInto() {
        let refusal = TransferError(.preconditionFailed, "exists", attempts: 2)
        var stored = history(refusal, Self.verifying)
        #expect(stored.takeTrace().hasSuffix("= success crc64"))
        var not = history(refusal, Self.differing)
        #expect(
            not.takeTrace() == """
                head; !completionFailed(preconditionFailed); !stopping(preconditionFailed); flush; = preconditionFailed
                """)
        var first = history(TransferError(.preconditionFailed, "exists", attempts: 1), Self.verifying)
        #expect(first.takeTrace().hasPrefix("!completionFailed(preconditionFailed)"))
    }

    // MARK: NoSuchUpload

    @Test func anUploadThatIsGoneWithoutAnObjectBeginsAgainOnce() {
        for look in [Self.missing, Self.differing, Self.sameSizeOnly] {
            var rig = history(TransferError(.uploadNotFound, "404"), look)
            #expect(
                rig.takeTrace().hasPrefix(
                    "head; !completionFailed(uploadNotFound); !restarted(uploadNotFound); create; begin u3"))
            #expect(rig.outcome?.label == "success crc64")
        }
        var twice = MachineStages.completing.rig()
        twice.world.target = Self.missing
        twice.send(.completionFailed(TransferError(.uploadNotFound, "404")))
        twice.run(until: .completing)
        _ = twice.takeTrace()
        twice.send(.completionFailed(TransferError(.uploadNotFound, "404")))
        twice.runToEnd()
        #expect(
            twice.takeTrace()
                == "head; !completionFailed(uploadNotFound); !stopping(uploadNotFound); remove; = uploadNotFound")
    }

    @Test func aWishToStopIsHeardOnceTheUploadIsKnownToBeGone() {
        for (stop, tail) in [
            (TransferMachine.StopRequest.pause, "!stopping(paused); flush; = paused"),
            (.abort, "!stopping(aborted); remove; = aborted"),
            (.taskCancelled, "!stopping(paused); flush; = cancelled"),
        ] {
            var rig = history(TransferError(.uploadNotFound, "404"), Self.missing, stop: stop)
            #expect(rig.takeTrace() == "head; !completionFailed(uploadNotFound); " + tail)
        }
    }

    /// While the service cannot be reached the record stays; where no look is allowed it would lead here for ever.
    @Test func anUploadThatIsGoneWithoutALookIsUnknown() {
        var later = history(TransferError(.uploadNotFound, "404"), Self.unreachable)
        #expect(
            later.takeTrace()
                == "head; !completionFailed(outcomeUnknown); !stopping(outcomeUnknown); flush; = outcomeUnknown")
        var never = history(TransferError(.uploadNotFound, "404"), Self.denied)
        #expect(
            never.takeTrace()
                == "head; !completionFailed(outcomeUnknown); !stopping(outcomeUnknown); remove; = outcomeUnknown")
    }

    /// It may have become the object, so a pause or an abort would promise too much.
    @Test func anUploadThatIsGoneWithoutALookOutlivesEveryWishToStop() {
        for (stop, outcome) in [
            (TransferMachine.StopRequest.pause, "outcomeUnknown"), (.abort, "outcomeUnknown"),
            (.taskCancelled, "cancelled"), (.disposed, "disposed"),
        ] {
            for keeps in [true, false] {
                var later = history(TransferError(.uploadNotFound, "404"), Self.unreachable, keeps: keeps, stop: stop)
                #expect(later.takeTrace().hasSuffix("\(keeps ? "flush" : "remove"); = \(outcome)"))
                var never = history(TransferError(.uploadNotFound, "404"), Self.denied, keeps: keeps, stop: stop)
                #expect(never.takeTrace().hasSuffix("remove; = \(outcome)"))
            }
        }
        var rig = MachineStages.completing.rig()
        rig.send(.claimLost)
        rig.send(.completionFailed(TransferError(.uploadNotFound, "404")))
        rig.world.target = Self.unreachable
        rig.runToEnd()
        #expect(rig.takeTrace().hasSuffix("!stopping(checkpointLost); = checkpointLost"))
    }

    @Test func aListingThatMissesACompletedUploadLooksAtTheObjectFirst() {
        for saved in [
            Sample.checkpoint(parts: [1, 2, 3], isCompleting: true), Sample.checkpoint(parts: [1, 2, 3]),
            Sample.checkpoint(parts: [1], isCompleting: true),
        ] {
            var world = MachineRig.World()
            world.saved = saved
            var rig = MachineRig(Sample.settings(), world)
            rig.send(.start)
            rig.run(until: .listing)
            _ = rig.takeTrace()
            rig.send(.listingFailed(TransferError(.uploadNotFound, "404")))
            rig.runToEnd()
            #expect(rig.takeTrace() == "head; remove; !progress(25 end); !completed; = success crc64")
        }
    }

    /// The tag that exactly the recorded parts give proves the object where the source has no CRC-64.
    @Test func theTagOfThePartsProvesTheObject() {
        for (tag, end) in [(Sample.objectETag, "= success partETags"), (ETag("other-3"), "= success crc64")] {
            var saved = Sample.checkpoint(parts: [1, 2, 3])
            saved.source.checksums = nil
            var world = MachineRig.World()
            world.saved = saved
            world.inspection.checkpoint.source.checksums = nil
            world.target = .success(ObjectInfo(size: Sample.size, etag: tag))
            var rig = MachineRig(Sample.settings(), world)
            rig.send(.start)
            rig.run(until: .listing)
            rig.send(.listingFailed(TransferError(.uploadNotFound, "404")))
            rig.runToEnd()
            // Where the tag is another, the transfer begins again and Complete's own answer verifies.
            #expect(rig.takeTrace().hasSuffix(end))
        }
    }

    // MARK: Answers that cannot stand by themselves

    @Test func anAnswerWithoutATagIsNoSuccessByItself() {
        for (look, tail) in [
            (Self.verifying, "remove; !progress(25 end); !completed; = success crc64"),
            (Self.missing, "!completionFailed(outcomeUnknown); !stopping(outcomeUnknown); flush; = outcomeUnknown"),
            (Self.unreachable, "!completionFailed(outcomeUnknown); !stopping(outcomeUnknown); flush; = outcomeUnknown"),
        ] {
            var rig = MachineStages.completing.rig()
            rig.world.target = look
            rig.send(.completed(TransferReceipt(etag: ETag("\"\""))))
            rig.runToEnd()
            #expect(rig.takeTrace() == "head; " + tail)
        }
    }

    @Test func anObjectOfAnotherChecksumIsReportedNotDeleted() {
        var rig = MachineStages.completing.rig()
        rig.send(.completed(TransferReceipt(etag: ETag("e"), checksums: Checksums(crc64: 1))))
        rig.runToEnd()
        #expect(
            rig.takeTrace()
                == "!completionFailed(checksumMismatch); !stopping(checksumMismatch); remove; = checksumMismatch")
        #expect(rig.outcome?.error?.receipt?.etag == ETag("e"))
    }

    @Test func aWholeThatWasTakenNeedsNoLook() {
        var sized = MachineStages.transferringWhole.rig()
        sized.send(.completed(TransferReceipt(etag: ETag("e"), size: Sample.size)))
        sized.runToEnd()
        #expect(sized.takeTrace().hasSuffix("remove; !progress(25 end); !completed; = success sizeOnly"))
        // A copy by one request tells no size.
        var bare = MachineStages.transferringWhole.rig()
        bare.send(.completed(TransferReceipt(etag: ETag("e"))))
        bare.runToEnd()
        #expect(bare.takeTrace().hasPrefix("head; "))
    }

    @Test func aLookDecidesWhatTheAnswerLeftOpen() {
        func rig(_ look: Look) -> MachineRig {
            var rig = MachineStages.completing.rig()
            rig.world.target = look
            rig.send(.completed(TransferReceipt(etag: ETag("e"))))
            rig.runToEnd()
            return rig
        }
        var same = rig(.success(ObjectInfo(size: 25, etag: ETag("e"), checksums: Sample.info.checksums)))
        #expect(same.takeTrace() == "head; remove; !progress(25 end); !completed; = success crc64")
        var short = rig(.success(ObjectInfo(size: 24, etag: ETag("e"))))
        #expect(short.takeTrace().hasSuffix("remove; = checksumMismatch"))
        var wrong = rig(.success(ObjectInfo(size: 25, etag: ETag("e"), checksums: Checksums(crc64: 1))))
        #expect(wrong.takeTrace().hasSuffix("remove; = checksumMismatch"))
        var bare = rig(.success(ObjectInfo(size: 25, etag: ETag("e"))))
        #expect(bare.takeTrace().hasSuffix("= success sizeOnly"))
        // Somebody has replaced it already; that says nothing about what was stored.
        var replaced = rig(.success(ObjectInfo(size: 3, etag: ETag("f"))))
        #expect(replaced.takeTrace().hasSuffix("= success none"))
        for look in [Self.missing, Self.denied, Self.unreachable] {
            var unseen = rig(look)
            #expect(unseen.takeTrace() == "head; remove; !progress(25 end); !completed; = success none")
        }
    }

    @Test func aFailedCallbackIsNeitherSuccessNorRepeated() {
        for stop in [nil, TransferMachine.StopRequest.pause, .abort] {
            var rig = MachineStages.completing.rig()
            if let stop { rig.send(.stop(stop)) }
            rig.send(.completionFailed(TransferError(.storedCallbackFailed, "203", receipt: Sample.receipt)))
            rig.runToEnd()
            #expect(
                rig.takeTrace() == """
                    !completionFailed(storedCallbackFailed); !stopping(storedCallbackFailed); remove; \
                    = storedCallbackFailed
                    """)
            #expect(rig.outcome?.error?.receipt != nil)
        }
    }

    // MARK: InvalidPart

    @Test func aMissingPartIsFoundAndSentAgain() {
        var rig = MachineStages.completing.rig()
        rig.world.listed = [Sample.part(1), Sample.part(3)]
        rig.send(.completionFailed(TransferError(.invalidPart, "400")))
        rig.runToEnd()
        #expect(
            rig.takeTrace() == """
                !completionFailed(invalidPart); list u2; record 1; record 3; start 2 of u2; record 2; !done(2); recheck; \
                mark; complete u2 with 1,2,3; remove; !progress(25 end); !completed; = success crc64
                """)
    }

    /// The same refusal again means that this upload never becomes an object; the next call must not meet it again.
    @Test func aPartThatStaysInvalidGivesTheUploadUp() {
        var rig = MachineStages.completing.rig()
        rig.world.listed = (1...3).map { Sample.part($0) }
        rig.send(.completionFailed(TransferError(.invalidPart, "400")))
        rig.run(until: .completing)
        _ = rig.takeTrace()
        rig.send(.completionFailed(TransferError(.invalidPart, "400")))
        rig.runToEnd()
        #expect(
            rig.takeTrace() == "!completionFailed(invalidPart); !stopping(invalidPart); abort u2; remove; = invalidPart"
        )
    }

    /// FR-003: where parts may not be listed, the missing one cannot be found out, and all are sent again, once.
    @Test func aMissingPartThatCannotBeFoundBeginsAgain() {
        var rig = MachineStages.completing.rig()
        rig.send(.completionFailed(TransferError(.invalidPart, "400")))
        _ = rig.takeTrace()
        rig.send(.listingFailed(TransferError(.accessDenied, "403")))
        rig.run(until: .completing)
        #expect(rig.takeTrace().hasPrefix("!restarted(partsLost); abort u2; create; begin u3"))
        #expect(rig.completedParts.last == [1, 2, 3])
        rig.send(.completionFailed(TransferError(.invalidPart, "400")))
        rig.runToEnd()
        #expect(
            rig.takeTrace() == "!completionFailed(invalidPart); !stopping(invalidPart); abort u3; remove; = invalidPart"
        )
    }

    /// The upload that is given up is of this call, and no earlier record names it.
    @Test func anUploadThatCannotBeGivenUpIsToldOf() {
        var rig = MachineStages.completing.rig()
        rig.send(.completionFailed(TransferError(.invalidPart, "400")))
        rig.send(.listingFailed(TransferError(.accessDenied, "403")))
        _ = rig.takeTrace()
        rig.send(.uploadAborted(TransferError(.connectionFailed, "down")))
        #expect(rig.takeTrace() == "!left(u2 connectionFailed); create")
    }

    @Test func nothingIsAskedForAfterAWishToStop() {
        for (stop, tail) in [
            (TransferMachine.StopRequest.pause, "!stopping(paused); flush; = paused"),
            (.abort, "!stopping(aborted); abort u2; remove; = aborted"),
        ] {
            var rig = MachineStages.completing.rig()
            rig.send(.stop(stop))
            rig.send(.completionFailed(TransferError(.invalidPart, "400")))
            rig.runToEnd()
            #expect(rig.takeTrace() == "!completionFailed(invalidPart); " + tail)
        }
    }

    // MARK: One request

    @Test func aLostAnswerOfOneRequestIsLookedInto() {
        for (look, tail) in [
            (Self.verifying, "remove; !progress(25 end); !completed; = success crc64"),
            (Self.missing, "!completionFailed(outcomeUnknown); !stopping(outcomeUnknown); = outcomeUnknown"),
        ] {
            var rig = MachineStages.transferringWhole.rig()
            rig.world.target = look
            rig.send(.completionFailed(TransferError(.timedOut, "?")))
            rig.runToEnd()
            #expect(rig.takeTrace() == "head; " + tail)
        }
        var refused = MachineStages.transferringWhole.rig()
        refused.world.target = Self.missing
        refused.send(.completionFailed(TransferError(.serviceUnavailable, "503")))
        refused.runToEnd()
        #expect(
            refused.takeTrace()
                == "head; !completionFailed(serviceUnavailable); !stopping(serviceUnavailable); flush; = serviceUnavailable"
        )
    }
}
