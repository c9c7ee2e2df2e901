internal import TransferHTTP
internal import TransferPrimitives
internal import TransferXML

extension ErrorDocument {
    /// The same document as the S3-compatible endpoint writes it, and whatever else answers in its place. Nil when `body`
    /// is no well-formed `Error`.
    init?(xml body: ArraySlice<UInt8>) {
        let root: XMLElement
        do {
            root = try XMLElement(parsing: Array(body)).expecting("Error")
        } catch {
            return nil
        }
        func text(_ name: String) -> String? {
            guard let text = root.trimmedText(name), !text.isEmpty else { return nil }
            return text
        }
        self.init(
            code: text("Code"), message: text("Message"), requestID: text("RequestId"), hostID: text("HostId"),
            ec: text("EC"), serverTime: text("ServerTime").flatMap { HTTPDate.parseISO8601($0) })
        if let token = text("SecurityToken") { message = message?.redacting([token]) }
    }
}
