import ObjectStoreStub
/// Operations of the VOD OpenAPI.
extension ClientScenario {
    static let media = [createVideo, refreshVideo, createImage, wrongSecretOfOpenAPI, sessionTokenOfOpenAPI]

    static let createVideo = ClientScenario(
        name: "create-video", column: "CreateUploadVideo",
        examine: { findings, bench, id in
            examineVideo(&findings, bench, id, refreshes: 0)
        })

    static let refreshVideo = ClientScenario(
        name: "refresh-video", column: "RefreshUploadVideo",
        examine: { findings, bench, id in
            examineVideo(&findings, bench, id, refreshes: 1)
        })

    static let createImage = ClientScenario(
        name: "create-image", column: "CreateUploadImage",
        examine: { findings, bench, id in
            guard let image = bench.server.vod.images.first else { return findings.expect(false, "no image was made") }
            findings.expect(image.id == id, "the client has another id")
            findings.expect(image.title == "Küste", "the title is \(image.title ?? "missing")")
            let asked = ["ImageType": "cover", "ImageExt": "png", "Tags": "sea"]
            findings.expect(
                asked.allSatisfy { image.parameters[$0.key] == $0.value }, "the call was \(image.parameters)")
            bench.examineContent(&findings, image.key, in: image.bucket)
        })

    private static func examineVideo(_ findings: inout Findings, _ bench: ClientBench, _ id: String, refreshes: Int) {
        guard let video = bench.server.vod.videos.first else { return findings.expect(false, "no video was made") }
        findings.expect(video.id == id, "the client has another id")
        findings.expect(video.title == "A film & a half", "the title is \(video.title)")
        findings.expect(video.refreshCount == refreshes, "\(video.refreshCount) refreshes")
        let asked = ["FileName": "film 1+1.mov", "Description": "naïve", "Tags": "sea,sun"]
        findings.expect(asked.allSatisfy { video.parameters[$0.key] == $0.value }, "the call was \(video.parameters)")
        bench.examineContent(&findings, video.key, in: video.bucket)
    }

    static let wrongSecretOfOpenAPI = ClientScenario(
        name: "wrong-secret", column: "wrong secret",
        examine: { findings, bench, detail in
            findings.expect(bench.server.vod.videos.isEmpty, "a video was made")
            bench.examineRefusal(&findings, "400 SignatureDoesNotMatch", detail)
        })

    static let sessionTokenOfOpenAPI = ClientScenario(
        name: "session-token", column: "token",
        examine: { findings, bench, detail in
            findings.expect(bench.server.vod.videos.count == 1, "not one video was made by the right token alone")
            bench.examineRefusal(&findings, bench.client.tokenRefusal, detail)
        })
}
