import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// `getAuth` that does not do what it should.
@Suite struct VODAuthTests {
    private struct Refused: Error, CustomStringConvertible {
        let description = "the backend is on holiday"
    }

    private func failure(
        _ fixture: VODFixture, _ getAuth: VODGetAuth, authTimeout: Duration = .seconds(60)
    ) async throws -> VODUploadError? {
        let path = try fixture.file(size: 300_000)
        let uploader = try fixture.uploader(getAuth) { $0.authTimeout = authTimeout }
        return await uploadFailure { _ = try await uploader.uploadFile(path) }
    }

    @Test func throwing() async throws {
        let fixture = try await VODFixture()
        let error = try await failure(fixture, VODGetAuth { _ in throw Refused() })
        #expect(error?.errorCode == "GetUploadAuthFailed")
        #expect(error?.errorMessage.contains("the backend is on holiday") == true)
        #expect(fixture.server.wireLog.entries.isEmpty)
    }

    @Test func neverAnswering() async throws {
        let fixture = try await VODFixture()
        let error = try await failure(
            fixture, VODGetAuth(completion: { _, _ in }), authTimeout: .milliseconds(50))
        #expect(error?.errorCode == "GetUploadAuthFailed")
        #expect(error?.errorMessage.contains("did not answer within") == true)
    }

    @Test func answeringTwice() async throws {
        let fixture = try await VODFixture()
        let client = try fixture.openAPI()
        let getAuth = VODGetAuth(completion: { context, completion in
            Task {
                do {
                    let answer = try await client.createUploadVideo(fileName: context.fileName)
                    completion(.success(answer))
                    completion(.success(answer))
                    completion(.failure(Refused()))
                } catch {
                    completion(.failure(error))
                }
            }
        })
        _ = try await fixture.uploader(getAuth).uploadFile(try fixture.file(size: 300_000))
        #expect(fixture.holds(VODFixture.bytes(300_000)))
    }

    @Test(arguments: ["<html><body>502</body></html>", "", "null", "[]", #"{"videoid":"v","uploadaddress":"a"}"#])
    func answersThatAreNone(_ text: String) async throws {
        let fixture = try await VODFixture()
        let error = try await failure(fixture, VODGetAuth { _ in text })
        #expect(error?.errorCode == "InvalidParameter.TokenInvalid", "\(String(describing: error))")
        #expect(fixture.server.wireLog.entries.isEmpty)
    }

    @Test func anotherVideosAddressOnRefreshIsRefused() async throws {
        let fixture = try await VODFixture()
        let client = try fixture.openAPI()
        // Every call makes another video, also when it should refresh.
        let getAuth = VODGetAuth { context in try await client.createUploadVideo(fileName: context.fileName) }
        let path = try fixture.file(size: 12 * VODFixture.partSize)
        let held = fixture.server.faults.add(.on(.uploadPart).first(1), .hold)
        let task = try fixture.uploader(getAuth).uploadTask(path)
        task.events.ignore()
        try await held.waitUntilHeld()
        fixture.server.accounts.expire(try #require(fixture.server.vod.videos.first?.accessKeys.first))
        held.release()
        let error = await uploadFailure { _ = try await task.value }
        #expect(error?.errorMessage.contains("was asked for") == true, "\(String(describing: error))")
        #expect(fixture.stored == nil)
    }

    @Test func keysThatHadEndedOnArrivalAreRenewedTwiceAndThenRefused() async throws {
        let fixture = try await VODFixture()
        fixture.server.vod.settings.tokenLife = .seconds(-60)
        let error = await uploadFailure {
            _ = try await fixture.uploader().uploadFile(try fixture.file(size: 300_000))
        }
        #expect(error?.underlying.code == .credentialsExpired, "\(String(describing: error))")
        #expect(fixture.count(.createUploadVideo) == 1)
        #expect(fixture.count(.refreshUploadVideo) == 2)
    }

    @Test func aRefusalOfTheOpenAPIKeepsItsCode() async throws {
        let fixture = try await VODFixture()
        fixture.server.faults.add(.on(.createUploadVideo), .status(403, code: "Forbidden.StatusInactive"))
        let error = await uploadFailure {
            _ = try await fixture.uploader().uploadFile(try fixture.file(size: 300_000))
        }
        #expect(error?.errorCode == "Forbidden.StatusInactive", "\(String(describing: error))")
        #expect(error?.requestId != nil)
        #expect(fixture.server.vod.videos.isEmpty)
    }
}
