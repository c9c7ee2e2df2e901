import TestSupport
import Testing
import TransferHTTP
import TransferPrimitives

private final class RecordingObserver: HTTPObserver {
    let attempts = LockBox<[HTTPAttemptRecord]>([])
    let operations = LockBox<[HTTPOperationRecord]>([])

    func attemptEnded(_ record: HTTPAttemptRecord) { attempts.withLock { $0.append(record) } }
    func operationEnded(_ record: HTTPOperationRecord) { operations.withLock { $0.append(record) } }
}

@Suite struct ObserverTests {
    @Test func seesEveryAttemptAndTheOperation() async throws {
        let observer = RecordingObserver()
        let fixture = try ClientFixture(
            ScriptedTransport(answer(500), broken(.receive), answer(200)), observer: observer)
        try await fixture.send(ServiceOperation("UploadPart"), body: .bytes([1, 2, 3]))
        let attempts = observer.attempts.withLock { $0 }
        #expect(attempts.map(\.attempt) == [1, 2, 3])
        #expect(attempts.map(\.status) == [500, nil, 200])
        #expect(attempts.map { $0.failure != nil } == [false, true, false])
        #expect(attempts.allSatisfy { $0.operation == "UploadPart" && $0.host == "h" && $0.requestBodyLength == 3 })
        let operations = observer.operations.withLock { $0 }
        #expect(operations.map(\.attempts) == [3])
        #expect(operations[0].failure == nil)
    }

    @Test func seesFailedOperations() async throws {
        let observer = RecordingObserver()
        let fixture = try ClientFixture(ScriptedTransport(answer(404)), observer: observer)
        await #expect(throws: ServiceFailure.self) { try await fixture.send() }
        let operations = observer.operations.withLock { $0 }
        #expect(operations.count == 1)
        #expect((operations.first?.failure as? ServiceFailure)?.status == 404)
    }
}
