import TransferCore
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The service itself: its objects, uploads and keys. What it does it does at once; `Flight` decides when, and what is lost.
final class SimulatedService: @unchecked Sendable {
    struct Object {
        let bytes: [UInt8]
        let etag: ETag
        let modified: Date
    }

    struct Upload {
        let target: ObjectLocation
        var parts: [Int: (bytes: [UInt8], etag: ETag)] = [:]
        /// Requests that store a part in it and are under way at the service.
        var arriving = 0
    }

    let world: World
    let traits: ServiceTraits
    private(set) var objects: [ObjectLocation: Object] = [:]
    private(set) var uploads: [String: Upload] = [:]
    /// Until when a key is good.
    private var keys: [String: Duration] = [:]
    /// Those of Complete, Put and Copy that made an object, by the call that sent them.
    private(set) var makers: [Int: Int] = [:]
    /// Uploads that the service itself forgot, or lost parts of.
    private(set) var damaged: Set<String> = []
    /// Told of each object that a transfer made.
    var onMade: (ObjectLocation, [UInt8]) -> Void = { _, _ in }
    private var lastUpload = 0
    private var lastTag = 0
    private var lastKey = 0

    init(world: World, traits: ServiceTraits) {
        self.world = world
        self.traits = traits
    }

    // MARK: What happens behind everybody's back

    /// Somebody else's write.
    func store(_ bytes: [UInt8], at location: ObjectLocation) {
        objects[location] = Object(bytes: bytes, etag: tag(bytes), modified: date)
    }

    func forgetUpload(_ id: String) {
        damaged.insert(id)
        uploads[id] = nil
    }

    func forgetPart(of id: String) {
        guard let number = uploads[id]?.parts.keys.min() else { return }
        damaged.insert(id)
        uploads[id]?.parts[number] = nil
    }

    func newKey(life: Duration) -> String {
        lastKey += 1
        keys["key-\(lastKey)"] = world.now + life
        return "key-\(lastKey)"
    }

    func revoke(_ key: String) { keys[key] = .zero }

    func arrives(_ request: ServiceRequest, _ change: Int) {
        if request.partNumber != nil, let id = request.uploadID { uploads[id]?.arriving += change }
    }

    // MARK: Requests

    func perform(_ request: ServiceRequest, key: String, call: Int, damages: Bool) -> Result<
        ServiceAnswer, TransferError
    > {
        guard let end = keys[key], end > world.now else {
            return .failure(TransferError(.credentialsExpired, "the key is no longer good", retry: .refreshCredentials))
        }
        do {
            return .success(try perform(request, call, damages))
        } catch {
            return .failure(error)
        }
    }

    private func perform(_ request: ServiceRequest, _ call: Int, _ damages: Bool) throws(TransferError) -> ServiceAnswer
    {
        switch request {
        case .head(let location):
            if traits.deniesHead { throw TransferError(.accessDenied, "no look is allowed") }
            return .info(info(try object(location)))
        case .put(let target, let bytes):
            return .receipt(try make(target, bytes, tag(bytes), call, tells: true))
        case .copy(let source, let target, let ifMatch):
            let object = try object(source, ifMatch: ifMatch)
            return .receipt(try make(target, object.bytes, tag(object.bytes), call, tells: traits.tellsChecksums))
        case .create(let target):
            lastUpload += 1
            uploads["u\(lastUpload)"] = Upload(target: target)
            return .upload("u\(lastUpload)")
        case .part(let number, let id, let bytes):
            return .part(try storePart(number, id, damages ? Self.damaged(bytes) : bytes, confirms: true))
        case .copyPart(let number, let id, let source, let range, let ifMatch):
            let object = try object(source, ifMatch: traits.honoursPreconditions ? ifMatch : nil)
            guard range.end <= UInt64(object.bytes.count), !range.isEmpty else {
                throw TransferError(.refused, "the range is outside the source")
            }
            let bytes = Array(object.bytes[Int(range.offset)..<Int(range.end)])
            return .part(try storePart(number, id, bytes, confirms: false))
        case .list(let id):
            if traits.deniesListing { throw TransferError(.accessDenied, "no listing is allowed") }
            let parts = try upload(id).parts.map { part($0.key, $0.value.bytes, $0.value.etag, tells: true) }
            return .parts(parts.sorted { $0.number < $1.number })
        case .complete(let id, let parts): return .receipt(try complete(id, parts, call))
        case .abort(let id):
            if let arriving = uploads[id]?.arriving, arriving > 0, !traits.deniesListing, world.random.chance(50) {
                // A part that is under way keeps it alive; where nothing is listed nobody could find that out.
                world.note(.abortUndone)
                damaged.insert(id)
                uploads[id]?.parts = [:]
            } else {
                uploads[id] = nil
            }
            return .done
        case .get(let source, let range, let ifMatch):
            let object = try object(source, ifMatch: ifMatch)
            guard range.offset < UInt64(object.bytes.count) else { throw TransferError(.refused, "no such range") }
            let end = min(Int(range.end), object.bytes.count)
            var bytes = Array(object.bytes[Int(range.offset)..<end])
            if damages { bytes = Self.damaged(bytes) }
            return .bytes(bytes, info(object))
        }
    }

