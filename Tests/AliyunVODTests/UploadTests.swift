import AliyunOSS
import AliyunVOD
import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct UploadTests {
    private static let videoObject = "outin-0123456789abcdef/sv/video-1/video-1.mp4"

    @Test func smallVideoGoesByOneRequest() async throws {
        let fixture = try Fixture()
        let path = try fixture.file(count: Fixture.partSize)
        let result = try await fixture.uploader().uploadFile(path)
        #expect(fixture.oss.seen.map(\.operation) == ["PutObject"])
        #expect(fixture.oss.objects[Self.videoObject] == content(Fixture.partSize))
        #expect(result.videoId == "video-1")
        #expect(result.imageId == nil)
        #expect(result.etag == etag(content(Fixture.partSize)))
        #expect(result.requestId == "request-1")
        #expect(result.size == UInt64(Fixture.partSize))
        #expect(result.verification == .crc64)
        #expect(result.durationMs >= 0)
        #expect(fixture.records.isEmpty)
    }

    @Test func largerVideoGoesInParts() async throws {
        let fixture = try Fixture()
        let bytes = content(3 * Fixture.partSize + 1)
        let path = try fixture.file(count: bytes.count)
        let task = try fixture.uploader().uploadTask(path)
        let result = try await task.value
        #expect(fixture.oss.count("InitiateMultipartUpload") == 1)
        #expect(fixture.oss.seen.filter { $0.operation == "UploadPart" }.compactMap(\.part).sorted() == [1, 2, 3, 4])
        #expect(fixture.oss.objects[Self.videoObject] == bytes)
        #expect(result.uploadTaskId == task.uploadTaskId)
        #expect(result.etag.hasSuffix("-4"))
        #expect(result.verification == .crc64)
        #expect(fixture.vod.kinds == [.createVideo])
        #expect(fixture.records.isEmpty)
    }

    @Test func oneByteMoreThanAPartIsTwoParts() async throws {
        let fixture = try Fixture()
        let path = try fixture.file(count: Fixture.partSize + 1)
        _ = try await fixture.uploader().uploadFile(path)
        #expect(
            fixture.oss.seen.filter { $0.operation == "UploadPart" }.map(\.bytes).sorted() == [1, Fixture.partSize])
    }

    @Test func withoutAPartSizeItIsOneMebibyte() async throws {
        let fixture = try Fixture()
        let path = try fixture.file(count: (1 << 20) + 1)
        _ = try await fixture.uploader { $0.partSize = nil }.uploadFile(path)
        #expect(fixture.oss.seen.filter { $0.operation == "UploadPart" }.map(\.bytes).sorted() == [1, 1 << 20])
    }

    @Test func emptyFileIsStoredAsAnEmptyObject() async throws {
        let fixture = try Fixture()
        let path = try fixture.file(count: 0)
        let progress = LockBox<[Double]>([])
        let options = VODUploadOptions(onProgress: { percent, _, _ in progress.withLock { $0.append(percent) } })
        let result = try await fixture.uploader().uploadFile(path, options: options)
        #expect(fixture.oss.objects[Self.videoObject] == [])
        #expect(result.size == 0)
        #expect(progress.withLock { $0 } == [1])
    }

    @Test(arguments: ["with space.mp4", "emoji-🎬.mp4", "100%.mp4", "a+b.mp4", "x#y.mp4", "no-extension", "照片 a+b%.MP4"])
    func anyFileName(_ name: String) async throws {
        let fixture = try Fixture(
            vod: FakeVOD { context, answer, _ in
                var answer = answer
                answer.key = "sv/" + context.fileName
                return answer.members
            })
        let path = try fixture.file(name, count: Fixture.partSize + 5)
        _ = try await fixture.uploader().uploadFile(path)
        #expect(fixture.oss.objects.keys.first == "outin-0123456789abcdef/sv/\(name)")
        #expect(fixture.vod.asked.first?.fileName == name)
        #expect(fixture.vod.asked.first?.fileSize == UInt64(Fixture.partSize + 5))
    }

    @Test func imageGoesByOneRequestAndIsNotRecorded() async throws {
        let oss = FakeOSS { seen, _ in
            if seen.operation == "PutObject" { return try .refusal(403, "AccessDenied") }
            return nil
        }
        let fixture = try Fixture(oss: oss)
        let path = try fixture.file("Photo.JPG", count: 5 * Fixture.partSize)
        let error = await uploadError { _ = try await fixture.uploader().uploadFile(path) }
        #expect(error?.errorCode == "AccessDenied")
        #expect(oss.seen.map(\.operation) == ["PutObject"])
        #expect(fixture.records.isEmpty)

        let good = try Fixture()
        let image = try good.file("Photo.JPG", count: 5 * Fixture.partSize)
        let result = try await good.uploader().uploadFile(image)
        #expect(result.imageId == "image-1")
        #expect(result.imageUrl == "https://img.example.com/image-1.jpg")
        #expect(result.videoId == nil)
        #expect(good.vod.kinds == [.createImage])
        #expect(good.oss.seen.map(\.operation) == ["PutObject"])
    }

    @Test func metaReachesGetAuth() async throws {
        let fixture = try Fixture()
        let video = VODVideoMeta(title: "T", userData: #"{"Type":"oss","Domain":"oss-accelerate.aliyuncs.com"}"#)
        _ = try await fixture.uploader().uploadFile(
            try fixture.file(count: 1), options: VODUploadOptions(videoMeta: video))
        let image = VODImageMeta(imageType: "cover", title: "I")
        _ = try await fixture.uploader().uploadFile(
            try fixture.file("b.dat", count: 1), options: VODUploadOptions(imageMeta: image))
        #expect(fixture.vod.asked.map(\.videoMeta) == [video, nil])
        #expect(fixture.vod.asked.map(\.imageMeta) == [nil, image])
        #expect(fixture.vod.kinds == [.createVideo, .createImage])
    }

    /// One set of options for a folder of films and photos.
    @Test func metaOfAVideoIsCarriedByAnImage() async throws {
        let fixture = try Fixture()
        let video = VODVideoMeta(
            title: "T", desc: "D", coverUrl: "https://c", cateId: 7, tags: "a,b", userData: "{}",
            storageLocation: "s.example.com", templateGroupId: "tg", workflowId: "wf", appId: "app")
        _ = try await fixture.uploader().uploadFile(
            try fixture.file("a.png", count: 1), options: VODUploadOptions(videoMeta: video))
        let context = try #require(fixture.vod.asked.first)
        #expect(context.kind == .createImage)
        #expect(context.videoMeta == nil)
        #expect(
            context.imageMeta
                == VODImageMeta(
                    title: "T", desc: "D", tags: "a,b", cateId: 7, userData: "{}", storageLocation: "s.example.com",
                    appId: "app"))
    }

    @Test func accelerationEndpointIsUsedAsItIs() async throws {
        let fixture = try Fixture(
            vod: FakeVOD { _, answer, _ in
                var answer = answer
                answer.endpoint = "https://oss-accelerate.aliyuncs.com"
                answer.region = "cn-beijing"
                return answer.members
            })
        _ = try await fixture.uploader().uploadFile(try fixture.file(count: 1))
        let seen = try #require(fixture.oss.seen.first)
        #expect(seen.host == "outin-0123456789abcdef.oss-accelerate.aliyuncs.com")
        #expect(seen.authorization.hasPrefix("OSS4-HMAC-SHA256"))
        #expect(seen.authorization.contains("/cn-beijing/oss/"))
        #expect(seen.token == "token-1-secret")
        #expect(seen.contentType == "video/mp4")
    }

    @Test func signatureV1() async throws {
        let fixture = try Fixture()
        _ = try await fixture.uploader { $0.signature = .v1 }.uploadFile(try fixture.file(count: 1))
        #expect(fixture.oss.seen.first?.authorization.hasPrefix("OSS STS.TESTAKID0001:") == true)
    }

    // MARK: Files that cannot be uploaded

    @Test func missingFile() async throws {
        let fixture = try Fixture()
        let error = await uploadError { _ = try await fixture.uploader().uploadFile(fixture.directory + "/none.mp4") }
        #expect(error?.errorCode == "FileNotExist")
        #expect(fixture.vod.asked.isEmpty)
    }

    @Test func directoryAndPipe() async throws {
        let fixture = try Fixture()
        let pipe = fixture.directory + "/pipe.mp4"
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [fixture.directory, pipe, ""] {
            let error = await uploadError { _ = try await fixture.uploader().uploadFile(path) }
            #expect(error?.errorCode == "ReadFileError")
            #expect(error?.underlying.field == "path")
        }
        #expect(fixture.vod.asked.isEmpty)
    }

    @Test func fileThatGrowsWhileItIsUploaded() async throws {
        let grow = Lazy<@Sendable () throws -> Void>()
        let oss = FakeOSS { seen, _ in
            if seen.operation == "UploadPart", seen.part == 2 { try grow.value?() }
            return nil
        }
        let made = try Fixture(oss: oss)
        // Not by the fixture, which holds what holds this.
        let target = made.directory + "/a.mp4"
        grow.set { try Data(content(10 * Fixture.partSize)).write(to: URL(filePath: target)) }
        let path = try made.file(count: 4 * Fixture.partSize)
        let error = await uploadError { _ = try await made.uploader { $0.parallel = 1 }.uploadFile(path) }
        #expect(error?.errorCode == "ReadFileError")
        #expect(error?.underlying.code == .sourceChanged)
        #expect(oss.objects.isEmpty)
        #expect(oss.openUploads.isEmpty)
        #expect(made.records.isEmpty)
    }

    // MARK: Progress

    @Test func progressNeverGoesBackAndEndsAtOneOnce() async throws {
        let failed = LockBox<Set<Int>>([])
        let oss = FakeOSS { seen, _ in
            guard seen.operation == "UploadPart", let part = seen.part else { return nil }
            let isFirst = failed.withLock { $0.insert(part).inserted }
            return isFirst ? try .refusal(500, "InternalError") : nil
        }
        let fixture = try Fixture(oss: oss)
        let path = try fixture.file(count: 10 * Fixture.partSize)
        let progress = LockBox<[(Double, UInt64, UInt64)]>([])
        let options = VODUploadOptions(onProgress: { percent, uploaded, total in
            progress.withLock { $0.append((percent, uploaded, total)) }
        })
        _ = try await fixture.uploader().uploadFile(path, options: options)
        let told = progress.withLock { $0 }
        let total = UInt64(10 * Fixture.partSize)
        #expect(told.allSatisfy { $0.2 == total && $0.1 <= total && (0...1).contains($0.0) })
        #expect(zip(told, told.dropFirst()).allSatisfy { $0.1 <= $1.1 })
        #expect(told.count { $0.1 == total } == 1)
        #expect(told.last?.0 == 1)
    }

    @Test func eventsTellEveryPart() async throws {
        let fixture = try Fixture()
        let task = try fixture.uploader().uploadTask(try fixture.file(count: 3 * Fixture.partSize))
        var parts: Set<Int> = []
        var isCompleted = false
        for await event in task.events {
            switch event {
            case .partCompleted(let part, _): parts.insert(part.number)
            case .completed: isCompleted = true
            default: break
            }
        }
        #expect(parts == [1, 2, 3])
        #expect(isCompleted)
        _ = try await task.value
    }

    @Test func uploadThatCannotBeginHasNoEvents() async throws {
        let fixture = try Fixture()
        let task = try fixture.uploader().uploadTask("/nowhere.mp4")
        for await _ in task.events { Issue.record("nothing happens") }
        #expect(await uploadError { _ = try await task.value }?.errorCode == "FileNotExist")
    }

    @Test func manyUploadsAtOnce() async throws {
        let fixture = try Fixture()
        let uploader = try fixture.uploader()
        let paths = try (1...20).map { try fixture.file("\($0).mp4", count: 2 * Fixture.partSize, seed: UInt8($0)) }
        let ids = try await withThrowingTaskGroup(of: String?.self) { group in
            for path in paths { group.addTask { try await uploader.uploadFile(path).videoId } }
            return try await group.reduce(into: Set<String>()) { ids, id in if let id { ids.insert(id) } }
        }
        #expect(ids.count == 20)
        #expect(Set(fixture.oss.objects.values) == Set((1...20).map { content(2 * Fixture.partSize, seed: UInt8($0)) }))
        #expect(fixture.records.isEmpty)
    }
}

/// A value that is known later than the closure that needs it.
final class Lazy<Value: Sendable>: Sendable {
    private let box = LockBox<Value?>(nil)
    var value: Value? { box.withLock { $0 } }
    func set(_ value: Value) { box.withLock { $0 = value } }
}
