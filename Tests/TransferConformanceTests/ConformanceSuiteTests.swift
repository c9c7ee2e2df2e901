import TestSupport
import Testing
import TransferConformance
import TransferCore
import TransferPrimitives

/// The suite finds what it is there to find, and says so.
@Suite struct ConformanceSuiteTests {
    private static let bucket = "films"

    private static func suite(
        _ change: (inout ConformanceSubject) -> Void = { _ in },
        _ backend: @escaping @Sendable (LocalDirectory) -> any TransferBackend
    ) throws -> ConformanceSuite {
        let directory = try LocalDirectory(buckets: bucket)
        var subject = ConformanceSubject(bucket: bucket) { backend(directory) }
        subject.partsBeyondPage = 4
        change(&subject)
        return ConformanceSuite(subject)
    }

    /// For each fault the checks that must not let it pass.
    private static let finds: [(FaultyBackend.Fault, [String])] = [
        (.takesOneReading, ["put: a source that gives few", "multipart: a part of a source that gives few"]),
        (.forgetsAttributes, ["put: content type"]),
        (.losesCaseOfKeys, ["put: keys of any text"]),
        (.callsMissingRefused, ["missing: HEAD", "missing: a read of", "missing: a copy", "missing: a part copy"]),
        (.wrapsErrorsOfSources, ["put: a source that fails"]),
        (.wrapsErrorsOfSinks, ["read: a sink that throws"]),
        (.writesFromZero, ["read: ranges", "engine: a download is paused"]),
        (.ignoresTagsOfReads, ["read: only while"]),
        (.ignoresTagsOfCopies, ["copy: only while", "part copy: only while"]),
        (.ignoresRanges, ["part copy: ranges", "engine: a copy is paused"]),
        (.tellsNoCRC64OfParts, ["multipart: each part tells", "engine: an upload is paused"]),
        (.claimsCRC64, ["put: the CRC-64", "complete: the CRC-64"]),
        (.comparesNothing, ["put: the CRC-64", "engine: an upload by one request"]),
        (.listsInOrderOfArrival, ["list: ascending"]),
        (.listsOnePage, ["list: more parts"]),
        (.listsWrongSizes, ["list: ascending", "list: of a part", "engine: an upload is paused"]),
        (.acceptsAnyTag, ["complete: the tag of a part", "complete: a part that was never"]),
        (.keepsCompletedUploads, ["complete: the upload is gone"]),
        (.abortsNothing, ["abort: upload and parts", "abort: no part"]),
        (.refusesSecondAbort, ["abort: of an upload that is gone"]),
        (.cannotBeCancelled, ["cancellation: a put", "cancellation: a read"]),
        (.belongsToOneValue, ["multipart: any value"]),
        (.contradictsItself, ["capabilities: limits"]),
    ]

    @Test(arguments: finds) func aFaultIsFound(_ fault: FaultyBackend.Fault, _ names: [String]) async throws {
        let suite = try Self.suite { FaultyBackend($0, fault) }
        for name in names {
            let check = try #require(suite.checks.first { $0.name.hasPrefix(name) }, "\(name)")
            guard case .failed(let reason) = await check.run() else {
                Issue.record("\(check.name) lets \(fault) pass")
                continue
            }
            let failure = await #expect(throws: ConformanceFailure.self) { try await check.verify() }
            #expect(failure?.check == check.name)
            #expect(!reason.isEmpty)
        }
    }

    @Test func everyFaultIsTried() { #expect(Set(Self.finds.map(\.0)) == Set(FaultyBackend.Fault.allCases)) }

    @Test func aBackendThatOnlyUploadsIsCheckedForThatAlone() async throws {
        let suite = try Self.suite { UploadsOnly(base: LocalDirectoryBackend($0)) }
        let report = await suite.run()
        #expect(report.isConforming)
        #expect(report.failed.isEmpty)
        let reasons = report.skipped.map(\.description)
        #expect(reasons.contains("skipped  copy: an empty object: the backend is no CopyBackend"))
        #expect(reasons.contains("skipped  read: an empty object: the backend is no ReadableBackend"))
        #expect(
            reasons.contains(
                "skipped  put: the CRC-64 is told, and compared: capabilities.checksums does not name CRC-64"))
        #expect(reasons.contains("skipped  missing: any step in no bucket: the subject names no missingBucket"))
        #expect(report.passed.count + report.skipped.count == suite.checks.count)
        #expect(
            report.description.hasSuffix("\(report.passed.count) passed, 0 failed, \(report.skipped.count) skipped"))
        let check = try #require(suite.checks.first { $0.name == "read: an empty object" })
        #expect(check.description == "read: an empty object (skipped: the backend is no ReadableBackend)")
        try await check.verify()
    }

    @Test func denialsThatAreToBeReckonedWithAreNoFailures() async throws {
        let suite = try Self.suite { UploadsOnly(base: LocalDirectoryBackend($0), deniesLooks: true) }
        for name in ["put: a small object", "list: no parts of a new upload"] {
            let check = try #require(suite.checks.first { $0.name == name })
            guard case .skipped(let reason) = await check.run() else {
                Issue.record("\(name) was not skipped")
                continue
            }
            #expect(reason.contains("denied, as capabilities.mayDeny"))
        }
    }

    @Test func whatIsMadeIsRemovedWhereItCanBe() async throws {
        let removed = LockBox<Set<ObjectLocation>>([])
        let suite = try Self.suite {
            $0.keyPrefix = "tried/"
            $0.remove = { location in removed.withLock { _ = $0.insert(location) } }
        } _: {
            LocalDirectoryBackend($0)
        }
        let check = try #require(suite.checks.first { $0.name == "put: an empty object" })
        #expect(await check.run() == .passed)
        #expect(removed.withLock { $0.count } == 1)
        #expect(removed.withLock { $0.allSatisfy { $0.key.hasPrefix(suite.keyPrefix) && $0.bucket == Self.bucket } })
    }

    @Test func aCheckThatIsCancelledLeavesNothingBehind() async throws {
        let removed = LockBox<Set<ObjectLocation>>([])
        let suite = try Self.suite {
            $0.remove = { location in
                try Task.checkCancellation()
                removed.withLock { _ = $0.insert(location) }
            }
        } _: {
            LocalDirectoryBackend($0)
        }
        let check = try #require(suite.checks.first { $0.name == "put: a small object" })
        let outcome = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await check.run()
        }.value
        #expect(outcome == .skipped("cancelled"))
        #expect(removed.withLock { $0.count } == 1)
    }

    @Test func aRunThatIsCancelledBeginsNothingMore() async throws {
        let suite = try Self.suite { LocalDirectoryBackend($0) }
        let report = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await suite.run()
        }.value
        #expect(report.skipped.count == suite.checks.count)
        #expect(!report.isConforming)
    }
}
