import AliyunOSS
import Testing
import TransferCore
import TransferCurl
import TransferHTTP

@testable import AliyunVOD

@Suite struct ConfigTests {
    private func field(_ change: (inout VODUploadConfig) -> Void) -> String? {
        var config = VODUploadConfig(getAuth: FakeVOD().getAuth)
        config.checkpoint = false
        change(&config)
        do {
            _ = try VODUploader(config)
            return nil
        } catch {
            return (error as? TransferError)?.field
        }
    }

    private func field(_ options: VODUploadOptions) async throws -> String? {
        let fixture = try Fixture()
        let path = try fixture.file(count: 10)
        let error = await uploadError { _ = try await fixture.uploader().uploadFile(path, options: options) }
        #expect(error?.errorCode == "InvalidArgument")
        #expect(fixture.vod.asked.isEmpty)
        return error?.underlying.field
    }

    @Test func defaults() {
        let config = VODUploadConfig(getAuth: FakeVOD().getAuth)
        #expect(config.timeout == .seconds(60))
        #expect(config.authTimeout == .seconds(60))
        #expect(config.maxRetryCount == 2)
        #expect(config.signature == .v4)
        #expect(config.checkpoint)
        #expect(config.partSize == nil)
        #expect(config.parallel == 4)
        #expect(config.region == "cn-shanghai")
        #expect(config.reportEnabled)
        #expect(config.reporter is TransferSummaryReporter)
        #expect(VODRegion.known.contains("me-central-1"))
        #expect(PartRules.limits.defaultSize == 1 << 20)
        #expect(field { _ in } == nil)
    }

    @Test func fieldsOfTheConfiguration() {
        #expect(field { $0.timeout = .zero } == "timeout")
        #expect(field { $0.authTimeout = .seconds(-1) } == "authTimeout")
        #expect(field { $0.maxRetryCount = -1 } == "maxRetryCount")
        #expect(field { $0.partSize = 102_399 } == "partSize")
        #expect(field { $0.partSize = -1 } == "partSize")
        #expect(field { $0.partSize = (5 << 30) + 1 } == "partSize")
        #expect(field { $0.parallel = 0 } == "parallel")
        #expect(field { $0.parallel = 1001 } == "parallel")
        #expect(field { $0.region = "" } == "region")
        #expect(field { $0.region = "cn_shanghai" } == "region")
        #expect(field { $0.checkpointDirectory = "" } == "checkpointDirectory")
        #expect(field { $0.maxConnections = 0 } == "maxConnections")
        #expect(field { $0.certificateAuthority = .file("/nowhere/ca.pem") } == "certificateAuthority")
        #expect(field { $0.proxy = .url("ftp://proxy") } == "proxy")
        #expect(field { $0.region = "unknown-region-7" } == nil)
    }

