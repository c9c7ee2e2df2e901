import Testing
import TransferCore

@Suite struct TransferProgressTests {
    @Test func isFullOnlyWhenTheObjectStands() {
        #expect(TransferProgress(completedBytes: 10, totalBytes: 10).completedBytes == 9)
        #expect(TransferProgress(completedBytes: 99, totalBytes: 10).completedBytes == 9)
        #expect(TransferProgress(completedBytes: 3, totalBytes: 10).completedBytes == 3)
        #expect(TransferProgress(completedBytes: 0, totalBytes: 10, isFinished: true).completedBytes == 10)
        #expect(TransferProgress(completedBytes: .max, totalBytes: .max).completedBytes == UInt64.max - 1)
    }

    @Test func anEmptyObjectGoesFromNothingToAll() {
        #expect(TransferProgress(completedBytes: 0, totalBytes: 0).fraction == 0)
        #expect(TransferProgress(completedBytes: 0, totalBytes: 0, isFinished: true).fraction == 1)
    }

    @Test func theFractionIsOneOnlyAtTheEnd() {
        #expect(TransferProgress(completedBytes: .max, totalBytes: .max).fraction < 1)
        #expect(TransferProgress(completedBytes: 9, totalBytes: 10).fraction == 0.9)
        #expect(TransferProgress(completedBytes: 10, totalBytes: 10, isFinished: true).fraction == 1)
    }
}
