import AliyunVOD
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The application's backend: makes media, and hands out credentials `token-1`, `token-2`, … for them.
final class FakeVOD: Sendable {
    /// What an answer is made of.
    struct Answer: Sendable {
        var videoID: String?
        var imageID: String?
        var imageURL: String?
        var endpoint = "https://oss-cn-shanghai.aliyuncs.com"
        var bucket = "outin-0123456789abcdef"
        var key: String
        var token: String
        var secret = FakeVOD.secret
        var expires: String?
        var region: String? = "cn-shanghai"

        var members: [String: String] {
            var address = ["Endpoint": endpoint, "Bucket": bucket]
            address["FileName"] = key
            var auth = ["AccessKeyId": "STS.TESTAKID0001", "AccessKeySecret": secret, "SecurityToken": token]
            auth["ExpireUTCTime"] = expires
            auth["Expiration"] = expires == nil ? nil : "3000"
            auth["Region"] = region
            var members = ["RequestId": "vod-request", "UploadAddress": blob(address), "UploadAuth": blob(auth)]
            members["VideoId"] = videoID
            members["ImageId"] = imageID
            members["ImageURL"] = imageURL
            return members
        }
    }

    struct State: Sendable {
        var asked: [VODAuthContext] = []
        var tokens = 0
        var media = 0
    }

    static let secret = "TestSecret/With+Chars=0001"

    typealias Change = @Sendable (VODAuthContext, _ answer: Answer, _ number: Int) async throws -> any VODAuthAnswer

    private let state = LockBox(State())
    private let change: Change

    /// `change` makes the answer out of what would be answered; `number` counts the calls from 1.
    init(_ change: @escaping Change = { _, answer, _ in answer.members }) { self.change = change }

    var asked: [VODAuthContext] { state.withLock { $0.asked } }
    var kinds: [VODAuthKind] { asked.map(\.kind) }
    func count(_ kind: VODAuthKind) -> Int { asked.count { $0.kind == kind } }

    var getAuth: VODGetAuth {
        VODGetAuth { [self] context in
            let (answer, number) = state.withLock { state -> (Answer, Int) in
                state.asked.append(context)
                state.tokens += 1
                if context.kind != .refreshVideo { state.media += 1 }
                let token = "token-\(state.tokens)-secret"
                switch context.kind {
                case .createVideo:
                    let id = "video-\(state.media)"
                    return (Answer(videoID: id, key: "sv/\(id)/\(id).mp4", token: token), state.tokens)
                case .refreshVideo:
                    let id = context.videoId ?? "?"
                    return (Answer(videoID: id, key: "sv/\(id)/\(id).mp4", token: token), state.tokens)
                case .createImage:
                    let id = "image-\(state.media)"
                    return (
                        Answer(
                            imageID: id, imageURL: "https://img.example.com/\(id).jpg", key: "image/\(id).jpg",
                            token: token), state.tokens
                    )
                }
            }
            return try await change(context, answer, number)
        }
    }
}

/// An object of JSON in base64.
func blob(_ members: [String: String]) -> String {
    Base64.encode((try? JSONEncoder().encode(members)) ?? Data())
}

/// A refusal of the OpenAPI, as an application hands it on.
func refusal(_ code: String) -> [String: String] {
    ["RequestId": "vod-request-9", "Code": code, "Message": "it is so", "HostId": "vod.cn-shanghai.aliyuncs.com"]
}
