/// What VOD is called in checkpoints and errors.
enum VODProvider {
    static let name = "vod"
    /// Under which a checkpoint keeps the video that an upload belongs to.
    static let videoID = "videoId"
}
