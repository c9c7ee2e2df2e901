internal import TransferXML

/// The document of a successful answer, in JSON or in XML: members and elements have the same names in both (TOS: spec
/// sections 1.2 and 1.3). Those that an answer may lack are optional; those that are not read here are ignored.
protocol ResultDocument: Decodable, Sendable {
    /// Reads all of an XML document. Throws `XMLError`, also for a document of another name.
    init(xml bytes: [UInt8]) throws
}

extension XMLElement {
    /// The text of a child without blanks around it; nil when there is none.
    func value(_ name: String) -> String? {
        guard let text = trimmedText(name), !text.isEmpty else { return nil }
        return text
    }

    /// The same of a child that is a number.
    func number<Number: LosslessStringConvertible>(_ name: String) -> Number? { value(name).flatMap { Number($0) } }

    func flag(_ name: String) -> Bool { value(name)?.lowercased() == "true" }
}
