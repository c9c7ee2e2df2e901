import Foundation
import ObjectTransfer
import TestSupport
import Testing
import TransferPrimitives

extension RealServerTests {
    /// Transfers that are paused and resumed inside one process.
    @Suite struct TransferTests {
        @Test(arguments: RealServer.Kind.allCases)
        func `an upload is paused and resumed`(_ kind: RealServer.Kind) async throws {
            let fixture = try ServerFixture(kind)
            let receipt = try await pauseAndResume(fixture) {
                try await fixture.client.uploadFile(fixture.file, to: fixture.film(), options: $0)
            }
            #expect(receipt.verification == .partETags)
            #expect(try await fixture.holdsFile(fixture.film()))
            try observe(fixture, "file upload")
        }

        @Test(arguments: RealServer.Kind.allCases)
        func `a copy is paused and resumed`(_ kind: RealServer.Kind) async throws {
            let fixture = try ServerFixture(kind)
            _ = try await fixture.client.uploadFile(fixture.file, to: fixture.film())
            let receipt = try await pauseAndResume(fixture) {
                try await fixture.client.resumableCopyObject(from: fixture.film(), to: fixture.copy(), options: $0)
            }
            #expect(receipt.verification == .partETags)
            #expect(try await fixture.holdsFile(fixture.copy()))
            try observe(fixture, "copy in parts")
        }

        @Test(arguments: RealServer.Kind.allCases)
        func `a download is paused and resumed`(_ kind: RealServer.Kind) async throws {
            let fixture = try ServerFixture(kind)
            _ = try await fixture.client.uploadFile(fixture.file, to: fixture.film())
            let path = fixture.directory.path("returned")
            _ = try await pauseAndResume(fixture) {
                try await fixture.client.downloadFile(fixture.film(), to: path, options: $0)
            }
            #expect(FileManager.default.contentsEqual(atPath: path, andPath: fixture.file))
            try observe(fixture, "file download")
        }

        @Test(arguments: RealServer.Kind.allCases)
        func `a source whose key could be decoded twice is copied, not its look-alike`(_ kind: RealServer.Kind)
            async throws
        {
            let fixture = try ServerFixture(kind)
            _ = try await fixture.client.uploadFile(fixture.file, to: fixture.film("a%2541"))
            _ = try await fixture.client.putObject(
                MemorySource([UInt8](repeating: 0, count: Int(ServerFixture.size))), at: fixture.film("a%41"))
            _ = try await fixture.client.resumableCopyObject(
                from: fixture.film("a%2541"), to: fixture.copy(), options: fixture.options())
            #expect(try await fixture.holdsFile(fixture.copy()))
            let unaware = try fixture.server.client { $0.decodesPartCopySourceTwice = nil }
            let refused = await transferError {
                try await unaware.resumableCopyObject(from: fixture.film("a%2541"), to: fixture.copy("other"))
            }
            #expect(refused?.code == .unsupported)
        }

        @Test(arguments: RealServer.Kind.allCases)
        func `a copy whose source changes on its way makes no object`(_ kind: RealServer.Kind) async throws {
            let fixture = try ServerFixture(kind)
            _ = try await fixture.client.uploadFile(fixture.file, to: fixture.film())
            var options = fixture.options()
            options.concurrency = 1
            let backend = ChangingSource(backend: S3Backend(fixture.client)) {
                let other = MemorySource([UInt8](repeating: 1, count: Int(ServerFixture.size)))
                _ = try await fixture.client.putObject(other, at: fixture.film())
            }
            let error = await transferError { [options] in
                try await TransferEngine().copy(
                    from: fixture.film(), to: fixture.copy(), using: backend, options: options
                ).value
            }
            #expect(error?.code == .sourceChanged)
            let missing = await transferError { try await fixture.client.headObject(fixture.copy()) }
            #expect(missing?.code == .notFound)
        }

        /// Runs a transfer that is paused after its first part, and again: then it goes on where it stopped.
        private func pauseAndResume(
            _ fixture: ServerFixture, _ run: (TransferOptions) async throws -> TransferReceipt
        ) async throws -> TransferReceipt {
            let paused = await transferError { try await run(fixture.options(TransferCancelHook())) }
            #expect(paused?.code == .paused)
            let pending = try await fixture.client.pendingTransfers(
                in: FileCheckpointStore(path: fixture.checkpoint))
            let before = try #require(pending.first).partsDone
            #expect(before > 0)
            let after = LockBox(0)
            var options = fixture.options()
            options.onEvent = { if case .partCompleted = $0 { after.withLock { $0 += 1 } } }
            let receipt = try await run(options)
            #expect(before + after.withLock { $0 } == 4)
            #expect(!FileManager.default.fileExists(atPath: fixture.checkpoint))
            return receipt
        }

        private func observe(_ fixture: ServerFixture, _ column: String) throws {
            try Observation(
                table: RealServer.table, row: fixture.server.version, column: column, passed: true, note: "resumed"
            ).write()
        }
    }
}
