import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferCurl
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Field reports about bytes that are not those that were sent.
@Suite("Field reports: integrity", .timeLimit(.minutes(2))) struct IntegrityReports {
    // MARK: Checksums

    private static let buffer = UInt64(TransportConfiguration().uploadBufferSize)

    /// Around the size of the buffer that bodies pass through.
    static let bufferSizes: [UInt64] = [0, 1, buffer - 1, buffer, buffer + 1, 3 * buffer + 7]

    /// Where bytes come from.
    enum Kind: CaseIterable, Sendable {
        case memory
        case file
        case ownStruct
        case ownClass
    }

    private func source(_ kind: Kind, _ length: UInt64, in directory: TemporaryDirectory) throws -> UploadSource {
        let made = MadeUpSource(length: length)
        switch kind {
        case .memory: return .bytes(try made.bytes, name: "film")
        case .file:
            try directory.write(try made.bytes, to: "film")
            return try .file(directory.path("film"))
        case .ownStruct: return UploadSource(made, name: "film")
        case .ownClass: return UploadSource(CountingSource(length: length), name: "film")
        }
    }

    private func crc64(_ bytes: [UInt8]) -> UInt64 {
        var crc = CRC64()
        crc.update(bytes)
        return crc.value
    }

    @Test(
        "FR-076: client and service agree on the CRC-64, whatever the size and the source",
        arguments: [Service.tos, .oss, .ossV1], Kind.allCases)
    func checksumsAgree(_ service: Service, _ kind: Kind) async throws {
        for size in Self.bufferSizes {
            let fixture = try await ServiceFixture(service)
            let source = try source(kind, size, in: fixture.directory)
            let bytes = try source.source.bytes
            let whole = try await fixture.upload(source) { $0.singleRequestLimit = max(size, 1) }
            #expect(whole.verification == .crc64 && whole.checksums.crc64 == crc64(bytes), "\(size)")
            #expect(fixture.stored?.content.read() == bytes)
            let parts = try await fixture.upload(source)
            #expect(parts.verification == .crc64 && parts.checksums.crc64 == crc64(bytes), "\(size)")
            #expect(fixture.stored?.content.read() == bytes)
        }
    }

    @Test("FR-076: known answers of CRC-64/XZ, and of the combination of two")
    func knownAnswers() {
        #expect(crc64([]) == 0)
        #expect(crc64(Array("123456789".utf8)) == 0x995D_C9BB_DF19_39FA)
        let bytes = VODFixture.bytes(1000)
        for cut in [0, 1, 7, 8, 500, 999, 1000] {
            let head = crc64(Array(bytes[..<cut]))
            let tail = crc64(Array(bytes[cut...]))
            #expect(CRC64.combine(head, tail, lengthOfB: UInt64(1000 - cut)) == crc64(bytes), "\(cut)")
        }
    }

    // MARK: The list of parts

    /// The part numbers that a Complete lists, in its order.
    private func listed(_ entry: WireEntry?) -> [Int] {
        var numbers: [Int] = []
        var rest = (entry?.documentText ?? "")[...]
        while let mark = rest.firstRange(of: "PartNumber") {
            rest = rest[mark.upperBound...].drop { !$0.isNumber }
            numbers.append(Int(rest.prefix { $0.isNumber }) ?? 0)
            // Past the closing tag, which has the same name.
            if let close = rest.firstRange(of: "</PartNumber"), rest[..<close.lowerBound].allSatisfy(\.isNumber) {
                rest = rest[close.upperBound...]
            }
        }
        return numbers
    }

    /// Pauses a copy of 200 parts, 16 at a time, that ended in any order.
    private func pausedCopy(_ fixture: ServiceFixture) async throws -> ObjectLocation {
        let source = ObjectLocation(bucket: "src-bucket", key: "film")
        try fixture.server.storage.putObject(
            source.key, in: source.bucket, .pretended(length: 200 * fixture.service.leastPart))
        var random = SeededRandom(seed: 77)
        for number in (1...200).shuffled(using: &random).prefix(60) {
            fixture.server.faults.add(
                .on(.uploadPartCopy).part(number), .delay(.milliseconds(Int.random(in: 1...20, using: &random))))
        }
        let hook = TransferCancelHook()
        let stored = LockBox(0)
        // The pause comes while some are under way: they are stored and not recorded.
        let held = fixture.server.faults.add(.on(.uploadPartCopy).after(100), .holdAnswer)
        let handle = Task {
            await failure {
                _ = try await fixture.copy(from: source) { options in
                    options.concurrency = 16
                    options.cancelHook = hook
                    options.onEvent = { event in
                        guard case .partCompleted = event else { return }
                        stored.withLock { $0 += 1 }
                    }
                }
            }
        }
        try await held.waitUntilHeld(16)
        hook.cancel()
        #expect(await handle.value?.code == .paused)
        fixture.server.faults.removeAll()
        #expect(stored.withLock { $0 } == 100)
        return source
    }

    @Test(
        "FR-077: Complete lists its parts in order and once, after a pause with parts stored twice over",
        arguments: Service.allCases)
    func orderOfParts(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        let source = try await pausedCopy(fixture)
        // The record names part 7 twice, and again with another tag.
        let name = try #require(fixture.checkpoints.first)
        let text = String(decoding: try fixture.directory.read(name), as: UTF8.self)
        let line = try #require(
            text.split(separator: "\n").dropFirst().first {
                $0.contains("\"part\":7,") || $0.contains("\"part\":7}")
            })
        try fixture.directory.write(Array((text + line + "\n" + line + "\n").utf8), to: name)

        let before = fixture.log.count(of: .uploadPartCopy)
        _ = try await fixture.copy(from: source) { $0.concurrency = 16 }
        #expect(fixture.stored?.length == 200 * service.leastPart)
        let completes = fixture.log.entries(of: .completeMultipartUpload)
        #expect(completes.count == 1 && completes.first?.status == 200)
        #expect(listed(completes.first) == Array(1...200))
        #expect(fixture.log.count(of: .uploadPartCopy) - before <= 100)
    }

    @Test("FR-077: a caller's own list is put in order, and one that names a part twice is refused")
    func listsOfTheCallers() async throws {
        let fixture = try await OSSFixture({ $0.quirks.minimumPartLength = 1 })
        let upload = try await fixture.client.initiateMultipartUpload(
            OSSInitiateMultipartUploadInput(bucket: OSSFixture.bucket, key: "k"))
        var parts: [OSSUploadedPart] = []
        for number in 1...3 {
            let part = try await fixture.client.uploadPart(
                OSSUploadPartInput(
                    bucket: OSSFixture.bucket, key: "k", uploadID: upload.uploadID, partNumber: number,
                    content: MadeUpSource(length: 10)))
            parts.append(OSSUploadedPart(partNumber: number, eTag: part.eTag))
        }
        let twice = await failure { [parts] in
            _ = try await fixture.client.completeMultipartUpload(
                OSSCompleteMultipartUploadInput(
                    bucket: OSSFixture.bucket, key: "k", uploadID: upload.uploadID, parts: parts + [parts[1]]))
        }
        #expect(twice?.code == .invalidArgument && twice?.field == "parts")
        #expect(fixture.server.wireLog.count(of: .completeMultipartUpload) == 0)
        _ = try await fixture.client.completeMultipartUpload(
            OSSCompleteMultipartUploadInput(
                bucket: OSSFixture.bucket, key: "k", uploadID: upload.uploadID, parts: parts.reversed()))
        #expect(listed(fixture.server.wireLog.entries.last) == [1, 2, 3])
        #expect(fixture.object("k")?.length == 30)
    }

    /// The tags that a Complete lists, without what JSON and XML write for a quote.
    private func tags(of entry: WireEntry) -> [String] {
        let text = entry.documentText.replacing("&quot;", with: "\"").replacing("&#34;", with: "\"")
        if text.contains("<ETag>") {
            return text.split(separator: "<ETag>").dropFirst().compactMap { rest in
                rest.firstRange(of: "</ETag>").map { String(rest[..<$0.lowerBound]) }
            }
        }
        return text.split(separator: "\"ETag\":\"").dropFirst().compactMap { rest in
            rest.firstRange(of: "\"}").map { String(rest[..<$0.lowerBound].replacing("\\\"", with: "\"")) }
        }
    }

    // MARK: Forms of tags and checksums

    /// How a service may write a tag.
    enum TagForm: CaseIterable, Sendable {
        case quoted
        case unquoted
        case entities
        case upperCase
        case blanks

        func header(_ bare: String) -> String {
            switch self {
            case .quoted, .entities: "\"\(bare)\""
            case .unquoted: bare
            case .upperCase: "\"\(bare.uppercased())\""
            case .blanks: "  \"\(bare)\"  "
            }
        }

        func element(_ bare: String) -> String {
            switch self {
            case .quoted: "\"\(bare)\""
            case .unquoted: bare
            case .entities: "&quot;\(bare)&quot;"
            case .upperCase: "&#34;\(bare.uppercased())&#34;"
            case .blanks: "\n  \"\(bare)\" "
            }
        }

        func member(_ bare: String) -> String {
            switch self {
            case .quoted, .entities: "\\\"\(bare)\\\""
            case .unquoted: bare
            case .upperCase: "\\\"\(bare.uppercased())\\\""
            case .blanks: "  \\\"\(bare)\\\" "
            }
        }

        /// Rewrites every tag of an answer.
        func rewrite(_ answer: inout WireAnswer) {
            if let tag = answer["ETag"] { answer["ETag"] = header(tag.filter { $0 != "\"" }) }
            guard var text = answer.text, text.contains("ETag") else { return }
            let isXML = text.contains("<ETag>")
            var done = ""
            while let mark = text.firstRange(of: isXML ? "<ETag>" : "\"ETag\":\"") {
                done += text[..<mark.upperBound]
                text = String(text[mark.upperBound...])
                let bare = text.drop { !$0.isLetter && !$0.isNumber || $0 == "&" }
                let digits = (text.hasPrefix("&quot;") ? text.dropFirst(6) : bare).prefix { $0.isHexDigit || $0 == "-" }
                guard let end = text.firstRange(of: isXML ? "</ETag>" : "\",") ?? text.firstRange(of: "\"}") else {
                    break
                }
                var rest = text[end.lowerBound...]
                // In JSON the quotes of the tag are escaped ones.
                if !isXML, text[..<end.lowerBound].hasSuffix("\\"), let next = rest.dropFirst().firstIndex(of: "\"") {
                    rest = rest[next...]
                }
                done += isXML ? element(String(digits)) : member(String(digits))
                text = String(rest)
            }
            answer.text = done + text
        }
    }

    @Test(
        "FR-078: a tag is understood in every form, and Complete sends one", arguments: Service.allCases,
        TagForm.allCases)
    func formsOfTags(_ service: Service, _ form: TagForm) async throws {
        let fixture = try await ServiceFixture(service)
        let part = service.leastPart
        let source = MadeUpSource(length: 4 * part)
        fixture.server.faults.add(.on(.uploadPart, .listParts, .headObject), .edit { form.rewrite(&$0) })
        let held = fixture.server.faults.add(.on(.uploadPart).parts(3...4), .stall)
        let hook = TransferCancelHook()
        let handle = try fixture.startUpload(UploadSource(source, name: "film")) {
            $0.concurrency = 1
            $0.cancelHook = hook
        }
        let paused = Task { await failure { _ = try await handle.value } }
        try await fixture.log.waitFor { $0.request.partNumber == 3 }
        hook.cancel()
        #expect(await paused.value?.code == .paused)
        held.remove()

        let receipt = try await fixture.upload(UploadSource(source, name: "film")) { $0.concurrency = 1 }
        #expect(receipt.verification == (service.tellsCRC64 ? .crc64 : .partETags))
        let parts = fixture.server.storage.storedPartCounts["dst-bucket/\(fixture.target.key)"] ?? [:]
        #expect(parts == [1: 1, 2: 1, 3: 1, 4: 1])
        let complete = try #require(fixture.log.entries(of: .completeMultipartUpload).last)
        #expect(complete.status == 200)
        #expect(listed(complete) == [1, 2, 3, 4])
        let tags = tags(of: complete)
        #expect(tags.count == 4)
        for tag in tags {
            let bare = tag.filter { $0.isHexDigit || $0 == "-" }
            #expect(tag == "\"\(bare)\"" && bare.count >= 32, "\(tag)")
        }
    }

    @Test("FR-078: results keep the quotes as the service gave them, and parts are completed with or without")
    func quotesOfResults() async throws {
        let fixture = try await CopyFixture({ $0.quirks.minimumPartLength = 1 })
        let created = try await fixture.client.createMultipartUpload(
            TOSCreateMultipartUploadInput(bucket: "dst-bucket", key: "k"))
        var parts: [TOSUploadedPart] = []
        for number in 1...2 {
            let part = try await fixture.client.uploadPart(
                TOSUploadPartInput(
                    bucket: "dst-bucket", key: "k", uploadID: created.uploadID, partNumber: number,
                    content: MadeUpSource(length: 10)))
            #expect(part.eTag.hasPrefix("\"") && part.eTag.hasSuffix("\""))
            // As the vendor's sample does it by hand.
            parts.append(
                TOSUploadedPart(
                    partNumber: number, eTag: number == 1 ? part.eTag : part.eTag.filter { $0 != "\"" }))
        }
        _ = try await fixture.client.completeMultipartUpload(
            TOSCompleteMultipartUploadInput(bucket: "dst-bucket", key: "k", uploadID: created.uploadID, parts: parts))
        #expect(fixture.server.storage.object("k", in: "dst-bucket")?.length == 20)
    }

    /// Values of a checksum header that are none.
    static let badChecksums: [String?] = [
        nil, "", "-1", "18446744073709551616", "1.5", "0x12", "abc", "１２", "99999999999999999999999999999999999",
    ]

    private static func checksumHeader(_ service: Service) -> String {
        service == .tos ? "x-tos-hash-crc64ecma" : "x-oss-hash-crc64ecma"
    }

    @Test(
        "FR-079: a checksum that is missing or none means that nothing was compared, and the receipt says so",
        arguments: [Service.tos, .oss], badChecksums)
    func checksumsThatAreNone(_ service: Service, _ value: String?) async throws {
        let fixture = try await ServiceFixture(service)
        fixture.server.faults.add(.any, .header(Self.checksumHeader(service), value))
        let source = MadeUpSource(length: 2 * service.leastPart + 1)
        let put = try await fixture.upload(UploadSource(source, name: "film")) { $0.singleRequestLimit = source.length }
        #expect(put.verification != .crc64 && put.checksums.crc64 == nil)
        let parts = try await fixture.upload(UploadSource(source, name: "film"))
        #expect(parts.verification != .crc64 && parts.checksums.crc64 == nil)
        #expect(fixture.stored?.length == source.length)
        #expect(try await fixture.backend.headObject(fixture.target).checksums.crc64 == nil)
        _ = try await fixture.backend.putObject(.empty, at: fixture.target, options: ObjectOptions())
        #expect(try await fixture.backend.headObject(fixture.target).size == 0)
        // Another answer that has no body and ought to have none.
        let gone = await failure {
            _ = try await fixture.backend.headObject(ObjectLocation(bucket: "dst-bucket", key: "none"))
        }
        #expect(gone?.code == .notFound)
    }

    @Test("FR-079: blanks around a checksum are none of it, and all 64 bits count", arguments: [Service.tos, .oss])
    func checksumsOf64Bits(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        // Its CRC-64 is beyond the range of signed numbers.
        let bytes = Array("123456789".utf8)
        fixture.server.faults.add(
            .any,
            .edit { answer in
                let name = Self.checksumHeader(service)
                if let value = answer[name] { answer[name] = "  \(value) \t" }
            })
        for limit in [0, UInt64(bytes.count)] {
            let receipt = try await fixture.upload(.bytes(bytes, name: "digits")) { $0.singleRequestLimit = limit }
            #expect(receipt.verification == .crc64)
            #expect(receipt.checksums.crc64 == 0x995D_C9BB_DF19_39FA)
        }
        #expect(try await fixture.backend.headObject(fixture.target).checksums.crc64 == 0x995D_C9BB_DF19_39FA)
        fixture.server.faults.removeAll()
        fixture.server.faults.add(.on(.putObject), .crc64(.max))
        let error = await failure {
            _ = try await fixture.upload(.bytes(bytes, name: "digits")) { $0.singleRequestLimit = 100 }
        }
        #expect(error?.code == .checksumMismatch && error?.message.contains("18446744073709551615") == true)
    }

    // MARK: Bytes that change

    @Test("FR-080: a part that arrives altered is sent again", arguments: [Service.tos, .oss, .ossV1])
    func alteredPart(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        fixture.server.faults.add(.on(.uploadPart).part(9).first(1), .corruptBody(at: 5000))
        let source = MadeUpSource(length: (service == .tos ? 9 : 20) * service.leastPart)
        let receipt = try await fixture.upload(UploadSource(source, name: "film"))
        #expect(receipt.verification == .crc64)
        let parts = fixture.server.storage.storedPartCounts["dst-bucket/\(fixture.target.key)"] ?? [:]
        #expect(parts[9] == 2 && parts.values.count { $0 == 1 } == parts.count - 1)
        #expect(fixture.stored?.content.read() == (try source.bytes))
    }

    @Test(
        "FR-080: an object by one request that arrives altered is sent again", arguments: [Service.tos, .oss, .ossV1])
    func alteredObject(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        fixture.server.faults.add(.on(.putObject).first(1), .corruptBody(at: 500))
        let source = MadeUpSource(length: 1000)
        let receipt = try await fixture.upload(UploadSource(source, name: "film")) { $0.singleRequestLimit = 1000 }
        #expect(receipt.verification == .crc64)
        #expect(fixture.log.count(of: .putObject) == 2)
        #expect(fixture.stored?.content.read() == (try source.bytes))
    }

    @Test(
        "FR-080: a part that always arrives altered fails the upload, and a later call goes on",
        arguments: [Service.tos, .oss])
    func alwaysAltered(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        let fault = fixture.server.faults.add(.on(.uploadPart).part(2), .corruptBody(at: 500))
        let source = UploadSource(MadeUpSource(length: 3 * service.leastPart), name: "film")
        let error = await failure { _ = try await fixture.upload(source) }
        #expect(error?.code == .checksumMismatch && error?.part == 2)
        #expect(fixture.stored == nil && fixture.log.count(of: .completeMultipartUpload) == 0)
        fault.remove()
        let receipt = try await fixture.upload(source)
        #expect(receipt.verification == .crc64)
        #expect(fixture.stored?.content.read() == (try source.source.bytes))
    }

    @Test(
        "FR-080: right parts and a wrong object are an error with both values, and the next call begins anew",
        arguments: [Service.tos, .oss])
    func wrongObject(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        let fault = fixture.server.faults.add(.on(.completeMultipartUpload), .crc64(1))
        let made = MadeUpSource(length: 3 * service.leastPart)
        let source = UploadSource(made, name: "film")
        let error = await failure { _ = try await fixture.upload(source) }
        #expect(error?.code == .checksumMismatch)
        #expect(error?.message.contains("is 1,") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains(String(crc64(try made.bytes))) == true)
        #expect(error?.receipt != nil)
        fault.remove()
        let receipt = try await fixture.upload(source)
        #expect(receipt.verification == .crc64)
        #expect(fixture.log.count(of: .createMultipartUpload) == 2)
    }

    @Test(
        "FR-080: so are a copy and a download of other bytes than those of the source", arguments: [Service.tos, .oss])
    func wrongCopies(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        let source = ObjectLocation(bucket: "src-bucket", key: "film")
        try fixture.server.storage.putObject(
            "film", in: "src-bucket", .generated(seed: 3, length: 2 * service.leastPart))
        fixture.server.faults.add(.on(.completeMultipartUpload), .crc64(1))
        let copy = await failure { _ = try await fixture.copy(from: source) }
        #expect(copy?.code == .checksumMismatch)
        // What is read is no longer what the service says that it holds.
        try fixture.server.storage.flipByte(at: 1000, of: "film", in: "src-bucket")
        let path = fixture.directory.path("film")
        let download = await failure {
            _ = try await TransferEngine().download(source, to: path, using: fixture.backend).value
        }
        #expect(download?.code == .checksumMismatch)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    // MARK: Framing

    @Test(
        "FR-081: every request has a plain body of a stated length, and digests that are those of its bytes",
        arguments: Service.allCases)
    func plainBodies(_ service: Service) async throws {
        let fixture = try await ServiceFixture(service)
        let backend = fixture.backend
        let part = service.leastPart
        try fixture.directory.write(try MadeUpSource(length: 2 * part + 1).bytes, to: "film")
        let sources: [UploadSource] = [
            try .file(fixture.directory.path("film")), .bytes(try MadeUpSource(length: part + 1).bytes, name: "memory"),
            UploadSource(MadeUpSource(length: 2 * part), name: "struct"),
            UploadSource(CountingSource(length: 1), name: "class"),
        ]
        for source in sources {
            _ = try await fixture.upload(source)
            _ = try await fixture.upload(source) { $0.singleRequestLimit = source.source.length }
        }
        _ = try await backend.putObject(.empty, at: fixture.target, options: ObjectOptions())
        let info = ObjectLocation(bucket: "dst-bucket", key: "copied")
        _ = try await backend.copyObject(fixture.target, to: info, ifMatch: nil, options: ObjectOptions())
        try fixture.server.storage.putObject("film", in: "src-bucket", .pretended(length: 2 * part + 1))
        _ = try await fixture.copy(from: ObjectLocation(bucket: "src-bucket", key: "film")) {
            $0.carries = CarriedAttributes(metadata: true, tags: true)
        }
        _ = try await backend.getObject(info, range: nil, ifMatch: nil, into: CollectedBytes())
        let upload = try await backend.createMultipartUpload(at: fixture.target, options: ObjectOptions())
        _ = try await backend.listParts(of: upload)
        try await backend.abortMultipartUpload(upload)

        let seen = Set(fixture.log.entries.map(\.operation))
        let expected: Set<StoreOperation> = [
            .putObject, .getObject, .headObject, .copyObject, .createMultipartUpload, .uploadPart, .uploadPartCopy,
            .completeMultipartUpload, .abortMultipartUpload, .listParts,
        ]
        #expect(expected.isSubset(of: seen))
        for entry in fixture.log.entries { expectPlain(entry) }
    }

    private func expectPlain(_ entry: WireEntry) {
        #expect(entry.header("Transfer-Encoding") == nil, "\(entry)")
        #expect(entry.header("Trailer") == nil && entry.header("x-amz-trailer") == nil)
        #expect(entry.header("Expect") == nil)
        #expect(!entry.headText.lowercased().contains("aws-chunked"))
        #expect(!entry.headText.contains("STREAMING-"))
        if ["PUT", "POST"].contains(entry.request.method) {
            #expect(entry.header("Content-Length") == String(entry.bodyLength), "\(entry)")
        } else {
            #expect(entry.bodyLength == 0)
        }
        for name in ["x-amz-content-sha256", "x-tos-content-sha256", "x-oss-content-sha256"] {
            guard let digest = entry.header(name), digest != "UNSIGNED-PAYLOAD" else { continue }
            #expect(digest == Hex.encode(Digest.sha256(entry.document)), "\(entry)")
        }
        if let digest = entry.header("Content-MD5") {
            #expect(digest == Base64.encode(Digest.md5(entry.document)), "\(entry)")
        }
    }

    @Test("FR-081: so has every request of a video, an image and the OpenAPI")
    func plainBodiesOfMedia() async throws {
        let fixture = try await VODFixture()
        let uploader = try fixture.uploader()
        _ = try await uploader.uploadFile(try fixture.file(size: 3 * VODFixture.partSize))
        _ = try await uploader.uploadFile(try fixture.file("a.png", size: 1000))
        let app = try fixture.appServer()
        let other = try fixture.uploader(VODGetAuth.appServer(app))
        _ = try await other.uploadFile(try fixture.file("b.mp4", size: 1000, seed: 2))
        #expect(
            Set(fixture.server.wireLog.entries.map(\.operation)).isSuperset(of: [
                .createUploadVideo, .createUploadImage, .uploadPart,
            ]))
        for entry in fixture.server.wireLog.entries { expectPlain(entry) }
    }
}
