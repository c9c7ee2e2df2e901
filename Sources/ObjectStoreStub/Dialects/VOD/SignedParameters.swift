/// The parameters of an OpenAPI request as both signatures write them: sorted, each part encoded on its own. How they
/// are written can be changed, to find out what a client signed instead.
struct SignedParameters: Sendable {
    var items: [(name: String, value: String)]
    var isSorted = true
    var encode: @Sendable (String) -> String = { PercentCoding.encode($0.utf8) }

    var text: String {
        let items = isSorted ? items.sorted { ($0.name, $0.value) < ($1.name, $1.value) } : items
        return items.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// Ways in which clients are known to write them wrongly.
    static let mistakes: [(name: String, change: @Sendable (inout SignedParameters) -> Void)] = [
        ("not sorted", { $0.isSorted = false }),
        ("not encoded", { $0.encode = { $0 } }),
        ("blanks as +", { $0.encode = { PercentCoding.encode($0.utf8).split("%20", joinedBy: "+") } }),
        ("* not encoded", { $0.encode = { PercentCoding.encode($0.utf8).split("%2A", joinedBy: "*") } }),
        ("~ encoded", { $0.encode = { PercentCoding.encode($0.utf8).split("~", joinedBy: "%7E") } }),
        ("/ not encoded", { $0.encode = { PercentCoding.encode($0.utf8, keepingSlash: true) } }),
        (
            "encoded in the form style: blanks as +, * and ~ the other way round",
            {
                $0.encode = {
                    PercentCoding.encode($0.utf8).split("%20", joinedBy: "+").split("%2A", joinedBy: "*")
                        .split("~", joinedBy: "%7E")
                }
            }
        ),
        ("encoded in lower case", { $0.encode = { lowerCased(PercentCoding.encode($0.utf8)) } }),
        ("encoded twice", { $0.encode = { PercentCoding.encode(PercentCoding.encode($0.utf8).utf8) } }),
    ]

    private static func lowerCased(_ text: String) -> String {
        var digits = 0
        return String(
            text.map { character in
                if character == "%" {
                    digits = 2
                    return character
                }
                guard digits > 0 else { return character }
                digits -= 1
                return Character(character.lowercased())
            })
    }
}

extension String {
    fileprivate func split(_ separator: String, joinedBy other: String) -> String {
        split(separator: separator, omittingEmptySubsequences: false).joined(separator: other)
    }
}
