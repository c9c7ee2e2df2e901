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
        self.init { root.trimmedText($0) }
    }
}
