import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import Testing

/// Checks of the TOS specification, section 11.2, that have no suite of their own.
@Suite struct SpecificationChecksTests {
    private static let part = CopyFixture.partSize
    /// Bytes of a source, and the parts that it is copied in.
    private static let sizes: [(size: Int, count: Int)] = [
        (0, 1), (1, 1), (part - 1, 1), (part, 1), (part + 1, 2), (4 * part, 4), (4 * part + 1, 5),
    ]

    @Test(arguments: sizes)
    func `check 3: part arithmetic`(size: Int, count: Int) async throws {
        let fixture = try await CopyFixture(size: UInt64(size))
        let events = EventLog()
        _ = try await fixture.client.resumableCopyObject(fixture.input(events))
        let parts = events.all.compactMap(\.copyPartInfo)
        #expect(parts.map(\.partNumber) == Array(1...count))
        #expect(parts.first?.copySourceRangeStart == 0)
        #expect(parts.last?.copySourceRangeEnd == Int64(size) - 1)
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.copySourceRangeEnd + 1 == $1.copySourceRangeStart })
        #expect(fixture.isCopied)
    }

    @Test func `check 3: 10,000 parts are planned, 10,001 are refused before anything is created`() async throws {
        let fixture = try await CopyFixture(size: 10_000 * UInt64(Self.part))
        let hook = TOSCancelHook()
        var input = fixture.input()
        input.cancelHook = hook
        input.copyEventListener = { _ in hook.cancel() }
        let pause = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(pause?.code == .paused)
        let pending = try await fixture.client.pendingTransfers(in: FileCheckpointStore(path: fixture.checkpoint))
        #expect(pending.map(\.partCount) == [10_000])

        let more = try await CopyFixture(size: 10_000 * UInt64(Self.part) + 1)
        let error = await failure { _ = try await more.client.resumableCopyObject(more.input()) }
        #expect(error?.field == "partSize")
        #expect(more.operations == ["HeadObject"])
    }

    @Test(arguments: [
        ("a/b c.txt", "/a/b%20c.txt"), ("+", "/%2B"), ("%", "/%25"), ("?", "/%3F"), ("#", "/%23"),
        ("中文", "/%E4%B8%AD%E6%96%87"), (".", "/."), ("..", "/.."), ("dir/", "/dir/"),
    ])
    func `check 4: path encoding`(key: String, path: String) async throws {
        let fixture = try await CopyFixture()
        _ = try await fixture.client.putObject(
            TOSPutObjectInput(bucket: "dst-bucket", key: key, content: MemorySource([1])))
        #expect(fixture.server.wireLog.entries.last?.request.target == "/dst-bucket" + path)
        #expect(fixture.server.storage.object(key, in: "dst-bucket") != nil)
    }

    @Test(arguments: [0, 3])
    func `check 7: what is repeated, and that zero means never`(retries: Int) async throws {
        let troubles: [(fault: Fault, repeats: Bool)] = [
            (.status(429, retryAfter: 0), true), (.status(503), true), (.lateError(), true), (.status(400), false),
        ]
        for trouble in troubles {
            let asked = try await asked(trouble.fault, retries: retries)
            #expect(asked == (trouble.repeats && retries > 0 ? 2 : 1), "\(trouble.fault.name)")
        }
    }

    /// Not with zero: a kept connection that ends without a byte is replaced at once, for the request may not have arrived.
    @Test func `check 7: what a broken connection lost is sent again`() async throws {
        for fault in [Fault.resetAfterBody, .loseAnswer] {
            let asked = try await asked(fault, retries: 3)
            #expect(asked == 2, "\(fault.name)")
        }
    }

    /// How often the copy of part 2 is asked for when `fault` meets the first request.
    private func asked(_ fault: Fault, retries: Int) async throws -> Int {
        let fixture = try await CopyFixture()
        fixture.server.faults.add(.on(.uploadPartCopy).part(2).first(1), fault)
        var input = fixture.input()
        input.maxRetryCount = retries
        let asked = { fixture.server.wireLog.entries(of: .uploadPartCopy).count { $0.request.partNumber == 2 } }
        do {
            _ = try await fixture.client.resumableCopyObject(input)
            #expect(asked() == 2 && fixture.isCopied)
        } catch is TransferError {
            #expect(asked() == 1)
        }
        return asked()
    }

    @Test(arguments: [-7200.0, 7200])
    func `check 7: a skewed clock is repaired, whatever the retries`(seconds: Double) async throws {
        let fixture = try await CopyFixture { $0.clock = ShiftedClock(by: seconds) }
        var input = fixture.input()
        input.maxRetryCount = 0
        _ = try await fixture.client.resumableCopyObject(input)
        #expect(fixture.isCopied)
    }
}
