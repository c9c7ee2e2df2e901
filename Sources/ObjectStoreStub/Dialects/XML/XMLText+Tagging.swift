extension XMLText {
    /// The tags of an object, which all XML dialects write alike.
    static func tagging(_ tagging: String?) -> XMLText {
        let tags = ObjectAttributes.tags(tagging ?? "").map { tag in
            XMLText("Tag", [XMLText("Key", tag.key), XMLText("Value", tag.value)])
        }
        return XMLText("Tagging", [XMLText("TagSet", tags)])
    }
}