    @Test func fieldsOfTheOptions() async throws {
        #expect(try await field(VODUploadOptions(partSize: 1)) == "partSize")
        #expect(try await field(VODUploadOptions(parallel: -3)) == "parallel")
        #expect(try await field(VODUploadOptions(videoMeta: .init(title: ""))) == "videoMeta.title")
        #expect(
            try await field(VODUploadOptions(videoMeta: .init(title: String(repeating: "视", count: 129))))
                == "videoMeta.title")
        #expect(
            try await field(VODUploadOptions(videoMeta: .init(desc: String(repeating: "d", count: 1025))))
                == "videoMeta.desc")
        #expect(
            try await field(VODUploadOptions(videoMeta: .init(tags: String(repeating: "a,", count: 16))))
                == "videoMeta.tags")
        #expect(
            try await field(VODUploadOptions(imageMeta: .init(tags: String(repeating: "t", count: 33))))
                == "imageMeta.tags")
        #expect(try await field(VODUploadOptions(videoMeta: .init(), imageMeta: .init())) == "imageMeta")
    }

    @Test func partSizeThatCannotFitIsRefusedBeforeAnybodyIsAsked() async throws {
        let fixture = try Fixture()
        let path = fixture.directory + "/sparse.mp4"
        try fixture.write([], to: path)
        try truncate(path, to: 1_024_000_001)
        let error = await uploadError {
            _ = try await fixture.uploader().uploadFile(path, options: VODUploadOptions(partSize: 102_400))
        }
        #expect(error?.errorCode == "InvalidArgument")
        #expect(error?.underlying.field == "partSize")
        #expect(fixture.vod.asked.isEmpty)
        #expect(fixture.oss.seen.isEmpty)
    }

    @Test(
        arguments: [
            (10_485_760_000, 1 << 20, 10_000), (10_485_760_001, 2 << 20, 5_001), (107_374_182_400, 11 << 20, 9_310),
        ] as [(UInt64, UInt64, Int)])
    func defaultPartSizeGrows(_ size: UInt64, _ partSize: UInt64, _ count: Int) throws {
        let plan = try PartPlan(size: size, requested: nil, limits: PartRules.limits)
        #expect(plan.partSize == partSize)
        #expect(plan.count == count)
    }

    @Test func fileThatFitsInNoPlan() {
        let error = #expect(throws: TransferError.self) {
            _ = try PartPlan(size: 53_687_091_200_001, requested: nil, limits: PartRules.limits)
        }
        #expect(error?.vodCode == "EntityTooLarge")
    }

    @Test func openAPIConfiguration() {
        func field(_ change: (inout VODOpenAPIConfiguration) -> Void) -> String? {
            var configuration = VODOpenAPIConfiguration(credential: Credentials(accessKey: "a", secretKey: "s"))
            change(&configuration)
            do {
                _ = try VODOpenAPIClient(configuration)
                return nil
            } catch {
                return (error as? TransferError)?.field
            }
        }
        #expect(field { $0.region = "Shanghai" } == "region")
        #expect(field { $0.endpoint = "https://vod.example.com/path" } == "endpoint")
        #expect(field { $0.maxRetryCount = -1 } == "maxRetryCount")
        #expect(field { $0.transport.eventLoops = 0 } == "transport.eventLoops")
        #expect(field { _ in } == nil)
    }
}

@Suite struct MediaKindTests {
    @Test(arguments: [
        ("a.jpg", MediaKind.image), ("a.JPEG", .image), ("a.Png", .image), ("a.gif", .image), ("a.bmp", .image),
        ("a.webp", .image), ("a.HEIC", .image), ("a.mp4", .video), ("my.jpg.mp4", .video), ("my.mp4.jpg", .image),
        ("jpg", .video), (".jpg", .video), ("a.", .video), ("a", .video), ("照片.jpg", .image),
    ]) func lastExtensionDecides(_ name: String, _ kind: MediaKind) {
        #expect(MediaKind(fileName: name, options: VODUploadOptions()) == kind)
    }

    @Test func metaOfAnImageDecidesFirst() {
        #expect(MediaKind(fileName: "a.mp4", options: VODUploadOptions(imageMeta: .init())) == .image)
        #expect(MediaKind(fileName: "a.jpg", options: VODUploadOptions(videoMeta: .init())) == .image)
    }
}

@Suite struct AuthContextTests {
    @Test func flatJSON() throws {
        let context = VODAuthContext(
            kind: .createVideo, fileName: "a b.mp4", fileSize: 7,
            videoMeta: VODVideoMeta(title: "T", cateId: 3, userData: #"{"Type":"oss"}"#))
        #expect(
            String(decoding: try context.json(), as: UTF8.self)
                == #"{"cateId":3,"fileName":"a b.mp4","fileSize":7,"kind":"create-video","title":"T","userData":"{\"Type\":\"oss\"}"}"#
        )
        let refresh = VODAuthContext(kind: .refreshVideo, fileName: "a", fileSize: 0, videoId: "v")
        #expect(
            String(decoding: try refresh.json(), as: UTF8.self)
                == #"{"fileName":"a","fileSize":0,"kind":"refresh-video","videoId":"v"}"#)
    }
}
