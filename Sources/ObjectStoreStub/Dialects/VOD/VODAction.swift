#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The operations that the OpenAPI and the application server share.
enum VODAction: Sendable {
    case createVideo, refreshVideo, createImage

    init?(name: String?) {
        switch name {
        case "CreateUploadVideo"?: self = .createVideo
        case "RefreshUploadVideo"?: self = .refreshVideo
        case "CreateUploadImage"?: self = .createImage
        default: return nil
        }
    }

    var operation: StoreOperation {
        switch self {
        case .createVideo: .createUploadVideo
        case .refreshVideo: .refreshUploadVideo
        case .createImage: .createUploadImage
        }
    }

    func perform(_ parameters: VODParameters, by vod: VODService, at now: Date) throws(ServiceFailure) -> VODPermit {
        switch self {
        case .createVideo: try vod.createVideo(parameters, at: now)
        case .refreshVideo: try vod.refreshVideo(parameters, at: now)
        case .createImage: try vod.createImage(parameters, at: now)
        }
    }
}
