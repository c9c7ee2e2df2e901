extension ObjectService {
    func listParts(_ call: ServiceCall) throws(ServiceFailure) -> ServiceResult {
        let upload: StoredUpload
        do {
            upload = try openUpload(call)
        } catch {
            throw quirks.listsMissingUploadAsKey && error.code == ServiceFailure.noSuchUpload.code ? .noSuchKey : error
        }
        let limit = try pageLength(call.page.limit)
        let following = upload.parts.drop { $0.number <= call.page.partNumberMarker }
        let shown = Array(following.prefix(limit))
        var page = ServiceResult.PartsPage(upload: upload, parts: shown, limit: limit)
        page.isTruncated = following.count > shown.count
        page.nextMarker = shown.last?.number ?? call.page.partNumberMarker
        var result = ServiceResult()
        result.parts = page
        return result
    }

    func listUploads(_ call: ServiceCall) throws(ServiceFailure) -> ServiceResult {
        let bucket = try bucket(call.bucket)
        let limit = try pageLength(call.page.limit)
        let order = Dictionary(
            bucket.uploadOrder.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let all = bucket.uploads.values
            .filter { $0.key.hasPrefix(call.page.prefix) }
            .sorted { (ExactKey($0.key), order[$0.id] ?? 0) < (ExactKey($1.key), order[$1.id] ?? 0) }
        let marker = ExactKey(call.page.keyMarker)
        let marked = all.firstIndex { $0.id == call.page.uploadIDMarker && ExactKey($0.key) == marker }
        let candidates =
            marked.map { all.dropFirst($0 + 1) }
            ?? all.drop { !call.page.keyMarker.isEmpty && ExactKey($0.key) <= marker }

        var page = ServiceResult.UploadsPage(limit: limit)
        for upload in candidates {
            let group = commonPrefix(of: upload.key, call.page)
            if let group, group == page.commonPrefixes.last || group == call.page.keyMarker { continue }
            if page.uploads.count + page.commonPrefixes.count == limit {
                page.isTruncated = true
                break
            }
            if let group { page.commonPrefixes.append(group) } else { page.uploads.append(upload) }
            page.nextKeyMarker = group ?? upload.key
            page.nextUploadIDMarker = group == nil ? upload.id : ""
        }
        if !page.isTruncated {
            page.nextKeyMarker = ""
            page.nextUploadIDMarker = ""
        }
        var result = ServiceResult()
        result.uploads = page
        return result
    }

    /// The part of a key up to the first delimiter behind the prefix, which stands for all keys that begin with it.
    private func commonPrefix(of key: String, _ page: ServiceCall.Page) -> String? {
        guard !page.delimiter.isEmpty else { return nil }
        let rest = key.dropFirst(page.prefix.count)
        guard let found = rest.firstRange(of: page.delimiter) else { return nil }
        return page.prefix + rest[..<found.upperBound]
    }

    private func pageLength(_ asked: Int?) throws(ServiceFailure) -> Int {
        guard let asked else { return quirks.maximumPageLength }
        guard asked > 0 else { throw .invalidArgument("The length of a page must be positive.") }
        return min(asked, quirks.maximumPageLength)
    }
}
