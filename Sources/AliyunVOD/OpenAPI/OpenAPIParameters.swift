/// The parameters of an OpenAPI operation by their exact names (spec sections 1.2 to 1.4).
struct OpenAPIParameters: Sendable, Hashable {
    private(set) var values: [String: String] = [:]

    subscript(name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }

    static func createVideo(
        fileName: String, fileSize: UInt64?, meta: VODVideoMeta, extra: [String: String]
    ) -> OpenAPIParameters {
        var parameters = OpenAPIParameters(values: extra)
        parameters["Title"] = meta.title ?? title(of: fileName)
        parameters["FileName"] = fileName
        parameters["FileSize"] = fileSize.map(String.init)
        parameters["Description"] = meta.desc
        parameters["CoverURL"] = meta.coverUrl
        parameters["CateId"] = meta.cateId.map(String.init)
        parameters["Tags"] = meta.tags
        parameters["UserData"] = meta.userData
        parameters["StorageLocation"] = meta.storageLocation
        parameters["TemplateGroupId"] = meta.templateGroupId
        parameters["WorkflowId"] = meta.workflowId
        parameters["AppId"] = meta.appId
        return parameters
    }

    static func refreshVideo(_ videoID: String) -> OpenAPIParameters {
        OpenAPIParameters(values: ["VideoId": videoID])
    }

    static func createImage(fileName: String, meta: VODImageMeta, extra: [String: String]) -> OpenAPIParameters {
        var parameters = OpenAPIParameters(values: extra)
        parameters["ImageType"] = meta.imageType ?? "default"
        // The service would take any other file for a PNG.
        parameters["ImageExt"] =
            meta.imageExt
            ?? MediaKind.fileExtension(of: fileName).flatMap { MediaKind.imageExtensions.contains($0) ? $0 : nil }
        parameters["OriginalFileName"] = fileName
        parameters["Title"] = meta.title
        parameters["Description"] = meta.desc
        parameters["Tags"] = meta.tags
        parameters["CateId"] = meta.cateId.map(String.init)
        parameters["UserData"] = meta.userData
        parameters["StorageLocation"] = meta.storageLocation
        parameters["AppId"] = meta.appId
        return parameters
    }

    /// The file's name without its extension, as long as a title may be.
    private static func title(of fileName: String) -> String {
        let dot = fileName.lastIndex(of: ".").flatMap { $0 == fileName.startIndex ? nil : $0 }
        let stem = dot.map { fileName[..<$0] } ?? fileName[...]
        return String(stem.prefix(MetaRules.longestTitle))
    }
}
