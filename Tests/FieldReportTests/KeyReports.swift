import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Field reports about keys: what is in them, and what becomes of it on the way.
@Suite("Field reports: keys and encodings", .timeLimit(.minutes(2))) struct KeyReports {
    private static let body = MadeUpSource(length: 1000)

    /// Stores an object in every way there is, looks at it, reads it, and gives an upload of it up.
    private func exercise(_ key: String, _ fixture: ServiceFixture) async throws {
        let backend = fixture.backend
        let target = ObjectLocation(bucket: "dst-bucket", key: key)
        _ = try await backend.putObject(PartBody(Self.body), at: target, options: ObjectOptions())
        #expect(try await backend.headObject(target).size == 1000, "\(key.debugDescription)")
        let sink = CollectedBytes()
        _ = try await backend.getObject(target, range: nil, ifMatch: nil, into: sink)
        #expect(sink.bytes == (try Self.body.bytes))

        let upload = try await backend.createMultipartUpload(at: target, options: ObjectOptions())
        let part = try await backend.uploadPart(1, of: upload, body: PartBody(MadeUpSource(length: 2000)))
        #expect(try await backend.listParts(of: upload).map(\.number) == [1])
        _ = try await backend.completeMultipartUpload(upload, parts: [part])
        #expect(fixture.object(target)?.length == 2000, "\(key.debugDescription)")

        let other = try await backend.createMultipartUpload(at: target, options: ObjectOptions())
        try await backend.abortMultipartUpload(other)
        #expect(fixture.server.storage.uploads.isEmpty)
    }

    /// Whether the server holds exactly these keys, byte for byte.
    private func expect(_ keys: [String], in fixture: ServiceFixture) {
        let stored = fixture.server.storage.keys(in: "dst-bucket")
        #expect(Set(stored.map { Array($0.utf8) }) == Set(keys.map { Array($0.utf8) }))
        #expect(fixture.log.entries.allSatisfy { $0.status.map { $0 < 300 } ?? false })
    }

    /// The names of the parameters of a request, encoded as they came.
    private func parameters(_ entry: WireEntry) -> Set<String> {
        let query = entry.request.target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return Set(query.split(separator: "&").map { String($0.prefix { $0 != "=" }) })
    }

    @Test("FR-059: a plus in a key breaks no signature", arguments: Service.allCases)
    func plus(_ service: Service) async throws {
        let keys = ["+.pdf", "a+b/c+d", "+"]
        let fixture = try await ServiceFixture(service)
        for key in keys { try await exercise(key, fixture) }
        expect(keys, in: fixture)
    }

    @Test("FR-060: percent, hash and the rest of the alphabet of URLs are part of the key", arguments: Service.allCases)
    func reservedCharacters(_ service: Service) async throws {
        let keys = [
            "test/%.txt", "aa%25x.pdf", "aa#x.pdf", "a?b", "a&uploads", "a;b,c:d@e", "a?uploads",
            "a?uploadId=x&partNumber=1",
            "%2F", "a=b", "a\\b", "'\"<>[]{}|^`~$!*()",
        ]
        let fixture = try await ServiceFixture(service)
        for key in keys { try await exercise(key, fixture) }
        expect(keys, in: fixture)
        let known: Set = [
            "uploads", "uploadId", "partNumber", "max-parts", "encoding-type", "part-number-marker", "x-id",
        ]
        for entry in fixture.log.entries {
            #expect(parameters(entry).isSubset(of: known), "\(entry.request.target)")
            #expect(entry.operation != .unknown)
        }
    }

    @Test("FR-061: slashes are kept as they are, or refused by a rule that is told", arguments: Service.allCases)
    func slashes(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        let leading = ["/lead", "//lead", "/"]
        let inner = ["a//b", "a/b//", "a/./b", "a/../b", "dir/", "./a", "../a", ".", ".."]
        // OSS: "HTTP status code 400": a key does not begin with a slash.
        let refusesLeading = [.oss, .ossV1].contains(service)
        for key in inner + (refusesLeading ? [] : leading) { try await exercise(key, fixture) }
        expect(inner + (refusesLeading ? [] : leading), in: fixture)
        guard refusesLeading else { return }
        let before = fixture.log.entries.count
        for key in leading + ["\\lead"] {
            let source = UploadSource(Self.body, name: "film")
            let target = ObjectLocation(bucket: "dst-bucket", key: key)
            let upload = await failure {
                _ = try await TransferEngine().upload(source, to: target, using: fixture.backend).value
            }
            let put = await failure {
                _ = try await fixture.backend.putObject(PartBody(Self.body), at: target, options: ObjectOptions())
            }
            let copy = await failure {
                _ = try await fixture.backend.copyObject(
                    target, to: fixture.target, ifMatch: nil, options: ObjectOptions())
            }
            for error in [upload, put, copy] {
                #expect(error?.code == .invalidArgument && ["key", "srcKey"].contains(error?.field))
                #expect(error?.message.contains("begin with /") == true)
            }
        }
        #expect(fixture.log.entries.count == before)
    }

    @Test("FR-062: control characters in a key come back in the answers, and stop nothing", arguments: Service.allCases)
    func controlCharacters(_ service: Service) async throws {
        let keys = [
            "test\u{07}.txt", "test\u{01}.txt", "test\u{1B}.txt", "tab\tline\ncr\r.txt", "\u{7F}", "nul\u{0}.txt",
            "end\u{FFFE}\u{FFFF}",
        ]
        let fixture = try await ServiceFixture(service)
        let answers = LockBox("")
        fixture.server.faults.add(
            .on(.createMultipartUpload),
            .edit { answer in
                let text = answer.text ?? ""
                answers.withLock { $0 += text }
            })
        for key in keys { try await exercise(key, fixture) }
        expect(keys, in: fixture)
        // OSS is asked to encode keys, and the native wire of TOS is JSON.
        #expect(![.tosS3, .s3].contains(service) || answers.withLock { $0.contains("&#x7;") || $0.contains("&#7;") })
        let source = UploadSource(MadeUpSource(length: 2 * service.leastPart), name: "film")
        let target = ObjectLocation(bucket: "dst-bucket", key: "in parts\u{07}")
        let handle = try TransferEngine().upload(
            source, to: target, using: fixture.backend, options: TransferOptions(partSize: service.leastPart))
        _ = try await handle.value
        #expect(fixture.object(target)?.length == 2 * service.leastPart)
    }

    // MARK: Sources of copies

    /// Copies an object by one request, by one part, and by the engine in parts.
    private func copies(
        of source: ObjectLocation, _ content: ObjectContent, _ fixture: ServiceFixture
    ) async throws {
        let backend = fixture.backend
        func target(_ name: String) -> ObjectLocation { ObjectLocation(bucket: "dst-bucket", key: name + source.key) }
        func expectCopied(_ name: String) {
            #expect(
                fixture.object(target(name))?.content.firstDifference(from: content) == nil,
                "\(name) of \(source.key.debugDescription)")
            #expect(fixture.object(target(name))?.length == content.length)
        }
        _ = try await backend.copyObject(source, to: target("whole "), ifMatch: nil, options: ObjectOptions())
        expectCopied("whole ")
        let upload = try await backend.createMultipartUpload(at: target("part "), options: ObjectOptions())
        let range = ByteRange(offset: 0, length: content.length)
        let part = try await backend.uploadPartCopy(1, of: upload, from: source, range: range, ifMatch: nil)
        _ = try await backend.completeMultipartUpload(upload, parts: [part])
        expectCopied("part ")
        let options = TransferOptions(partSize: fixture.service.leastPart)
        _ = try await TransferEngine().copy(
            from: source, to: target("parts "), using: backend, options: options
        ).value
        expectCopied("parts ")
    }

    private static let sourceKeys = [
        "foo++bar.txt", "a b", "100%.txt", "x#y?z&w=1", "目录/影片.mov", "🎬/🎞️.mov", "a/b/c", "%41%2B", "a+b",
        "a?versionId=x",
    ]

    @Test("FR-058: a copy finds its source, whatever is in the key", arguments: Service.allCases)
    func sourcesOfCopies(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        var seed: UInt64 = 0
        // What some of the keys become when they are decoded once too often, with other content.
        for key in ["foo  bar.txt", "A+", "A "] {
            try fixture.server.storage.putObject(key, in: "src-bucket", .text("no"))
        }
        for key in Self.sourceKeys {
            seed += 1
            let content = ObjectContent.pretended(length: service.leastPart + 17, seed: seed)
            try fixture.server.storage.putObject(key, in: "src-bucket", content)
            let before = fixture.log.entries.count
            try await copies(of: ObjectLocation(bucket: "src-bucket", key: key), content, fixture)
            let sources = fixture.log.entries.dropFirst(before).compactMap(\.request.copySource)
            #expect(sources.count == 4)
            for source in sources {
                #expect(source.hasPrefix("/src-bucket/"))
                #expect(source.count { $0 == "/" } == 2 + key.count { $0 == "/" }, "slashes are separators: \(source)")
                #expect(!source.contains("+") && !source.contains("?"))
            }
        }
    }

    @Test("FR-058: the version of a source stands outside of what is encoded", arguments: Service.allCases)
    func versionsOfSources(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        fixture.server.storage.createBucket("src-bucket", keepsVersions: true)
        let key = "x#y?z&w=1+2 %"
        let content = ObjectContent.pretended(length: service.leastPart + 17, seed: 1)
        let old = try fixture.server.storage.putObject(key, in: "src-bucket", content)
        try fixture.server.storage.putObject(key, in: "src-bucket", .pretended(length: service.leastPart + 17, seed: 2))
        let version = try #require(
            old.versionID ?? fixture.server.storage.versions(of: key, in: "src-bucket").first?.versionID)
        try await copies(of: ObjectLocation(bucket: "src-bucket", key: key, versionID: version), content, fixture)
        let sources = fixture.log.entries.compactMap(\.request.copySource)
        #expect(sources.count == 4)
        for source in sources { #expect(source.hasSuffix("?versionId=\(version)") && source.count { $0 == "?" } == 1) }
    }

    @Test("FR-063: keys that look alike and have other bytes are two objects", arguments: Service.allCases)
    func unicodeForms(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        // To Swift, a mark at the front makes one character of itself and the slash before it.
        let forms = ["Beyonce\u{301}.jpg", "Beyonc\u{E9}.jpg", "\u{301}a", "b/\u{301}c"]
        let contents = (1...4).map { ObjectContent.pretended(length: service.leastPart + 17, seed: $0) }
        for (key, content) in zip(forms, contents) {
            try fixture.server.storage.putObject(key, in: "src-bucket", content)
        }
        for (key, content) in zip(forms, contents) {
            try await copies(of: ObjectLocation(bucket: "src-bucket", key: key), content, fixture)
        }
        let names = ["whole ", "part ", "parts "]
        expect(forms.flatMap { form in names.map { $0 + form } }, in: fixture)
    }

    @Test("FR-063: so are files whose names begin with a mark", arguments: [Service.oss, .tos])
    func namesThatBeginWithAMark(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        let source = MadeUpSource(length: 2 * service.leastPart)
        let name = "\u{301}film.mp4"
        try fixture.directory.write(try source.bytes, to: name)
        let file = try UploadSource.file(fixture.directory.path(name))
        #expect(Array(file.name.utf8) == Array(name.utf8))
        let store = FileCheckpointStore(path: fixture.directory.path("\u{301}records/\u{301}upload"))
        _ = try await fixture.upload(file) { $0.checkpoint = .store(store) }
        _ = try await TransferEngine().download(
            fixture.target, to: fixture.directory.path("\u{301}copy.mp4"), using: fixture.backend,
            options: TransferOptions(checkpoint: .store(store))
        ).value
        #expect(try fixture.directory.read("\u{301}copy.mp4") == source.bytes)
        #expect(Set(fixture.directory.files) == [name, "\u{301}copy.mp4"])
    }

    @Test(
        "FR-063: a video's name reaches getAuth as it is", arguments: ["\u{301}film.mp4", "e\u{301}.mp4", "\u{E9}.mp4"])
    func namesOfVideos(_ name: String) async throws {
        let fixture = try await VODFixture()
        _ = try await fixture.uploader().uploadFile(try fixture.file(name, size: 1000))
        let told = fixture.server.vod.videos.first?.parameters["FileName"] ?? ""
        #expect(Array(told.utf8) == Array(name.utf8))
    }

    // MARK: Any key at all

    private static func randomKey(_ random: inout SeededRandom) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x00...0x7F, 0x20...0x7E, 0x80...0x2FFF, 0x3000...0xD7FF, 0xE000...0x10FFFF,
        ]
        var key = String.UnicodeScalarView()
        let length = Int.random(in: 0...1100, using: &random) / (Bool.random(using: &random) ? 1 : 20)
        var bytes = 0
        while bytes < length {
            guard let range = ranges.randomElement(using: &random),
                let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random))
            else { continue }
            key.append(scalar)
            bytes += UTF8.width(scalar)
        }
        return String(key)
    }

    fileprivate func randomKeys(_ service: Service, _ count: Int, seed: UInt64) async throws {
        let fixture = try await ServiceFixture(service)
        var random = SeededRandom(seed: seed)
        let isOSS = [.oss, .ossV1].contains(service)
        for _ in 0..<count {
            let key = Self.randomKey(&random)
            let begins = key.utf8.first == UInt8(ascii: "/") || key.utf8.first == UInt8(ascii: "\\")
            let isLegal = !key.isEmpty && key.utf8.count <= (isOSS ? 1023 : 1024) && !(isOSS && begins)
            let location = ObjectLocation(bucket: "dst-bucket", key: key)
            let before = fixture.log.entries.count
            do {
                try await exercise(key, fixture)
                _ = try await fixture.backend.copyObject(
                    location, to: fixture.target, ifMatch: nil, options: ObjectOptions())
                #expect(isLegal)
                #expect(fixture.object(location)?.length == 2000)
                fixture.server.storage.removeObject(key, in: "dst-bucket")
            } catch let error as TransferError {
                #expect(error.code == .invalidArgument && !isLegal, "\(Array(key.unicodeScalars.prefix(4))): \(error)")
                #expect(fixture.log.entries.count == before)
            }
        }
        expect([fixture.target.key], in: fixture)
    }

    @Test("FR-064: random keys are stored as they are, or refused before any request", arguments: Service.allCases)
    func randomKeys(_ service: Service) async throws { try await randomKeys(service, 40, seed: 64) }

    @Test(
        "FR-064: a key that is empty or too long is refused by every call, before any request",
        arguments: Service.allCases,
        ["", String(repeating: "k", count: 1100)])
    func impossibleKeys(_ service: Service, _ key: String) async throws {
        let fixture = try await ServiceFixture(service)
        let backend = fixture.backend
        let bad = ObjectLocation(bucket: "dst-bucket", key: key)
        let good = fixture.target
        let upload = MultipartUpload(id: "upload", target: bad)
        let options = ObjectOptions()
        let body = PartBody(Self.body)
        let source = UploadSource(Self.body, name: "film")
        let path = fixture.directory.path("film")
        let calls: [(String, () async throws -> Void)] = [
            ("head", { _ = try await backend.headObject(bad) }),
            ("get", { _ = try await backend.getObject(bad, range: nil, ifMatch: nil, into: CollectedBytes()) }),
            ("put", { _ = try await backend.putObject(body, at: bad, options: options) }),
            ("create", { _ = try await backend.createMultipartUpload(at: bad, options: options) }),
            ("part", { _ = try await backend.uploadPart(1, of: upload, body: body) }),
            ("list", { _ = try await backend.listParts(of: upload) }),
            (
                "complete",
                {
                    _ = try await backend.completeMultipartUpload(
                        upload, parts: [CompletedPart(number: 1, etag: ETag("a"))])
                }
            ),
            ("abort", { try await backend.abortMultipartUpload(upload) }),
            ("copy to", { _ = try await backend.copyObject(good, to: bad, ifMatch: nil, options: options) }),
            ("copy from", { _ = try await backend.copyObject(bad, to: good, ifMatch: nil, options: options) }),
            ("head source", { _ = try await backend.headCopySource(bad) }),
            ("tags", { _ = try await backend.copySourceTags(bad) }),
            (
                "part copy",
                {
                    _ = try await backend.uploadPartCopy(
                        1, of: MultipartUpload(id: "upload", target: good), from: bad,
                        range: ByteRange(offset: 0, length: 1), ifMatch: nil)
                }
            ),
            ("upload", { _ = try await TransferEngine().upload(source, to: bad, using: backend).value }),
            ("engine copy", { _ = try await TransferEngine().copy(from: bad, to: good, using: backend).value }),
            ("download", { _ = try await TransferEngine().download(bad, to: path, using: backend).value }),
        ]
        // OSS's backend carries no tags, and asks for none.
        for (name, call) in calls where name != "tags" || ![.oss, .ossV1].contains(service) {
            let error = await failure(call)
            #expect(error?.code == .invalidArgument, "\(name): \(String(describing: error))")
            #expect(error?.field?.lowercased().contains("key") == true, "\(name): \(error?.field ?? "")")
        }
        #expect(fixture.log.entries.isEmpty)
    }
}

@Suite("Field reports: keys and encodings, by make test-slow", .slow) struct SlowKeyReports {
    @Test("FR-064: 2,000 random keys for each service", arguments: Service.allCases)
    func manyRandomKeys(_ service: Service) async throws {
        try await KeyReports().randomKeys(service, 2_000, seed: 640)
    }
}
