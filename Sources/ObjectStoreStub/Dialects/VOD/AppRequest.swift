/// What a client tells the application server, and what the application makes of it for the OpenAPI.
struct AppRequest: Sendable {
    let members: JSONMembers

    init(_ members: JSONMembers) { self.members = members }

    /// The names that clients use and those of the OpenAPI. Others are passed over.
    private static let names = [
        "appId": "AppId", "cateId": "CateId", "coverUrl": "CoverURL", "desc": "Description",
        "description": "Description", "imageExt": "ImageExt", "imageType": "ImageType", "referenceId": "ReferenceId",
        "storageLocation": "StorageLocation", "tags": "Tags", "templateGroupId": "TemplateGroupId", "title": "Title",
        "userData": "UserData", "workflowId": "WorkflowId",
    ]

    /// The parameters of a call. What the OpenAPI requires and the client left out is made of the file's name.
    func parameters(for action: VODAction) throws(ServiceFailure) -> VODParameters {
        var values: [String: String] = [:]
        func copy(_ name: String, to parameter: String) throws(ServiceFailure) {
            if let text = members[name] {
                values[parameter] = text
            } else if members.names.contains(name) {
                throw .invalidParameter(name, "it is neither text nor a number")
            }
        }
        if action == .refreshVideo {
            try copy("videoId", to: "VideoId")
            try copy("referenceId", to: "ReferenceId")
            return VODParameters(values: values)
        }
        for (name, parameter) in Self.names.sorted(by: { $0.key < $1.key }) { try copy(name, to: parameter) }
        let fileName = members["fileName"]
        if action == .createVideo {
            guard fileName != nil else { throw .missingParameter("fileName") }
            try copy("fileName", to: "FileName")
            try copy("fileSize", to: "FileSize")
            if values["Title"] == nil { values["Title"] = fileName.map { String($0.prefix(128)) } }
        } else {
            try copy("fileName", to: "OriginalFileName")
            if values["ImageType"] == nil { values["ImageType"] = "default" }
            if values["ImageExt"] == nil { values["ImageExt"] = fileName.flatMap(Self.imageExtension) }
        }
        return VODParameters(values: values)
    }

    /// The file's extension where the OpenAPI knows it; it takes any other file for a PNG.
    private static func imageExtension(of fileName: String) -> String? {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        let text = fileName[fileName.index(after: dot)...].lowercased()
        return VODParameters.imageExtensions.contains(text) ? text : nil
    }
}
