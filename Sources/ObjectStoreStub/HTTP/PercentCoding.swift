import TransferPrimitives

/// Percent-coding of the server's own; the client's is what it checks.
enum PercentCoding {
    /// Writes every byte outside `A-Z a-z 0-9 - . _ ~` as `%XX` in upper case; `/` too unless it is kept.
    static func encode(_ bytes: some Sequence<UInt8>, keepingSlash: Bool = false) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.append(byte)
            case UInt8(ascii: "/") where keepingSlash:
                text.append(byte)
            default:
                text.append(UInt8(ascii: "%"))
                text += Hex.encode(CollectionOfOne(byte)).uppercased().utf8
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` stands for, or nil when a `%` is not followed by two hexadecimal digits.
    static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> [UInt8]? {
        var bytes: [UInt8] = []
        var input = text.utf8.makeIterator()
        while let byte = input.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = input.next(), let low = input.next(),
                    let decoded = Hex.decode(String(decoding: [high, low], as: UTF8.self))
                else { return nil }
                bytes += decoded
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    /// The same as text; nil also when the bytes are not UTF-8.
    static func decodeText(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        decode(text, plusIsSpace: plusIsSpace).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

/// The decoded query of a request.
struct QueryItems: Sendable {
    let items: [(name: String, value: String)]

    /// Nil when an item cannot be decoded.
    init?(_ raw: Substring?) {
        var items: [(name: String, value: String)] = []
        for item in (raw ?? "").split(separator: "&") {
            let name = item.prefix { $0 != "=" }
            let value = item.dropFirst(name.count + 1)
            guard let name = PercentCoding.decodeText(name, plusIsSpace: true),
                let value = PercentCoding.decodeText(value, plusIsSpace: true)
            else { return nil }
            items.append((name, value))
        }
        self.items = items
    }

    subscript(_ name: String) -> String? { items.first { $0.name == name }?.value }

    func contains(_ name: String) -> Bool { items.contains { $0.name == name } }
}
