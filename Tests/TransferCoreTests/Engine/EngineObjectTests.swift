import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// What the object is: sizes at the edge, attributes that are carried, requests that make it.
@Suite(.timeLimit(.minutes(2))) struct EngineObjectTests {
    @Test func anEmptyObjectIsOneEmptyPart() async throws {
        let scene = Scene(bytes: [])
        let receipt = try await scene.start().value
        #expect(receipt.verification == .crc64)
        #expect(scene.backend.object(Scene.target)?.bytes == [])
        #expect(scene.backend.log == [.head(Scene.source), .create, .part(1), .complete])
        #expect(scene.labels.filter { $0.hasPrefix("progress") } == ["progress(0 end)"])
    }

    @Test func oneByteAndItsNeighbours() async throws {
        for size in [1, 9, 10, 11, 20, 21] {
            let scene = Scene(bytes: [UInt8](repeating: 7, count: size))
            #expect(try await scene.start().value.verification == .crc64)
            #expect(scene.isCopied)
            #expect(scene.partNumbers.count == (size + 9) / 10)
            #expect(scene.labels.filter { $0.contains("end") } == ["progress(\(size) end)"])
        }
    }

    @Test func aSmallObjectMayBeOneRequest() async throws {
        let scene = Scene()
        var options = scene.options()
        options.singleRequestLimit = 95
        let receipt = try await scene.start(options).value
        #expect(scene.backend.log == [.head(Scene.source), .copy, .head(Scene.target)])
        #expect(receipt.verification == .crc64)
        #expect(scene.isCopied)
        let larger = Scene()
        options = larger.options()
        options.singleRequestLimit = 94
        _ = try await larger.start(options).value
        #expect(larger.partNumbers.count == 10)
    }

    @Test func aRaisedPartSizeIsTold() async throws {
        let scene = Scene(limits: .init(minimumSize: 1, maximumSize: 100, maximumCount: 4, defaultSize: 10))
        _ = try await scene.start().value
        #expect(scene.labels.contains("raised(10 to 24)"))
        #expect(scene.partNumbers.count == 4)
        var options = scene.options(hook: TransferCancelHook())
        options.partSize = 10
        let error = await transferError { try await scene.start(options).value }
        #expect(error?.code == .invalidArgument)
        #expect(error?.field == "partSize")
        #expect(error?.message.contains("24…100") == true)
    }

    @Test func badArgumentsAreRefusedBeforeAnyRequest() throws {
        let scene = Scene()
        var cases: [(TransferOptions, String)] = []
        var options = scene.options()
        options.partSize = 0
        #expect(transferError { try PartPlan(size: 95, requested: 0, limits: scene.backend.capabilities.parts) } == nil)
        options.partSize = (1 << 30) + 1
        cases.append((options, "partSize"))
        cases.append((scene.options(concurrency: 0), "concurrency"))
        cases.append((scene.options(concurrency: -1), "concurrency"))
        cases.append((scene.options(grace: .seconds(-1)), "pauseGrace"))
        for (options, field) in cases {
            let error = transferError { try scene.start(options) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.field == field)
        }
        for (source, target, field) in [
            (ObjectLocation(bucket: "", key: "k"), Scene.target, "source.bucket"),
            (ObjectLocation(bucket: "a", key: ""), Scene.target, "source.key"),
            (Scene.source, ObjectLocation(bucket: "", key: "k"), "target.bucket"),
            (Scene.source, ObjectLocation(bucket: "b", key: ""), "target.key"),
        ] {
            let error = transferError { try scene.engine.copy(from: source, to: target, using: scene.backend) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.field == field)
        }
        #expect(scene.backend.log.isEmpty)
    }

    // MARK: What is carried

    private static let attributes = ObjectAttributes(
        contentType: "video/mp4", cacheControl: "no-store", contentDisposition: "inline", contentEncoding: "gzip",
        contentLanguage: "de", metadata: ["a": "1"], storageClass: "IA", acl: "private", tags: ["t": "v"])

    private func copied(
        _ options: ObjectOptions = ObjectOptions(), carries: CarriedAttributes = CarriedAttributes(),
        tellsTagCount: Bool = true
    ) async throws -> (attributes: ObjectAttributes, scene: Scene) {
        let scene = Scene()
        var object = MemoryBackend.Object(Scene.bytes, attributes: Self.attributes)
        object.tellsTagCount = tellsTagCount
        scene.backend.put(object, at: Scene.source)
        var transfer = scene.options()
        transfer.carries = carries
        _ = try await scene.start(transfer, objectOptions: options).value
        return (try #require(scene.backend.object(Scene.target)).attributes, scene)
    }

    @Test func carriesWhatASimpleCopyCarries() async throws {
        let (attributes, scene) = try await copied()
        #expect(attributes.contentType == "video/mp4")
        #expect(attributes.cacheControl == "no-store")
        #expect(attributes.contentDisposition == "inline")
        #expect(attributes.contentEncoding == "gzip")
        #expect(attributes.contentLanguage == "de")
        #expect(attributes.metadata == ["a": "1"])
        #expect(attributes.storageClass == nil, "the target's own affair")
        #expect(attributes.acl == nil)
        #expect(attributes.tags == [:])
        #expect(scene.labels.contains("tagsNotCarried(1)"))
        #expect(!scene.backend.log.contains(.tags), "no further request unless allowed")
    }

    @Test func theCallersWordComesFirst() async throws {
        let (attributes, _) = try await copied(
            ObjectOptions(attributes: .init(contentType: "text/plain", metadata: ["b": "2"], storageClass: "ARCHIVE")))
        #expect(attributes.contentType == "text/plain")
        #expect(attributes.cacheControl == "no-store")
        #expect(attributes.metadata == ["b": "2"], "metadata is replaced as a whole")
        #expect(attributes.storageClass == "ARCHIVE")
    }

    @Test func carryingCanBeTurnedOff() async throws {
        let (attributes, _) = try await copied(carries: CarriedAttributes(metadata: false))
        #expect(attributes == ObjectAttributes())
    }

    @Test func tagsAreCarriedWhereAllowed() async throws {
        let (carried, scene) = try await copied(carries: CarriedAttributes(tags: true))
        #expect(carried.tags == ["t": "v"])
        #expect(scene.backend.log.contains(.tags))
        #expect(!scene.labels.contains { $0.hasPrefix("tagsNotCarried") })
        let (own, other) = try await copied(
            ObjectOptions(attributes: .init(tags: ["own": "1"])), carries: CarriedAttributes(tags: true))
        #expect(own.tags == ["own": "1"])
        #expect(!other.backend.log.contains(.tags))
        #expect(!other.labels.contains { $0.hasPrefix("tagsNotCarried") })
    }

    @Test func whereNobodyTellsOfTagsNothingIsSaid() async throws {
        let (_, scene) = try await copied(tellsTagCount: false)
        #expect(!scene.labels.contains { $0.hasPrefix("tagsNotCarried") })
    }
}
