/// JSON documents of the server's own making, with members in the order given.
indirect enum JSONText: Sendable {
    case string(String)
    case integer(Int64)
    case unsigned(UInt64)
    case boolean(Bool)
    case array([JSONText])
    case object([(String, JSONText)])
    case null

    var bytes: [UInt8] { Array(text.utf8) }

    var text: String {
        var text = ""
        write(into: &text)
        return text
    }

    private func write(into text: inout String) {
        switch self {
        case .string(let value): Self.write(value, into: &text)
        case .integer(let value): text += String(value)
        case .unsigned(let value): text += String(value)
        case .boolean(let value): text += value ? "true" : "false"
        case .null: text += "null"
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(into: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.write(member.0, into: &text)
                text += ":"
                member.1.write(into: &text)
            }
            text += "}"
        }
    }

    private static func write(_ value: String, into text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
