internal import TransferCore

/// The limits that the OpenAPI documents for what media carry (spec section 1.2).
enum MetaRules {
    static let longestTitle = 128

    static func check(title: String?, field: String) throws(TransferError) {
        guard let title else { return }
        guard !title.isEmpty, title.count <= longestTitle else {
            throw .invalidArgument(
                field, "a title has 1 to \(longestTitle) characters, and this one has \(title.count)")
        }
    }

    static func check(description: String?, field: String) throws(TransferError) {
        if let description, description.count > 1024 {
            throw .invalidArgument(
                field, "a description has at most 1024 characters, and this one has \(description.count)")
        }
    }

    static func check(tags: String?, field: String) throws(TransferError) {
        guard let tags else { return }
        let list = tags.split(separator: ",", omittingEmptySubsequences: false)
        guard list.count <= 16 else {
            throw .invalidArgument(field, "there are at most 16 tags, and these are \(list.count)")
        }
        guard list.allSatisfy({ $0.count <= 32 }) else {
            throw .invalidArgument(field, "a tag has at most 32 characters")
        }
    }
}
