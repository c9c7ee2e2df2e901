import Testing
import TransferPrimitives

@testable import AliyunVOD

@Suite struct TaskIDTests {
    private struct AllOnes: RandomSource {
        func next() -> UInt64 { .max }
    }

    @Test func versionAndVariantAreSet() {
        #expect(TaskID.make(NoJitter()) == "00000000-0000-4000-8000-000000000000")
        #expect(TaskID.make(AllOnes()) == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    }

    @Test func eachUploadHasItsOwn() {
        let ids = Set((0..<1000).map { _ in TaskID.make(SystemRandomSource()) })
        #expect(ids.count == 1000)
    }
}
