package import ObjectTransfer

extension JSONObject {
    /// One event with its payload; nil for one that this program does not know.
    package init?(_ event: TransferEvent) {
        switch event {
        case .checkpointClaimed(let location, _):
            self.init(event: "checkpointClaimed")
            add("location", location)
        case .partSizeRaised(let from, let to):
            self.init(event: "partSizeRaised")
            add("from", from)
            add("to", to)
        case .resumed(let uploadID, let parts, let bytes):
            self.init(event: "resumed")
            add("uploadId", uploadID)
            add("parts", parts)
            add("bytes", bytes)
        case .restarted(let reason):
            self.init(event: "restarted")
            add("reason", "\(reason)")
        case .uploadCreated(let uploadID):
            self.init(event: "uploadCreated")
            add("uploadId", uploadID)
        case .uploadCreationFailed(let error): self.init("uploadCreationFailed", error)
        case .partCompleted(let part, let range):
            self.init("partCompleted", part: part.number, range)
            add("etag", part.etag.bare)
        case .partFailed(let number, let range, let error):
            self.init("partFailed", part: number, range)
            add("error", "\(error)")
        case .partCut(let number, let range): self.init("partCut", part: number, range)
        case .tagsNotCarried(let count):
            self.init(event: "tagsNotCarried")
            add("count", count)
        case .uploadLeftBehind(let uploadID, _):
            self.init(event: "uploadLeftBehind")
            add("uploadId", uploadID)
        case .unrecorded(let error): self.init("unrecorded", error)
        case .stopping(let error): self.init("stopping", error)
        case .completionFailed(let error): self.init("completionFailed", error)
        case .progress(let progress):
            self.init(event: "progress")
            add("completedBytes", progress.completedBytes)
            add("totalBytes", progress.totalBytes)
        case .completed(let receipt):
            self.init(event: "completed")
            add("etag", receipt.etag.bare)
            add("crc64", receipt.checksums.crc64.map(String.init))
            add("verification", "\(receipt.verification)")
            add("requestId", receipt.requestID)
        @unknown default: return nil
        }
    }

    private init(_ event: String, _ error: TransferError) {
        self.init(event: event)
        add("error", "\(error)")
    }

    private init(_ event: String, part: Int, _ range: ByteRange) {
        self.init(event: event)
        add("part", part)
        add("offset", range.offset)
        add("length", range.length)
    }
}
