/// An object of JSON on one line, its members in the order in which they were added.
package struct JSONObject {
    private var members: [String] = []

    package init() {}

    package init(event: String) { add("event", event) }

    /// Adds a text; nothing for nil.
    package mutating func add(_ name: String, _ text: String?) {
        if let text { members.append("\(Self.quoted(name)):\(Self.quoted(text))") }
    }

    /// Adds a number; nothing for nil.
    package mutating func add(_ name: String, _ number: (some BinaryInteger)?) {
        if let number { members.append("\(Self.quoted(name)):\(number)") }
    }

    package var text: String { "{" + members.joined(separator: ",") + "}" }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
