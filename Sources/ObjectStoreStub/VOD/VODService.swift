import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The VOD service of a server: makes media ids, hands out addresses and temporary keys, and remembers what it made.
///
///     server.vod.settings.tokenLife = .seconds(60)
///     …
///     #expect(server.vod.videos.count == 1)
///     #expect(server.vod.videos.first?.refreshCount == 2)
///
/// Media processing is no part of it: a video is an id, an object's place and what the call said.
public final class VODService: Sendable {
    private struct State {
        var settings: VODSettings
        var port: UInt16 = 0
        var videos: [VODVideo] = []
        var images: [VODImage] = []
    }

    private let storage: ObjectStorage
    private let accounts: AccountTable
    private let host: String
    private let region: String
    private let state: LockBox<State>

    init(_ configuration: StubConfiguration, storage: ObjectStorage, accounts: AccountTable) {
        self.storage = storage
        self.accounts = accounts
        host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        region = configuration.ossRegion
        state = LockBox(State(settings: configuration.vod))
    }

    /// How it behaves from now on.
    public var settings: VODSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    /// Every video in the order of creation. Two for one file are a second media id.
    public var videos: [VODVideo] { state.withLock { $0.videos } }

    /// Every image in the order of creation.
    public var images: [VODImage] { state.withLock { $0.images } }

    /// Tells the port that the server listens on, which addresses are made of.
    func listens(on port: UInt16) { state.withLock { $0.port = port } }

    // MARK: Operations

    /// CreateUploadVideo: a new video whenever it is called.
    func createVideo(_ parameters: VODParameters, at now: Date) throws(ServiceFailure) -> VODPermit {
        try parameters.checkVideo()
        let settings = settings
        let name = newName()
        var video = VODVideo(
            id: newMediaID(), title: parameters["Title"] ?? "", parameters: parameters.values,
            bucket: parameters.storageBucket ?? settings.bucket,
            key: "sv/\(name)/\(name).\(parameters.fileExtension ?? "")", endpoint: endpoint(for: parameters))
        let keys = makeKeys(life: settings.tokenLife, bucket: video.bucket, key: video.key, at: now)
        video.accessKeys = [keys.accessKey]
        let made = video
        let reference = parameters["ReferenceId"]
        let isNew = state.withLock { state in
            if let reference, state.videos.contains(where: { $0.parameters["ReferenceId"] == reference }) {
                return false
            }
            state.videos.append(made)
            return true
        }
        guard isNew else {
            accounts.remove(keys.accessKey)
            throw .invalidParameter("ReferenceId", "it has been used")
        }
        return permit(for: made, keys, at: now)
    }

    /// RefreshUploadVideo: keys for a video that exists.
    func refreshVideo(_ parameters: VODParameters, at now: Date) throws(ServiceFailure) -> VODPermit {
        let id = parameters["VideoId"]
        let reference = parameters["ReferenceId"]
        guard id != nil || reference != nil else { throw .missingParameter("VideoId") }
        let settings = settings
        let found = state.withLock { state -> VODVideo? in
            let index = state.videos.firstIndex { video in
                id.map { $0 == video.id } ?? (video.parameters["ReferenceId"] == reference)
            }
            guard let index else { return nil }
            state.videos[index].refreshCount += 1
            if let bucket = settings.refreshedBucket { state.videos[index].bucket = bucket }
            if let endpoint = settings.refreshedEndpoint { state.videos[index].endpoint = endpoint }
            return state.videos[index]
        }
        guard let video = found else { throw .noSuchVideo }
        if settings.refreshRepeatsToken, let keys = video.accessKeys.last.flatMap({ accounts.account($0) }),
            let expires = keys.expires, expires > now
        {
            return permit(for: video, keys, at: now)
        }
        let keys = makeKeys(life: settings.tokenLife, bucket: video.bucket, key: video.key, at: now)
        state.withLock { state in
            guard let index = state.videos.firstIndex(where: { $0.id == video.id }) else { return }
            state.videos[index].accessKeys.append(keys.accessKey)
        }
        return permit(for: video, keys, at: now)
    }

    /// CreateUploadImage: a new image whenever it is called.
    func createImage(_ parameters: VODParameters, at now: Date) throws(ServiceFailure) -> VODPermit {
        try parameters.checkImage()
        let settings = settings
        let bucket = parameters.storageBucket ?? settings.bucket
        let key = "image/\(parameters["ImageType"] ?? "")/\(newName().uppercased()).\(parameters.imageExtension)"
        let keys = makeKeys(life: settings.tokenLife, bucket: bucket, key: key, at: now)
        let image = VODImage(
            id: newMediaID(), title: parameters["Title"], parameters: parameters.values, bucket: bucket, key: key,
            endpoint: endpoint(for: parameters), imageURL: "\(ownEndpoint)/\(bucket)/\(key)", accessKey: keys.accessKey)
        state.withLock { $0.images.append(image) }
        return VODPermit(
            medium: [
                ("ImageId", image.id), ("ImageURL", image.imageURL), ("FileURL", image.imageURL),
            ], endpoint: image.endpoint, bucket: bucket, key: key, keys: keys, region: region, now: now)
    }

    private func permit(for video: VODVideo, _ keys: StubAccount, at now: Date) -> VODPermit {
        VODPermit(
            medium: [("VideoId", video.id)], endpoint: video.endpoint, bucket: video.bucket, key: video.key, keys: keys,
            region: region, now: now)
    }

    // MARK: Addresses and keys

    private var ownEndpoint: String { "http://\(host):\(state.withLock { $0.port })" }

    private func endpoint(for parameters: VODParameters) -> String {
        guard parameters.asksForAcceleration else { return ownEndpoint }
        return settings.accelerateEndpoint ?? "http://localhost:\(state.withLock { $0.port })"
    }

    /// Makes keys that open one object for a while, and the bucket when it is missing.
    private func makeKeys(life: Duration, bucket: String, key: String, at now: Date) -> StubAccount {
        if !storage.bucketNames.contains(bucket) { storage.createBucket(bucket) }
        // The wire tells whole seconds; the keys end when it says they do.
        let seconds = min(max(life / .seconds(1), -1e9), 1e9)
        let expires = Date(timeIntervalSince1970: (now.timeIntervalSince1970 + seconds).rounded(.up))
        let account = StubAccount(
            accessKey: "STS." + storage.newID(), secretKey: Base64.encode(Digest.sha256(storage.newID().utf8)),
            sessionToken: "CAIS+/" + Base64.encode(Digest.sha256(storage.newID().utf8)), expires: expires,
            scope: ObjectScope(bucket: bucket, key: key))
        accounts.add(account)
        return account
    }

    private func newMediaID() -> String { String(Hex.encode(Digest.sha256(storage.newID().utf8)).prefix(32)) }

    /// Such as `1f5a2b3c-194c0d5e6f7`.
    private func newName() -> String {
        let digits = storage.newID()
        return "\(digits.prefix(8))-\(digits.dropFirst(8).prefix(11))"
    }
}
