public import TransferCore

/// How one file is uploaded.
public struct VODUploadOptions: Sendable {
    /// What the video is to carry; handed to `getAuth`, which passes it on to CreateUploadVideo. Of a file that is an image by
    /// its extension, `title`, `desc`, `tags`, `cateId`, `userData`, `storageLocation` and `appId` are carried by the image; the
    /// rest, which images do not have, is left out.
    public var videoMeta: VODVideoMeta?
    /// What the image is to carry. Makes the file an image, whatever it is called. Not together with `videoMeta`.
    public var imageMeta: VODImageMeta?
    /// Bytes of every part but the last, 102,400 to 5 GiB; nil for what the configuration says, 0 for 1 MiB.
    public var partSize: Int?
    /// Parts that are sent at once, 1 to 1,000; nil for what the configuration says.
    public var parallel: Int?
    /// Told how far the upload is: `percent`, in spite of its name a fraction 0…1; bytes uploaded; bytes in all. One call at a time, on a queue of this
    /// upload's own, at most ten times a second. It never goes back, and reaches 1 once, when the object stands. May cancel
    /// the upload or dispose of the uploader.
    public var onProgress: (@Sendable (_ percent: Double, _ uploaded: UInt64, _ total: UInt64) -> Void)?
    /// What may stop the upload from outside; serves one upload. `cancel(abort: true)` gives the stored parts up.
    public var cancelHook: (any CancelHook)?

    /// With nothing given, the file is uploaded as the configuration says. Values are checked when the upload begins,
    /// before `getAuth` is asked.
    public init(
        videoMeta: VODVideoMeta? = nil, imageMeta: VODImageMeta? = nil, partSize: Int? = nil, parallel: Int? = nil,
        onProgress: (@Sendable (_ percent: Double, _ uploaded: UInt64, _ total: UInt64) -> Void)? = nil,
        cancelHook: (any CancelHook)? = nil
    ) {
        self.videoMeta = videoMeta
        self.imageMeta = imageMeta
        self.partSize = partSize
        self.parallel = parallel
        self.onProgress = onProgress
        self.cancelHook = cancelHook
    }

    /// Throws `.invalidArgument` naming the first field that cannot be.
    func check() throws(TransferError) {
        try PartRules.check(partSize: partSize)
        if let parallel { try PartRules.check(parallel: parallel) }
        guard videoMeta == nil || imageMeta == nil else {
            throw .invalidArgument("imageMeta", "a file is a video or an image: give videoMeta or imageMeta, not both")
        }
        try videoMeta?.check()
        try imageMeta?.check()
    }
}
