import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// What comes from users and from other services stays inside its own field of the request.
@Suite("Security: requests") struct SecurityOfRequestsTests {
    /// Text that would be more than a name, where it is not encoded or refused.
    static let hostile = [
        "a\r\nX-Evil: 1\r\n\r\nGET /x HTTP/1.1\r\nHost: y", "a\nX-Evil: 1", "a\rb", "a\u{0}b", "a?uploads&x-evil=1#y",
        "../../src-bucket/source", "a/../..//b/./c", "a%0d%0aX-Evil:%201", "a b\tc", "a\u{202E}\u{2028}b", "@host:80/",
    ]

    private static func head(_ entry: WireEntry) -> String { String(decoding: entry.head, as: UTF8.self) }

    /// One request, to this server, without a header that nobody set.
    private func check(_ scene: WireScene, _ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) {
        let entries = scene.server.wireLog.entries
        #expect(entries.count == count, sourceLocation: sourceLocation)
        for entry in entries {
            let lines = Self.head(entry).split(separator: "\r\n")
            #expect(
                lines.dropFirst().allSatisfy { !$0.lowercased().hasPrefix("x-evil") }, sourceLocation: sourceLocation)
            #expect(lines.first?.split(separator: " ").count == 3, sourceLocation: sourceLocation)
            #expect(lines.count { $0.lowercased().hasPrefix("host:") } == 1, sourceLocation: sourceLocation)
        }
    }

    @Test("a key is a key, whatever is in it", arguments: Wire.allCases, hostile)
    func keys(_ wire: Wire, _ key: String) async throws {
        let scene = try await WireScene(wire)
        let target = ObjectLocation(bucket: "dst-bucket", key: key)
        _ = try await scene.backend.putObject(
            PartBody(MemorySource(WireScene.content)), at: target, options: ObjectOptions())
        check(scene)
        let stored = try #require(scene.server.storage.object(key, in: "dst-bucket"))
        #expect(stored.key.utf8.elementsEqual(key.utf8))
        // The object that a path with dots might lead to is as it was.
        #expect(scene.server.storage.object("source", in: "src-bucket")?.length == UInt64(WireScene.content.count))
        #expect(scene.made == nil)
    }

    @Test("so is that of a copy's source, and its version", arguments: Wire.allCases, hostile)
    func copySources(_ wire: Wire, _ name: String) async throws {
        let scene = try await WireScene(wire)
        for source in [
            ObjectLocation(bucket: "src-bucket", key: name),
            ObjectLocation(bucket: "src-bucket", key: "source", versionID: name),
        ] {
            scene.server.wireLog.clear()
            let error = await failure {
                _ = try await scene.backend.copyObject(source, to: scene.target, ifMatch: nil, options: ObjectOptions())
            }
            // There is no such object, and no other one is copied in its place.
            #expect(error != nil && scene.made == nil, "\(String(describing: error))")
            check(scene, scene.server.wireLog.entries.isEmpty ? 0 : 1)
        }
    }

    @Test("metadata is stored as it is or refused, and asks for nothing else", arguments: Wire.allCases, hostile)
    func metadata(_ wire: Wire, _ text: String) async throws {
        let scene = try await WireScene(wire)
        let options = ObjectOptions(attributes: ObjectAttributes(metadata: ["name": text]))
        _ = try await scene.backend.putObject(
            PartBody(MemorySource(WireScene.content)), at: scene.target, options: options)
        check(scene)
        let info = try await scene.backend.headObject(scene.target)
        #expect(info.attributes.metadata == ["name": text])
    }

    @Test("a header that cannot be sent is refused by its field, before any request", arguments: Wire.allCases)
    func headers(_ wire: Wire) async throws {
        let scene = try await WireScene(wire)
        for text in Self.hostile where text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) {
            for attributes in [
                ObjectAttributes(contentType: text), ObjectAttributes(cacheControl: text),
                ObjectAttributes(contentDisposition: text), ObjectAttributes(storageClass: text),
            ] {
                let error = await failure {
                    _ = try await scene.backend.putObject(
                        PartBody(MemorySource(WireScene.content)), at: scene.target,
                        options: ObjectOptions(attributes: attributes))
                }
                #expect(error?.code == .invalidArgument && error?.field != nil)
                // The text may be a secret, and would spoil the log.
                #expect(error?.description.contains("X-Evil") == false)
            }
            let error = await failure {
                _ = try await scene.backend.getObject(
                    scene.source, range: nil, ifMatch: ETag(text), into: DroppingSink())
            }
            #expect(error?.code == .invalidArgument)
        }
        check(scene, 0)
    }

    @Test("a bucket is a name or refused", arguments: Wire.allCases, hostile + ["", "A", "..", "a..b", "127.0.0.1"])
    func buckets(_ wire: Wire, _ bucket: String) async throws {
        let scene = try await WireScene(wire)
        let error = await failure { _ = try await scene.backend.headObject(ObjectLocation(bucket: bucket, key: "k")) }
        #expect(error?.code == .invalidArgument && error?.field == "bucket")
        check(scene, 0)
    }

    @Test("an upload id is the service's text and no more of the query", arguments: Wire.allCases, hostile)
    func uploadIDs(_ wire: Wire, _ id: String) async throws {
        let scene = try await WireScene(wire)
        let upload = MultipartUpload(id: id, target: scene.target)
        let error = await failure { _ = try await scene.backend.listParts(of: upload) }
        #expect(error?.code == .uploadNotFound, "\(String(describing: error))")
        check(scene)
        let entry = try #require(scene.server.wireLog.entries.first)
        #expect(entry.request.operation == .listParts)
        #expect(Self.head(entry).split(separator: "\r\n").first?.contains("x-evil=1") == false)
    }
}