    private func complete(_ id: String, _ parts: [CompletedPart], _ call: Int) throws(TransferError) -> TransferReceipt
    {
        let upload = try upload(id)
        var bytes: [UInt8] = []
        var last = 0
        for part in parts {
            guard part.number > last, let stored = upload.parts[part.number], stored.etag == part.etag else {
                throw TransferError(.invalidPart, "part \(part.number) is missing or another one")
            }
            last = part.number
            bytes += stored.bytes
        }
        let etag = traits.tagsAreDigests ? ETag.multipart(parts) ?? newTag() : newTag()
        let receipt = try make(upload.target, bytes, etag, call, tells: traits.tellsChecksums)
        uploads[id] = nil
        return receipt
    }

    private func make(
        _ target: ObjectLocation, _ bytes: [UInt8], _ etag: ETag, _ call: Int, tells: Bool
    ) throws(TransferError) -> TransferReceipt {
        objects[target] = Object(bytes: bytes, etag: etag, modified: date)
        makers[call, default: 0] += 1
        onMade(target, bytes)
        return TransferReceipt(
            etag: etag, size: UInt64(bytes.count), checksums: tells ? Self.checksums(bytes) : [:])
    }

    private func storePart(
        _ number: Int, _ id: String, _ bytes: [UInt8], confirms: Bool
    ) throws(TransferError) -> CompletedPart {
        _ = try upload(id)
        let etag = tag(bytes)
        uploads[id]?.parts[number] = (bytes, etag)
        return part(number, bytes, etag, tells: confirms)
    }

    private func part(_ number: Int, _ bytes: [UInt8], _ etag: ETag, tells: Bool) -> CompletedPart {
        let tells = tells && traits.tellsPartChecksums
        return CompletedPart(
            number: number, etag: etag, size: UInt64(bytes.count), checksums: tells ? Self.checksums(bytes) : [:],
            isConfirmed: tells)
    }

    private func object(_ location: ObjectLocation, ifMatch: ETag? = nil) throws(TransferError) -> Object {
        guard let object = objects[location] else { throw TransferError(.notFound, "no such object") }
        if let ifMatch, ifMatch != object.etag { throw TransferError(.sourceChanged, "the source changed") }
        return object
    }

    private func upload(_ id: String) throws(TransferError) -> Upload {
        guard let upload = uploads[id] else { throw TransferError(.uploadNotFound, "no such upload") }
        return upload
    }

    private func info(_ object: Object) -> ObjectInfo {
        ObjectInfo(
            size: UInt64(object.bytes.count), etag: object.etag, lastModified: object.modified,
            checksums: traits.tellsChecksums ? Self.checksums(object.bytes) : [:])
    }

    private func tag(_ bytes: [UInt8]) -> ETag {
        traits.tagsAreDigests ? ETag(Hex.encode(Digest.md5(bytes))) : newTag()
    }

    private func newTag() -> ETag {
        lastTag += 1
        return ETag("tag-\(lastTag)")
    }

    private var date: Date {
        Date(timeIntervalSince1970: 1_751_356_800 + (world.now / .milliseconds(1)).rounded() / 1000)
    }

    static func checksums(_ bytes: [UInt8]) -> Checksums {
        var crc = CRC64()
        crc.update(bytes)
        return Checksums(crc64: crc.value)
    }

    private static func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        if !bytes.isEmpty { bytes[0] ^= 0xFF }
        return bytes
    }
}

/// How a service differs from others.
struct ServiceTraits: Sendable {
    /// Whether it tells the CRC-64 of whole objects.
    var tellsChecksums = true
    /// Whether it tells that of parts.
    var tellsPartChecksums = true
    /// Whether tags are MD5s; else each write has one of its own.
    var tagsAreDigests = true
    var honoursPreconditions = true
    var deniesListing = false
    var deniesHead = false
}
